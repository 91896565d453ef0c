#include <filesystem>
#include <map>

#include "model/source.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

struct Example {
  std::string title, about;
};

/// What is said about an example; those added later get their own name.
Example about(const std::string& name) {
  static const std::map<std::string, Example> known{
      {"demo:head", {"FORBILD head", "cone beam, 120 views: bones and faint soft tissue"}},
      {"demo:spheres", {"Spheres", "cone beam, 60 views of 64 × 64: the quickest to reconstruct"}},
      {"demo:shepp-logan", {"Shepp-Logan", "cone beam, 90 views: the classic, in 3-D"}},
      {"demo:bar", {"Bar pattern", "cone beam, 90 views: look at the resolution"}},
      {"demo:pet", {"PET hot rods", "list mode, 200 000 events with time of flight: OSEM"}}};
  const auto found = known.find(name);
  return found != known.end() ? found->second : Example{name, "simulated"};
}

/// A large button with a title and a line under it.
bool card(Frame& frame, const std::string& name, const std::string& about, ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, 6 * frame.unit);
  const bool pressed = ImGui::Button(("##" + name).c_str(), size);
  ImGui::PopStyleVar();
  name_item(name);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float pad = 0.9f * ImGui::GetFontSize();
  list.AddText({at.x + pad, at.y + 0.8f * pad}, ImGui::GetColorU32(ImGuiCol_Text), name.c_str());
  list.AddText(small_font(), small_font()->FontSize, {at.x + pad, at.y + 0.8f * pad + 1.35f * ImGui::GetFontSize()},
               palette().faint, about.c_str(), nullptr, size.x - 2 * pad);
  return pressed;
}

void recent_files(Frame& frame) {
  int number = 0;
  for (const std::string& path : frame.model.recent()) {
    if (++number > 8) break;
    const std::filesystem::path p(path);
    if (ImGui::Selectable((p.filename().string() + "##" + path).c_str())) frame.act("recent", {std::to_string(number)});
    tooltip(path);
  }
  if (number == 0) quiet_text("Nothing has been opened yet.");
}

}  // namespace

void start_screen(Frame& frame) {
  const float em = ImGui::GetFontSize(), all = ImGui::GetContentRegionAvail().x;
  const float width = std::min(all - 2 * em, 62 * em);
  ImGui::SetCursorPos({0.5f * (all - width), std::max(2 * em, 0.14f * ImGui::GetContentRegionAvail().y)});
  ImGui::BeginGroup();
  ImGui::PushFont(bold_font());
  ImGui::TextUnformatted("Backlit");
  ImGui::PopFont();
  ImGui::TextDisabled("Drop a scan, a list or a volume on the window, open one, or begin with an example.");
  ImGui::Dummy({1, em});
  if (card(frame, "Open …",
           "a scan (.scan.toml, HDF5), a PET list (.cdh, Siemens, SAFIR), a volume (.mha .nrrd .nii .tif .h5 .npy), a "
           "session",
           {width, 3.6f * em}))
    frame.act("open");
  ImGui::Dummy({1, em});
  ImGui::TextUnformatted("Examples");
  ImGui::SameLine();
  ImGui::TextDisabled("simulated on the spot, reconstructed while you look");
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const int columns = 5;
  const ImVec2 size{(width - (columns - 1) * gap) / columns, 6.2f * em};
  int i = 0;
  for (const std::string& name : demo_names()) {
    if (i++ % columns != 0) ImGui::SameLine();
    const Example example = about(name);
    if (card(frame, example.title, example.about, size)) frame.act("open", {name});
  }
  ImGui::Dummy({1, em});
  ImGui::TextUnformatted("Recent files");
  ImGui::PushItemWidth(width);
  recent_files(frame);
  ImGui::PopItemWidth();
  ImGui::EndGroup();
}

}  // namespace backlit::viewer
