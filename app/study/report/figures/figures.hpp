// Figures of a study's report: each is a <figure> of HTML, empty if there is nothing to draw.
#pragma once

#include <string>

#include "study/report/figures/plot.hpp"
#include "study/report/selection.hpp"

namespace backlit::report {

/// The fastest configuration of each architecture as bars from zero. If the fastest is more than 50 times the slowest,
/// as points on a logarithmic scale.
std::string speed_figure(const Contest&, const Palette&);

/// Rate against work per fetch, byte or operation (log-log), with the measured limits as roofs. One figure for each of
/// these counts that limits cells of the contest.
std::string limit_figures(const Contest&, const StudyResult&, const Palette&);

/// Rate against error, with a line through the cells that no other beats in both.
std::string error_figure(const Contest&, const Palette&);

/// The effect of each single option on the fastest configuration of each architecture.
std::string change_figure(const Contest&, const Palette&);

/// Rate against a number.
std::string trend_figure(const Trend&, const Palette&);

/// Curves through an image and, in a second figure, their differences from the first curve.
std::string profile_figures(const std::vector<const StudyProfile*>&, const Palette&);

/// `note` must be HTML.
std::string figure(const std::string& title, const std::string& svg, const std::string& note = {});

/// A legend entry for each architecture of the cells.
std::vector<LegendEntry> legend_of(const Cells&, const Palette&);
/// Tooltip of a cell's mark.
std::string tip_of(const StudyCell&);

}  // namespace backlit::report
