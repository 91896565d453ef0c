#include "window/gui.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "window/fonts.hpp"
#include "window/shortcuts.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

constexpr float font_pixels = 14.5f;

Gui::Gui(Surface& surface) : surface_(surface) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // Backlit saves the sessions itself
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  map_keys();
  ImGui_ImplOpenGL3_Init("#version 450");
  set_look("dark", 1);
}

Gui::~Gui() {
  surface_.context()->make_current();
  ImGui_ImplOpenGL3_Shutdown();
  surface_.leave_gui();
  ImGui::DestroyContext();
}

void Gui::set_look(const std::string& theme, float zoom) {
  const float unit = zoom * surface_.scale();
  if (theme == theme_ && unit == unit_ && !want_fonts()) return;
  apply_theme(theme, unit);
  if (unit != unit_ || want_fonts()) {
    load_fonts(font_pixels * unit);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  theme_ = theme;
  unit_ = unit;
}

bool Gui::begin_frame(bool input, const std::function<void()>& before_new) {
  const auto [width, height] = surface_.size();
  if (width < 1 || height < 1) return false;
  if (frame_.width() != width || frame_.height() != height) {
    frame_ = gl::Texture("frame", GL_TEXTURE_2D, GL_RGBA8, width, height);
    framebuffer_ = gl::Framebuffer("frame");
    glNamedFramebufferTexture(framebuffer_.id(), GL_COLOR_ATTACHMENT0, frame_.id(), 0);
  }
  surface_.begin_frame(input);
  if (before_new) before_new();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  return true;
}

void Gui::end_frame() {
  ImGui::Render();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glViewport(0, 0, static_cast<GLsizei>(frame_.width()), static_cast<GLsizei>(frame_.height()));
  glDisable(GL_SCISSOR_TEST);
  // The colour between panes. A window that fills them would be drawn under all of them, which takes a CPU long.
  const ImVec4 line = ImGui::GetStyleColorVec4(ImGuiCol_Border);
  const float clear[] = {line.x, line.y, line.z, 1};
  glClearNamedFramebufferfv(framebuffer_.id(), GL_COLOR, 0, clear);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  surface_.show(frame_);
}

}  // namespace backlit::viewer
