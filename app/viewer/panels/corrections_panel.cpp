#include <algorithm>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

/// Corrections as users name them, each with the first of its parameters, which turns it on. The others appear then.
struct Group {
  std::string_view title;
  std::vector<std::string_view> corrections;
};
const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"Rings", {"stripes", "dead_stripes", "large_stripes"}},
      {"Detector and beam", {"defects", "zingers", "flat_components"}},
      {"Beam hardening, scatter, metal", {"flatten", "hardening", "water_spectrum", "scatter_share", "metal"}},
      {"Phase contrast", {"phase_ratio"}}};
  return all;
}

void correction_rows(Frame& frame, const Parameters& list, const Correction& c) {
  const bool wanted = c.wanted(frame.next.recon.corrections);
  for (const std::string_view name : c.parameters) {
    const bool switch_ = name == c.parameters.front();
    if (!switch_ && !wanted) continue;
    edit_row(frame, of(list, std::string(name)), 1, nullptr, switch_ ? Zero{"off"} : Zero{});
  }
}

}  // namespace

void corrections_panel(Frame& frame) {
  if (!frame.status.source || !frame.status.source->has_views) return;
  if (!section("Corrections", true)) return;
  const Parameters list = describe(frame.next.recon.corrections);
  for (const Group& group : groups()) {
    quiet_text(std::string(group.title));
    for (const std::string_view name : group.corrections) {
      const auto found = std::ranges::find_if(
          corrections(), [&](const Correction& c) { return !c.parameters.empty() && c.parameters.front() == name; });
      if (found != corrections().end()) correction_rows(frame, list, *found);
    }
  }
  if (std::int64_t& width = frame.next.recon.corrections.stripes; width > 0) width |= 1;  // the width must be odd
  if (!frame.status.report) return;
  for (const std::string& done : frame.status.report->corrections) quiet_text("Done: " + done);
}

}  // namespace backlit::viewer
