#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "panels/menus/file_kinds.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/fonts.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace fs = std::filesystem;
namespace {

std::string readable(std::uintmax_t bytes) {
  double value = static_cast<double>(bytes);
  for (const char* unit : {"B", "kB", "MB", "GB"}) {
    if (value < 1000) return fmt::format("{:.3g} {}", value, unit);
    value /= 1000;
  }
  return fmt::format("{:.3g} TB", value);
}

/// Title of the dialog: "Save session as".
std::string title_of(const Action& action, bool write) {
  if (action.name == "watch") return "Watch a folder or an address";
  if (action.name == "open") return "Open a scan, PET list, volume or session";
  if (action.name == "file") return "Choose " + spoken(action.arguments[0]);
  std::string text = action.name;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return write ? text + " as" : "Choose " + action.name;
}

bool asks_for_pictures(const Action& a) {
  return (a.name == "export turntable" || a.name == "export path") && a.arguments == std::vector<std::string>{"auto"};
}

/// Length and size of a turntable or camera path.
void movie_rows(Frame& frame) {
  for (StateSection& s : describe(frame.next)) {
    if (s.name != "movie") continue;
    edit_row(frame, of(s.parameters, "movie_seconds"), 0.05, "seconds");
    edit_row(frame, of(s.parameters, "movie_size"), 1, "width and height");
  }
  fact("pictures of the movie", fmt::format("{}, {} a second", picture_count(frame.next.movie), pictures_a_second));
  tooltip(
      "Names: turn_####.png for pictures; turn.apng for a movie that browsers play; .mp4, .webm or .gif for one that "
      "ffmpeg makes");
}

}  // namespace

void FileDialog::ask(Action action, const std::string& suggestion) {
  ask(std::move(action), suggestion.empty() ? Want::read : Want::write, suggestion);
}

void FileDialog::ask_folder(Action action) { ask(std::move(action), Want::folder, ""); }

void FileDialog::ask(Action action, Want want, const std::string& suggestion) {
  action_ = std::move(action);
  want_ = want;
  shown_ = fresh_ = true;
  problem_.clear();
  replacing_.clear();
  name_ = suggestion;
  std::error_code error;
  if (folder_.empty() || !fs::is_directory(folder_, error)) folder_ = fs::current_path(error);
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
  for (const Entry& e : entries_) want_letters(e.name);
  folder_ = fs::absolute(folder, error).lexically_normal();
  problem_.clear();
}

void FileDialog::finish(Frame& frame, const std::string& answer) {
  auto arguments = action_.arguments;
  arguments.push_back(answer);
  frame.act(action_.name, std::move(arguments));
  shown_ = false;
  ImGui::CloseCurrentPopup();
}

void FileDialog::accept(Frame& frame) {
  if (want_ == Want::folder) {
    return finish(frame, stream::is_address(name_) ? name_ : (name_.empty() ? folder_ : folder_ / name_).string());
  }
  if (name_.empty()) return;
  fs::path path = fs::path(name_).is_absolute() ? fs::path(name_) : folder_ / name_;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    name_.clear();
    typing_ = true;
    return enter(path);
  }
  if (want_ == Want::write && fs::exists(path, ignored) && replacing_ != path) {
    replacing_ = path;
    problem_ = path.filename().string() + " is there already: press again to replace it";
    return;
  }
  finish(frame, path.string());
}

/// As far as the names of all entries that begin so agree.
std::string FileDialog::completed(const std::string& typed) const {
  const auto slash = typed.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1),
                    begin = typed.substr(folder.size());
  std::optional<std::string> common;
  std::error_code error;
  for (fs::directory_iterator at(folder_ / folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    std::error_code ignored;
    const Entry e{at->path().filename().string(), at->is_directory(ignored), 0};
    if (!e.name.starts_with(begin) || (begin.empty() && e.name.starts_with('.')) || !offers(e)) continue;
    const std::string name = e.folder ? e.name + "/" : e.name;
    if (!common) common = name;
    common->erase(std::ranges::mismatch(*common, name).in1, common->end());
  }
  return common ? folder + *common : typed;
}

