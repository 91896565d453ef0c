#include <fmt/format.h>

#include "study/report/format.hpp"
#include "study/report/study_tables.hpp"
#include "study/report/summary.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

using namespace report;

void add_section(std::string& out, const std::string& title, const Table& table, const std::string& text = {}) {
  if (table.rows.empty()) return;
  out += "\n## " + title + "\n\n" + text + (text.empty() ? "" : "\n\n") + to_markdown(table);
}

Cells cells_of(const StudyResult& r, const std::string& operation) {
  Cells cells;
  for (const StudyCell& cell : r.cells)
    if (cell.operation == operation) cells.push_back(&cell);
  return cells;
}

}  // namespace

std::string study_markdown(const StudyResult& r) {
  std::string out =
      fmt::format("# Architecture study\n\nBacklit {}, {}, {}. {}\n", r.version, r.date, r.extent, tally(r));
  if (const std::string warning = exceeded_limits(r); !warning.empty()) out += "\n**" + warning + "**\n";
  const std::vector<Answer> answers = summary(r);
  if (!answers.empty()) out += "\n## What the graphics pipeline buys, and when\n";
  for (const Answer& answer : answers) {
    out += "\n" + answer.title + ":\n\n";
    for (const std::string& sentence : answer.sentences) out += "- " + sentence + "\n";
  }
  add_section(out, "Machine", environment_table(r));
  add_section(out, "Fastest of each architecture", overview_table(r),
              "Median of all repeats, and how far another study of this machine may be from it (95 %).");
  add_section(out, "Architectures against each other", duel_table(r),
              "Best against best, and all pairs whose options are equal.");
  for (const Contest& contest : main_contests(r))
    add_section(out, fmt::format("Each option alone: {}, {}", spoken(contest.operation), contest.workload),
                change_table(contest),
                "One option changed from each architecture's fastest configuration, and from the one with most such "
                "neighbours.");
  add_section(out, "Measured limits", ceiling_table(r), about_ceilings);
  for (const std::string& operation : operations(r))
    add_section(out, "All of " + spoken(operation), cell_table(cells_of(r, operation), Detail::brief));
  return out;
}

}  // namespace backlit
