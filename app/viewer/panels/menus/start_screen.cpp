#include <algorithm>
#include <cfloat>
#include <filesystem>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "model/sources/source.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/fonts.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

struct Example {
  std::string title, about;
};

/// Title and description of an example; unknown examples show their own name.
Example about(const std::string& name) {
  static const std::map<std::string, Example> known{
      {"demo:head", {"FORBILD head", "cone beam, 120 views: bones and faint soft tissue"}},
      {"demo:spheres", {"Spheres", "cone beam, 60 views of 64 × 64: the quickest to reconstruct"}},
      {"demo:shepp-logan", {"Shepp-Logan", "cone beam, 90 views: the classic, in 3-D"}},
      {"demo:bar", {"Bar pattern", "cone beam, 200 views: line pairs, 1 to 21 per cm"}},
      {"demo:pet", {"PET hot rods", "list mode, 200 000 events with time of flight: OSEM"}}};
  const auto found = known.find(name);
  return found != known.end() ? found->second : Example{name, "simulated"};
}

/// The text in lines of at most `width`, broken at blanks alone: ImGui would break ".cdh" after its point.
std::string in_lines(const std::string& text, float width) {
  const auto wide = [&](const std::string& line) {
    return small_font()->CalcTextSizeA(small_font()->FontSize, FLT_MAX, 0, line.c_str()).x > width;
  };
  std::istringstream words(text);
  std::string lines, line;
  for (std::string word; words >> word;) {
    std::string longer = line;
    if (!line.empty()) longer += ' ';
    longer += word;
    if (!line.empty() && wide(longer)) {
      lines.append(line).append("\n");
      line = word;
    } else {
      line = longer;
    }
  }
  return lines + line;
}

float padding() { return 0.9f * ImGui::GetFontSize(); }

/// Height of a card whose text is `width` wide.
float card_height(const std::string& about, float width) {
  const std::string lines = in_lines(about, width - 2 * padding());
  const ImVec2 text = small_font()->CalcTextSizeA(small_font()->FontSize, FLT_MAX, 0, lines.c_str());
  return 1.6f * padding() + 1.35f * ImGui::GetFontSize() + text.y;
}

/// A large button with a title and one or more lines below it.
bool card(Frame& frame, const std::string& name, const std::string& about, ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, 6 * frame.unit);
  const bool pressed = ImGui::Button(("##" + name).c_str(), size);
  ImGui::PopStyleVar();
  name_item(name);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float pad = padding();
  list.AddText({at.x + pad, at.y + 0.8f * pad}, ImGui::GetColorU32(ImGuiCol_Text), name.c_str());
  list.AddText(small_font(), small_font()->FontSize, {at.x + pad, at.y + 0.8f * pad + 1.35f * ImGui::GetFontSize()},
               palette().faint, in_lines(about, size.x - 2 * pad).c_str());
  return pressed;
}

/// All examples, in rows of cards of equal height that are wide enough to read.
void examples(Frame& frame, float width) {
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemSpacing.x;
  const auto& names = demo_names();
  const int most = std::max(1, static_cast<int>((width + gap) / (11 * em + gap))), all = static_cast<int>(names.size());
  const int rows = (all + most - 1) / most, columns = (all + rows - 1) / rows;
  ImVec2 size{(width - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns), 0};
  for (const std::string& name : names) size.y = std::max(size.y, card_height(about(name).about, size.x));
  for (int i = 0; i < all; ++i) {
    if (i % columns != 0) ImGui::SameLine();
    const std::string& name = names[static_cast<std::size_t>(i)];
    const Example example = about(name);
    if (card(frame, example.title, example.about, size)) frame.act("open", {name});
  }
}

void recent_files(Frame& frame) {
  int number = 0;
  for (const std::string& path : frame.model.recent()) {
    if (++number > 8) break;
    const std::filesystem::path p(path);
    if (ImGui::Selectable((p.filename().string() + "##" + path).c_str())) frame.act("recent", {std::to_string(number)});
    name_item("recent " + std::to_string(number));
    tooltip(path);
    ImGui::SameLine();  // file names alone may be equal
    ImGui::TextDisabled("%s", p.parent_path().string().c_str());
  }
  if (number == 0) quiet_text("Nothing has been opened yet.");
}

/// Kinds of files, with `most` endings of each.
std::string what_opens(std::size_t most) {
  const auto endings = [&](std::vector<std::string> all) {
    const bool more = all.size() > most;
    all.resize(std::min(most, all.size()));
    return fmt::format("{}{}", fmt::join(all, " "), more ? " ..." : "");
  };
  return fmt::format("a scan ({}), a PET list-mode file ({}), a volume ({}), a session",
                     endings(usual_extensions(scan_formats())), endings(usual_extensions(list_formats())),
                     endings(usual_extensions(volume_formats())));
}

}  // namespace

void start_screen(Frame& frame) {
  const ImVec2 all = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize(), width = std::min(all.x - em, 62 * em);
  const ImVec2 corner = ImGui::GetCursorPos();
  ImGui::SetCursorPos({corner.x + 0.5f * (all.x - width), std::max(em, 0.14f * all.y - 2 * em)});
  ImGui::BeginGroup();
  ImGui::PushFont(bold_font());
  ImGui::TextUnformatted("Backlit");
  ImGui::PopFont();
  ImGui::TextDisabled(
      "Drop a scan, a PET list-mode file or a volume on the window, open one, or begin with an example.");
  ImGui::Dummy({1, 0.6f * em});
  constexpr std::size_t some = 5, all_of_them = 1000;
  if (card(frame, "Open ...", what_opens(some), {width, card_height(what_opens(some), width)})) frame.act("open");
  tooltip(what_opens(all_of_them));
  ImGui::Dummy({1, 0.6f * em});
  ImGui::TextUnformatted("Examples");
  ImGui::SameLine();
  ImGui::TextDisabled("simulated on the spot, reconstructed while you look");
  examples(frame, width);
  ImGui::Dummy({1, 0.6f * em});
  ImGui::TextUnformatted("Recent files");
  ImGui::PushItemWidth(width);
  recent_files(frame);
  ImGui::PopItemWidth();
  ImGui::EndGroup();
}

}  // namespace backlit::viewer
