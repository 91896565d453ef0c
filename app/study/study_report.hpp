// Files of a study's result: JSON and CSV for programs, Markdown and one self-contained HTML page for people.
#pragma once

#include <string>

#include "study/study_result.hpp"

namespace backlit {

/// Limit of the median's spread: cells above it are noisy.
inline constexpr double accepted_spread = 0.05;

/// Computes median, repeat_spread, spread (equal so far), noisy and rate from seconds and work. The median of an even
/// number is the mean of the middle two. The spread comes from order statistics (the binomial interval of the median),
/// so that one outlier neither widens it nor is dropped. Cells with a spread above `accept` are noisy; their note
/// describes the repeats.
void summarise(StudyCell&, double accept = accepted_spread);

/// Sets pass_spreads: the difference of a cell's medians in two passes, for 95 % of the cells of one kind of pipeline.
/// The yardstick's scatter replaces it if that is more. Raises the spread of cells to at least this value, because two
/// studies of the same machine differ as much as two passes. Without a second pass there is no such value.
void widen_by_passes(StudyResult&);

/// Writes every field, including the repeats.
std::string study_json(const StudyResult&);
/// Throws InputError naming the file and the field if the file is not from study_json().
StudyResult load_study(const std::string& file);

/// A short page: conclusions, the fastest of each architecture, limits, failures and the machine.
std::string study_markdown(const StudyResult&);
/// A line for each cell, then one for each limit (operation "limit").
std::string study_csv(const StudyResult&);
/// One page without external parts. SVG plots: share of the roofline, speed against RMSE, bars by architecture, effect
/// of each single option on the best, scaling with size, views and views per pass. Sortable tables mark failed and
/// noisy cells. Readable in light and dark mode.
std::string study_html(const StudyResult&);

/// Compares cells of both by key, as Markdown: ratio of rates with its spread, and the cells that differ by more than
/// their spreads. Also cells of only one study, and differences of the environment. On one machine, the difference of
/// its yardsticks counts as spread.
std::string study_difference(const StudyResult& a, const StudyResult& b);

}  // namespace backlit
