// The pictures of a study's report: each a <figure> of HTML, empty when there is nothing to draw.
#pragma once

#include <string>

#include "study/report/figures/plot.hpp"
#include "study/report/selection.hpp"

namespace backlit::report {

/// The fastest configuration of each architecture as bars from zero, or as points on a logarithmic scale where the
/// fastest is more than 50 times the slowest.
std::string speed_figure(const Contest&, const Palette&);

/// Rate against work per fetch, byte or operation (log-log), with the measured limits that bound it as roofs: one
/// figure for each of the three that cells of the contest are limited by.
std::string limit_figures(const Contest&, const StudyResult&, const Palette&);

/// Rate against error, with a line through those that nothing beats in both.
std::string error_figure(const Contest&, const Palette&);

/// What one option alone does to the fastest configuration of each architecture.
std::string change_figure(const Contest&, const Palette&);

/// Rate over a number.
std::string trend_figure(const Trend&, const Palette&);

/// Curves through an image and, in a second figure, their differences from the first of them.
std::string profile_figures(const std::vector<const StudyProfile*>&, const Palette&);

/// `note` is HTML already.
std::string figure(const std::string& title, const std::string& svg, const std::string& note = {});

/// An entry for each architecture of the cells.
std::vector<LegendEntry> legend_of(const Cells&, const Palette&);
/// What resting on a cell's mark shows.
std::string tip_of(const StudyCell&);

}  // namespace backlit::report
