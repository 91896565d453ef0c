#include <fmt/format.h>

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "model/sources/raw_import.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/fonts.hpp"
#include "window/synthetic_input.hpp"

namespace backlit::viewer {

namespace {

/// Where a file does not give the size of its pixels or voxels, it can be typed.
void pixel_row(Frame& frame) {
  row("pixel size", "The file does not give it: lengths are in pixels until it is typed here, in mm. 0: unknown");
  double mm = frame.next.pixel;
  constexpr auto flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
  if (ImGui::InputDouble("##pixel", &mm, 0, 0, mm > 0 ? "%.6g mm" : "unknown", flags))
    frame.act("pixel", {fmt::format("{}", mm)});
  name_item("pixel size");
}

/// One image of several, opened alone: the import asks what all of them are.
void import_row(Frame& frame, const std::string& path) {
  static std::string asked, stack;  // looks into the folder once a file
  if (std::exchange(asked, path) != path) stack = is_tiff(path) ? stack_of(path) : path;
  if (stack == path) return;
  quiet_text("This is one image of several whose names differ in a number.");
  if (ImGui::Button("Import all images ...")) frame.act("import", {path});
  name_item("Import all images ...");
  tooltip("Slices of a volume, or projections of a scan: a dialog asks");
}

/// Corrections that are on: "ring removal 31, defective pixels 10".
std::string names_of(CorrectionOptions options) {
  CorrectionOptions off;
  const Parameters list = describe(options), usual = describe(off);
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].text() != usual[i].text())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", spoken(list[i].name), list[i].text());
  return text;
}

/// What was found wrong with the views of a raw scan, and whether it is corrected now. One line before and after it is
/// looked for: the widgets below do not move.
void faults_row(Frame& frame) {
  const auto& faults = frame.status.faults;
  if (!faults && !frame.status.faults_awaited) return;
  const bool some = faults && !(faults->options == CorrectionOptions{}),
             corrected = some && frame.next.recon.corrections == faults->options;
  const std::string text = !faults ? "not yet looked for" : !some ? "none found" : names_of(faults->options);
  std::string help = !some ? "" : corrected ? "Corrected: " + text + "." : "Not corrected: " + text + ".";
  if (faults)
    for (const std::string& reason : faults->reasons) help += (help.empty() ? "" : "\n") + sentence(reason);
  row("faults", help);
  note_text("faults", text);
  const char* const label = corrected ? "Undo" : "Correct";
  const float width = some ? ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x : 0,
              gap = some ? ImGui::GetStyle().ItemSpacing.x : 0, left = ImGui::GetContentRegionAvail().x - width - gap;
  const float end = ImGui::GetCursorPosX() + left + gap;
  ImGui::TextUnformatted(elided(text, left).c_str());
  tooltip(help);
  if (!some) return;
  ImGui::SameLine(end);
  if (ImGui::Button(label)) {
    frame.next.recon.corrections = corrected ? CorrectionOptions{} : faults->options;
    frame.edited("correct faults");
  }
  name_item(corrected ? "Undo corrections" : "Correct faults");
}

}  // namespace

void source_panel(Frame& frame) {
  if (!section("Data")) return;
  if (!frame.next.watch.empty()) {
    fact("watched", frame.next.watch);
    name_item("watched");
    tooltip("File > Watch stops it");
  }
  const auto& source = frame.status.source;
  if (!source) return quiet_text(frame.status.opening ? "Opening ..." : "Nothing is open.");
  const std::string name = source->path.starts_with("demo:") ? "example: " + source->path.substr(5)
                                                             : std::filesystem::path(source->path).filename().string();
  fact("file", name);
  tooltip(source->path);
  const bool far_letters =
      std::ranges::any_of(name, [](unsigned char c) { return c >= 0xe0; });  // beyond Greek, Cyrillic
  if (far_letters && !missing_letters().empty()) {
    quiet_text(missing_letters());
    note_text("missing letters", missing_letters());
  }
  const Scan& scan = source->scan;
  if (!scan.views.empty()) {
    fact("views", fmt::format("{} of {} × {}", scan.view_count(), scan.detector.columns, scan.detector.rows));
    fact("beam", fmt::format("{}, {} detector", scan.beam() == Beam::cone ? "cone" : "parallel",
                             scan.detector.shape == Detector::Shape::flat ? "flat" : "curved"));
    if (source->pixel_size_in_file)
      fact("pixel", fmt::format("{:.4g} × {:.4g} mm", scan.detector.pixel_u, scan.detector.pixel_v));
  }
  if (!source->pixel_size_in_file) pixel_row(frame);
  if (source->kind == SourceInfo::Kind::volume) import_row(frame, source->path);
  if (const auto& list = source->list) {
    fact("events", fmt::format("{} in {:.4g} s", grouped(list->summary.counts.prompts), list->summary.seconds));
    fact("scanner", fmt::format("{}, {} crystals", list->scanner, grouped(list->crystals)));
  }
  const VolumeGrid grid = frame.grid();
  fact("volume", fmt::format("{} × {} × {}", grid.size[0], grid.size[1], grid.size[2]));
  const Vec3& s = grid.spacing;
  fact("voxel", s.x == s.y && s.y == s.z
                    ? fmt::format("{:.4g} {}", s.x, frame.length_unit())
                    : fmt::format("{:.4g} × {:.4g} × {:.4g} {}", s.x, s.y, s.z, frame.length_unit()));
  if (const SessionReport* const report = frame.status.report.get()) {
    fact("axis", fmt::format("column {:.2f}", report->center_px));
    tooltip(report->center_from);
    if (const std::string repairs = repairs_text(*report); !repairs.empty()) {
      fact("repaired", repairs);
      tooltip(repairs);
    }
    for (const std::string& warning : report->warnings) quiet_text(sentence(warning));
  }
  for (const std::string& note : source->notes)
    if (!frame.status.report || std::ranges::count(frame.status.report->warnings, note) == 0)
      quiet_text(sentence(note));
  if (!frame.status.center_note.empty()) {
    quiet_text(frame.status.center_note);
    note_text("centre found", frame.status.center_note);
    if (ImGui::Button("Undo centre")) frame.act("set", {"center_shift", fmt::format("{}", frame.status.center_before)});
    name_item("Undo centre");
  }
  faults_row(frame);
}

}  // namespace backlit::viewer
