#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace fs = std::filesystem;
namespace {

constexpr const char* title = "Choose a file";

/// What can be opened, by its name; the content decides later.
bool can_open(const std::string& name) {
  static constexpr std::array<std::string_view, 21> endings{
      ".toml", ".mha", ".mhd", ".nrrd", ".nhdr", ".nii", ".gz",  ".tif", ".tiff",  ".h5",   ".hdf5",
      ".nxs",  ".hdf", ".npy", ".vol",  ".cdh",  ".hdr", ".h33", ".hs",  ".safir", ".hscan"};
  return name.find("crystal_map") != std::string::npos ||
         std::ranges::any_of(endings, [&](std::string_view e) { return name.ends_with(e); });
}

std::string readable(std::uintmax_t bytes) {
  double value = static_cast<double>(bytes);
  for (const char* unit : {"B", "kB", "MB", "GB"}) {
    if (value < 1000) return fmt::format("{:.3g} {}", value, unit);
    value /= 1000;
  }
  return fmt::format("{:.3g} TB", value);
}

}  // namespace

void FileDialog::ask(Action action, const std::string& suggestion) {
  action_ = std::move(action);
  save_ = !suggestion.empty();
  shown_ = fresh_ = true;
  problem_.clear();
  replacing_.clear();
  name_ = suggestion;
  std::error_code error;
  if (folder_.empty()) folder_ = fs::current_path(error);
  enter(folder_);
}

void FileDialog::enter(const fs::path& folder) {
  std::error_code error;
  std::vector<Entry> found;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    std::error_code ignored;
    Entry e{at->path().filename().string(), at->is_directory(ignored), 0};
    if (e.name.starts_with('.')) continue;
    if (!e.folder) e.bytes = at->file_size(ignored);
    found.push_back(std::move(e));
  }
  if (error) {
    problem_ = fmt::format("{}: {}", folder.string(), error.message());
    return;
  }
  std::ranges::sort(found, [](const Entry& a, const Entry& b) {
    return std::pair(!a.folder, a.name) < std::pair(!b.folder, b.name);
  });
  entries_ = std::move(found);
  folder_ = fs::absolute(folder, error).lexically_normal();
  problem_.clear();
}

void FileDialog::accept(Frame& frame) {
  if (name_.empty()) return;
  fs::path path = fs::path(name_).is_absolute() ? fs::path(name_) : folder_ / name_;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    name_.clear();
    return enter(path);
  }
  if (save_ && fs::exists(path, ignored) && replacing_ != path) {
    replacing_ = path;
    problem_ = path.filename().string() + " is there already: press again to replace it";
    return;
  }
  auto arguments = action_.arguments;
  arguments.push_back(path.string());
  frame.act(action_.name, std::move(arguments));
  shown_ = false;
  ImGui::CloseCurrentPopup();
}

void FileDialog::draw_places() {
  const char* home = std::getenv("HOME");
  if (ImGui::Button("Up")) enter(folder_.parent_path());
  ImGui::SameLine();
  if (home && ImGui::Button("Home")) enter(home);
  ImGui::SameLine();
  std::string path = folder_.string();
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputText("##folder", &path, ImGuiInputTextFlags_EnterReturnsTrue)) enter(path);
}

void FileDialog::draw_list(Frame& frame) {
  const float bottom = 3.2f * ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("files", {0, -bottom});
  if (ImGui::BeginTable("entries", 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY)) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed, 6 * ImGui::GetFontSize());
    std::string entered;
    for (const Entry& e : entries_) {
      if (!e.folder && !save_ && !all_files_ && !can_open(e.name)) continue;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (e.folder) ImGui::PushStyleColor(ImGuiCol_Text, palette().accent);
      const std::string text = e.folder ? e.name + "/" : e.name;
      if (ImGui::Selectable(text.c_str(), name_ == e.name,
                            ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                                ImGuiSelectableFlags_DontClosePopups)) {
        name_ = e.name;
        if (ImGui::IsMouseDoubleClicked(0)) entered = e.name;
      }
      name_item(text);
      if (e.folder) ImGui::PopStyleColor();
      ImGui::TableNextColumn();
      if (!e.folder) ImGui::TextDisabled("%s", readable(e.bytes).c_str());
    }
    ImGui::EndTable();
    if (!entered.empty()) {
      name_ = entered;
      accept(frame);
    }
  }
  ImGui::EndChild();
}

void FileDialog::draw(Frame& frame) {
  if (!shown_) return;
  if (fresh_) ImGui::OpenPopup(title);
  fresh_ = false;
  const ImGuiIO& io = ImGui::GetIO();
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({0.5f * io.DisplaySize.x, 0.5f * io.DisplaySize.y}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(0.9f * io.DisplaySize.x, 48 * em), std::min(0.85f * io.DisplaySize.y, 36 * em)},
                           ImGuiCond_Appearing);
  if (!ImGui::BeginPopupModal(title, &shown_)) return;
  draw_places();
  draw_list(frame);
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputText("##name", &name_, ImGuiInputTextFlags_EnterReturnsTrue);
  name_item("file name");
  if (!problem_.empty()) ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette().bad), "%s", problem_.c_str());
  const bool pressed = ImGui::Button(save_ ? "Save" : "Open", {8 * em, 0});
  name_item(save_ ? "Save" : "Open");
  ImGui::SameLine();
  const bool left = ImGui::Button("Cancel", {8 * em, 0}) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  name_item("Cancel file");
  if (!save_) {
    ImGui::SameLine();
    ImGui::Checkbox("all files", &all_files_);
  }
  if (entered || pressed) accept(frame);
  if (left) {
    shown_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace backlit::viewer