bool FileDialog::offers(const Entry& e) const {
  return e.folder || (want_ != Want::folder && (all_files_ || suits(action_, e.name)));
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
  const float rows = (missing_letters().empty() ? 3.2f : 4.2f) + (asks_for_pictures(action_) ? 3 : 0);
  const float bottom = rows * ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("files", {0, -bottom});
  if (ImGui::BeginTable("entries", 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY)) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed, 6 * ImGui::GetFontSize());
    std::string entered;
    for (const Entry& e : entries_) {
      if (!offers(e)) continue;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (e.folder) ImGui::PushStyleColor(ImGuiCol_Text, palette().accent);
      const std::string text = e.folder ? e.name + "/" : e.name;
      ImGui::PushID(text.c_str());
      if (ImGui::Selectable("##entry", name_ == e.name,
                            ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                                ImGuiSelectableFlags_DontClosePopups)) {
        name_ = e.name;
        if (ImGui::IsMouseDoubleClicked(0)) entered = e.name;
      }
      ImGui::PopID();
      name_item(text);
      ImGui::SameLine(0, 0);
      ImGui::TextUnformatted(text.c_str());  // a label would end at ##
      if (e.folder) ImGui::PopStyleColor();
      ImGui::TableNextColumn();
      if (!e.folder) ImGui::TextDisabled("%s", readable(e.bytes).c_str());
    }
    ImGui::EndTable();
    if (!entered.empty() && want_ == Want::folder) {
      name_.clear();
      enter(folder_ / entered);
    } else if (!entered.empty()) {
      name_ = entered;
      accept(frame);
    }
  }
  ImGui::EndChild();
}

void FileDialog::draw_buttons(Frame& frame, bool entered) {
  const float width = 8 * ImGui::GetFontSize();
  const char* const yes = want_ == Want::read ? "Open" : want_ == Want::write ? "Save" : "Watch";
  const bool pressed = ImGui::Button(yes, {width, 0});
  name_item(yes);
  ImGui::SameLine();
  const bool left = ImGui::Button("Cancel", {width, 0}) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  name_item("Cancel file");
  if (want_ != Want::folder) {
    ImGui::SameLine();
    ImGui::Checkbox("all files", &all_files_);
    name_item("all files");
    tooltip("Lists files of all kinds, and not only those that suit");
  }
  if (want_ == Want::folder && !frame.next.watch.empty()) {
    ImGui::SameLine();
    const bool stop = ImGui::Button("Stop watching");
    name_item("Stop watching");
    tooltip(frame.next.watch);
    if (stop) return finish(frame, "off");
  }
  if (entered || pressed) accept(frame);
  if (!left) return;
  shown_ = false;
  ImGui::CloseCurrentPopup();
}

void FileDialog::draw(Frame& frame) {
  if (!shown_) return;
  const bool folder = want_ == Want::folder;
  const std::string title = title_of(action_, want_ == Want::write) + "###files";
  if (fresh_) ImGui::OpenPopup(title.c_str());
  fresh_ = false;
  const ImGuiIO& io = ImGui::GetIO();
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({0.5f * io.DisplaySize.x, 0.5f * io.DisplaySize.y}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(0.9f * io.DisplaySize.x, 48 * em), std::min(0.85f * io.DisplaySize.y, 36 * em)},
                           ImGuiCond_Appearing);
  if (!ImGui::BeginPopupModal(title.c_str(), &shown_)) return;
  if (folder) quiet_text("Views are taken from this folder, or from an address, while they are measured.");
  draw_places();
  draw_list(frame);
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(typing_, false) || ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const auto complete = [](ImGuiInputTextCallbackData* data) {
    const auto& self = *static_cast<const FileDialog*>(data->UserData);
    const std::string typed(data->Buf, static_cast<std::size_t>(data->BufTextLen)), longer = self.completed(typed);
    data->InsertChars(data->BufTextLen, longer.c_str() + typed.size());
    return 0;
  };
  const bool entered = ImGui::InputTextWithHint(
      "##name", folder ? "this folder; or an address: tcp://127.0.0.1:5555" : "a name or a path; Tab completes it",
      &name_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion, complete, this);
  name_item(folder ? "folder or address" : "file name");
  if (asks_for_pictures(action_)) movie_rows(frame);
  if (!problem_.empty()) ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette().bad), "%s", problem_.c_str());
  if (!missing_letters().empty()) quiet_text(missing_letters());
  draw_buttons(frame, entered);
  ImGui::EndPopup();
}

}  // namespace backlit::viewer
