#include <algorithm>

#include "model/sources/correction_preview.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

/// Corrections that users look for together.
struct Group {
  std::string_view title;
  std::vector<std::string_view> corrections;  ///< names
};
const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"Rings", {"stripes", "dead_stripes", "large_stripes"}},
      {"Detector and beam", {"defects", "zingers", "flat_components", "air_columns", "truncation"}},
      {"Beam hardening, scatter, metal", {"flatten", "hardening", "water_spectrum", "scatter_share", "metal"}},
      {"Phase contrast", {"phase_ratio"}}};
  return all;
}

/// The preview follows to where the correction shows.
void show_in_preview(Frame& frame, const Correction& c) {
  std::string& strip = frame.next.layout.strip;
  const std::string name(c.name);
  if (strip == "sinogram" && !shows_in(PreviewPart::sinogram, name) && shows_in(PreviewPart::view, name))
    strip = "view";
  else if (strip == "view" && !shows_in(PreviewPart::view, name) && shows_in(PreviewPart::sinogram, name))
    strip = "sinogram";
  else
    return;
  if (frame.edit().empty()) frame.edited("strip");
}

/// What is shown below the views.
void choose_preview(Frame& frame) {
  std::string& strip = frame.next.layout.strip;
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  const auto button = [&](const char* label, const char* part, const char* help, float width) {
    if (!toggle_button(label, strip == part, help, {width, 0})) return;
    strip = strip == part ? "off" : part;
    frame.edited("strip");
  };
  button("On the sinogram", "sinogram",
         "Below the views: one detector row of all views before and after the corrections, at once as you turn them. "
         "Rings are its vertical lines.",
         half);
  ImGui::SameLine();
  button("On a view", "view",
         "Below the views: one projection before and after the corrections; the wheel over it goes to the next", -1);
}

/// A correction's first parameter turns it on; the others appear then.
void correction_rows(Frame& frame, const Parameters& list, const Correction& c) {
  const bool wanted = c.wanted(frame.next.recon.corrections);
  for (const std::string_view name : c.parameters) {
    const bool first = name == c.parameters.front();
    if (!first && !wanted) continue;
    const std::string before = frame.edit();
    const std::size_t acts = frame.actions().size();
    if (name == "water_spectrum")
      path_row(frame, of(list, std::string(name)), {"file", {std::string(name)}});
    else
      edit_row(frame, of(list, std::string(name)), 1, nullptr, first ? Zero{"off"} : Zero{});
    if (frame.edit() != before || frame.actions().size() != acts) show_in_preview(frame, c);
  }
}

bool in_a_group(const Correction& c) {
  return std::ranges::any_of(groups(), [&](const Group& g) { return std::ranges::count(g.corrections, c.name) > 0; });
}

/// What is done to the finished volume. Its last line stays while a run begins and ends: the widgets below do not move.
void denoise_row(Frame& frame) {
  for (const StateSection& s : describe(frame.next))
    if (s.name == "display") edit_row(frame, of(s.parameters, "denoise"), 0.02);
  const double wanted = frame.next.display.denoise, now = frame.status.denoised;
  if (wanted == 0 && now == 0) return;
  quiet_text(wanted == now          ? "The volume is smoothed."
             : frame.status.running ? "Waits for the finished volume."
             : frame.model.idle()   ? "Not smoothed."
                                    : "Smoothing ...");
}

}  // namespace

void corrections_panel(Frame& frame) {
  if (!frame.status.source) return;
  if (!section("Corrections", true)) return;
  if (!frame.status.source->has_views) {
    before_and_after(frame, "Corrections");
    return denoise_row(frame);
  }
  choose_preview(frame);
  before_and_after(frame, "Corrections");
  const Parameters list = describe(frame.next.recon.corrections);
  for (const Group& group : groups()) {
    quiet_text(std::string(group.title));
    for (const std::string_view name : group.corrections)
      if (const auto c = std::ranges::find(corrections(), name, &Correction::name); c != corrections().end())
        correction_rows(frame, list, *c);
  }
  for (const Correction& c : corrections())
    if (!in_a_group(c)) correction_rows(frame, list, c);
  quiet_text("Noise of the volume");
  denoise_row(frame);
  if (std::int64_t& width = frame.next.recon.corrections.stripes; width > 0) width |= 1;  // the width must be odd
  const std::string& strip = frame.next.layout.strip;
  const auto& made = frame.status.correction_preview;
  if ((strip == "sinogram" || strip == "view") && made && !made->left_out.empty())
    quiet_text("Not shown below the views, only in the volume: " + made->left_out + ".");
  if (!frame.status.report) return;
  for (const std::string& done : frame.status.report->corrections) quiet_text("Done: " + done);
}

}  // namespace backlit::viewer
