// Tables of a study's report, for Markdown and HTML.
#pragma once

#include <string>
#include <vector>

#include "study/report/selection.hpp"
#include "study/report/table.hpp"

namespace backlit::report {

/// "51 configurations: 40 measured (3 of them noisy), 2 failed, 9 not offered."
std::string tally(const StudyResult&);

Table environment_table(const StudyResult&);
/// The fastest cell of every architecture in every contest.
Table overview_table(const StudyResult&);
/// AG-GPU/MP-GPU and the other pairs for each contest.
Table duel_table(const StudyResult&);
/// The effect of each option alone from the best configuration.
Table change_table(const Contest&);
/// Explanation of the rates and spreads of ceilings.
inline constexpr const char* about_ceilings =
    "What the device did at best in the smallest programs that do one thing. The rate is that of the fastest repeat. "
    "The "
    "spread is that of the median of all (? from 100 % on): a large one is due to other programs on the machine, not "
    "to "
    "the limit. Yardsticks are timed again before every group of configurations. Their rate is the median, their "
    "spread "
    "how the machine's speed changed over the study.";
Table ceiling_table(const StudyResult&);

/// The best of each limit through every pipeline, without yardsticks.
Table limit_table(const StudyResult&);
/// Failed cells and their reasons.
Table failure_table(const StudyResult&);
/// All cells of one operation, including failed and unsupported ones. Each option and each count has its own column.
Table cell_table(const Cells&);

/// Share of the nearest limit; empty without one. Marks a cell that exceeded its limit by more than its spread.
std::string share_text(const StudyCell&);

}  // namespace backlit::report
