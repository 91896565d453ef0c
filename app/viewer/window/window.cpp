// A window made with GLFW.
#define GLFW_INCLUDE_NONE  // GLEW declares OpenGL
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <fmt/format.h>
#include <imgui.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <utility>

#include <backlit/core/error.hpp>
#include "model/key_taps.hpp"
#include "window/surface.hpp"

namespace backlit::viewer {
namespace {

std::string last_problem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "no reason given";
}

struct Library {
  Library() {
    if (!glfwInit())
      throw Failure("window", last_problem(), "check that a display is available; backlit-view --offscreen needs none");
  }
  ~Library() { glfwTerminate(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

struct Destroy {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using WindowHandle = std::unique_ptr<GLFWwindow, Destroy>;

WindowHandle create(int width, int height, GLFWwindow* share) {
  WindowHandle window(glfwCreateWindow(width, height, "Backlit", nullptr, share));
  if (!window)
    throw Failure("window", last_problem(), "OpenGL 4.5 is needed: install libgl1-mesa-dri, or the graphics driver");
  return window;
}

class Window final : public Surface {
 public:
  explicit Window(const SurfaceOptions& options) : scale_(options.scale), debug_(options.debug) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    window_ = create(static_cast<int>(options.width), static_cast<int>(options.height), nullptr);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    worker_ = create(16, 16, window_.get());
    glfwMakeContextCurrent(window_.get());
    glfwSwapInterval(1);
    context_ = gl::Context::adopt(options.debug);
    glfwSetWindowUserPointer(window_.get(), this);
    glfwSetDropCallback(window_.get(), [](GLFWwindow* window, int count, const char** paths) {
      Window& self = of(window);
      self.dropped_.insert(self.dropped_.end(), paths, paths + count);
      self.touched_ = true;
    });
    watch_events();
  }

  const std::shared_ptr<gl::Context>& context() const override { return context_; }
  WorkerContext worker_context() override {
    return [worker = worker_.get(), debug = debug_] {
      glfwMakeContextCurrent(worker);
      return gl::Context::adopt(debug);
    };
  }

  std::array<std::int64_t, 2> size() const override {
    if (glfwGetWindowAttrib(window_.get(), GLFW_ICONIFIED)) return {0, 0};
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_.get(), &width, &height);
    return {width, height};
  }
  void resize(std::int64_t width, std::int64_t height) override {
    glfwSetWindowSize(window_.get(), static_cast<int>(width), static_cast<int>(height));
  }
  float scale() const override {
    if (scale_ > 0) return scale_;
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_.get(), &x, &y);
    return std::max(x, y);
  }

  bool poll(double patience) override {
    touched_ = touched_ || taps_.busy();
    if (patience > 0 && !taps_.busy())
      glfwWaitEventsTimeout(patience);
    else
      glfwPollEvents();
    const bool woken = woken_.exchange(false);
    return std::exchange(touched_, false) || woken;
  }
  std::function<void()> waker() const override {
    return [this] {
      woken_ = true;
      glfwPostEmptyEvent();
    };
  }
  bool closed() const override { return glfwWindowShouldClose(window_.get()); }
  bool keep_open() override {
    glfwSetWindowShouldClose(window_.get(), GLFW_FALSE);
    return true;
  }
  void toggle_fullscreen() override {
    if (glfwGetWindowMonitor(window_.get())) {
      glfwSetWindowMonitor(window_.get(), nullptr, placed_[0], placed_[1], placed_[2], placed_[3], 0);
      return;
    }
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!mode) return;
    glfwGetWindowPos(window_.get(), &placed_[0], &placed_[1]);
    glfwGetWindowSize(window_.get(), &placed_[2], &placed_[3]);
    glfwSetWindowMonitor(window_.get(), monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }
  void open_page(const std::filesystem::path& page) override {
    std::string open = "xdg-open", file = page.string();
    char* const words[] = {open.data(), file.data(), nullptr};
    pid_t child = 0;
    if (page.empty() || posix_spawnp(&child, "xdg-open", nullptr, nullptr, words, environ) != 0)
      return Surface::open_page(page);
    std::thread([child] { waitpid(child, nullptr, 0); }).detach();  // it ends soon; nothing waits for it
  }
  void set_title(const std::string& title) override { glfwSetWindowTitle(window_.get(), title.c_str()); }
  std::vector<std::string> take_dropped() override { return std::exchange(dropped_, {}); }

  void begin_frame(bool input) override {
    if (!input_ready_) {  // ImGui's context is made after the window
      ImGui_ImplGlfw_InitForOpenGL(window_.get(), true);
      input_ready_ = true;
    }
    if (input) {
      ImGui_ImplGlfw_NewFrame();
      ImGuiIO& io = ImGui::GetIO();
      const KeyModifiers with = taps_.apply(io.KeysDown, {io.KeyCtrl, io.KeyShift, io.KeyAlt});
      io.KeyCtrl = with.ctrl;
      io.KeyShift = with.shift;
      io.KeyAlt = with.alt;
      return;
    }
    const auto [width, height] = size();
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    ImGui::GetIO().DeltaTime = 1.0f / 60;
  }
  void leave_gui() override {
    if (std::exchange(input_ready_, false)) ImGui_ImplGlfw_Shutdown();
  }
  void show(const gl::Texture& frame) override {
    if (!blit_) blit_ = gl::Framebuffer("frame to window");
    const auto w = static_cast<GLint>(frame.width()), h = static_cast<GLint>(frame.height());
    glNamedFramebufferTexture(blit_.id(), GL_COLOR_ATTACHMENT0, frame.id(), 0);
    glBlitNamedFramebuffer(blit_.id(), 0, 0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glfwSwapBuffers(window_.get());
  }

 private:
  static Window& of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

  /// Any window event requires a new frame; ImGui's own callbacks call these.
  void watch_events() {
    GLFWwindow* w = window_.get();
    glfwSetCursorPosCallback(w, [](GLFWwindow* it, double, double) { of(it).touched_ = true; });
    glfwSetMouseButtonCallback(w, [](GLFWwindow* it, int, int, int) { of(it).touched_ = true; });
    glfwSetScrollCallback(w, [](GLFWwindow* it, double, double) { of(it).touched_ = true; });
    glfwSetKeyCallback(w, [](GLFWwindow* it, int key, int, int action, int mods) {
      Window& window = of(it);
      window.touched_ = true;
      const bool letter =
          key >= GLFW_KEY_SPACE && key <= GLFW_KEY_WORLD_2 && !(mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT));
      const bool written = letter && window.input_ready_ && ImGui::GetIO().WantTextInput;
      if (action != GLFW_REPEAT)
        window.taps_.event(key, action == GLFW_PRESS,
                           {.ctrl = (mods & GLFW_MOD_CONTROL) != 0,
                            .shift = (mods & GLFW_MOD_SHIFT) != 0,
                            .alt = (mods & GLFW_MOD_ALT) != 0},
                           written);
    });
    glfwSetCharCallback(w, [](GLFWwindow* it, unsigned) { of(it).touched_ = true; });
    glfwSetFramebufferSizeCallback(w, [](GLFWwindow* it, int, int) { of(it).touched_ = true; });
    glfwSetWindowRefreshCallback(w, [](GLFWwindow* it) { of(it).touched_ = true; });
    glfwSetWindowFocusCallback(w, [](GLFWwindow* it, int) { of(it).touched_ = true; });
    glfwSetCursorEnterCallback(w, [](GLFWwindow* it, int) { of(it).touched_ = true; });
  }

  Library library_;
  float scale_;  ///< requested scale; 0: the screen's scale
  bool debug_, input_ready_ = false, touched_ = true;
  KeyTaps taps_;
  mutable std::atomic<bool> woken_{false};
  WindowHandle window_, worker_;
  std::shared_ptr<gl::Context> context_;
  gl::Framebuffer blit_;
  std::array<int, 4> placed_{0, 0, 1400, 900};  ///< position and size before full screen
  std::vector<std::string> dropped_;
};

}  // namespace

std::unique_ptr<Surface> make_window(const SurfaceOptions& options) { return std::make_unique<Window>(options); }

std::unique_ptr<Surface> make_surface(const SurfaceOptions& options) {
  if (!options.serve.empty()) return make_served(options);
  return options.offscreen ? make_offscreen(options) : make_window(options);
}

}  // namespace backlit::viewer
