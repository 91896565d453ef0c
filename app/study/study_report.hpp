// A study's result as files: JSON for programs, Markdown and one self-contained HTML page for people.
#pragma once

#include <string>

#include "study/study_result.hpp"

namespace backlit {

/// Of the median: cells with more are noisy.
inline constexpr double accepted_spread = 0.05;

/// Fills median, repeat_spread, spread (equal so far), noisy and rate from seconds and work. The median of an even
/// number is the mean of the middle two; the spread comes from order statistics (the binomial interval of the median),
/// so that one outlier does not widen it and is not dropped either. Cells whose spread is above `accept` are noisy;
/// their note says how their repeats are.
void summarise(StudyCell&, double accept = accepted_spread);

/// Fills pass_spreads: how far medians of one cell in two passes are apart (95 % of those through one kind of
/// pipeline), or the yardstick's samples where that is more, and lets no cell's spread be less: what passes differ by,
/// two studies of the same machine differ by too. Without a second pass nothing is known of that.
void widen_by_passes(StudyResult&);

/// Every field, also the repeats.
std::string study_json(const StudyResult&);
/// Throws InputError naming the file and the field where it is not what study_json() writes.
StudyResult load_study(const std::string& file);

std::string study_markdown(const StudyResult&);
/// One page without outside parts: SVG plots (share of the roofline, speed against RMSE, bars by architecture, effect
/// of each option alone from the best, scaling with size, views and views per pass), tables that sort, failed and noisy
/// cells marked. Readable in light and dark.
std::string study_html(const StudyResult&);

/// Cells of both by key: ratio of rates with its spread, and which differ by more than their spreads; what only one
/// has; differences of environment. On one machine, what its yardsticks differ by counts as spread. As Markdown.
std::string study_difference(const StudyResult& a, const StudyResult& b);

}  // namespace backlit
