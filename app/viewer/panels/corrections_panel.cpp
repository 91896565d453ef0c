#include <algorithm>

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
      {"Detector and beam", {"defects", "zingers", "flat_components"}},
      {"Beam hardening, scatter, metal", {"flatten", "hardening", "water_spectrum", "scatter_share", "metal"}},
      {"Phase contrast", {"phase_ratio"}}};
  return all;
}

/// A correction's first parameter turns it on; the others appear then.
void correction_rows(Frame& frame, const Parameters& list, const Correction& c) {
  const bool wanted = c.wanted(frame.next.recon.corrections);
  for (const std::string_view name : c.parameters) {
    const bool first = name == c.parameters.front();
    if (first || wanted) edit_row(frame, of(list, std::string(name)), 1, nullptr, first ? Zero{"off"} : Zero{});
  }
}

bool in_a_group(const Correction& c) {
  return std::ranges::any_of(groups(), [&](const Group& g) { return std::ranges::count(g.corrections, c.name) > 0; });
}

}  // namespace

void corrections_panel(Frame& frame) {
  if (!frame.status.source || !frame.status.source->has_views) return;
  if (!section("Corrections", true)) return;
  const Parameters list = describe(frame.next.recon.corrections);
  for (const Group& group : groups()) {
    quiet_text(std::string(group.title));
    for (const std::string_view name : group.corrections)
      for (const Correction& c : corrections())
        if (c.name == name) correction_rows(frame, list, c);
  }
  for (const Correction& c : corrections())
    if (!in_a_group(c)) correction_rows(frame, list, c);
  if (std::int64_t& width = frame.next.recon.corrections.stripes; width > 0) width |= 1;  // the width must be odd
  if (!frame.status.report) return;
  for (const std::string& done : frame.status.report->corrections) quiet_text("Done: " + done);
}

}  // namespace backlit::viewer
