#include <fmt/format.h>

#include "study/report/format.hpp"
#include "study/report/study_tables.hpp"
#include "study/report/summary.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

using namespace report;

constexpr const char* about_speeds =
    "The fastest configuration of each architecture: the median of its repeats, and how far another study of this "
    "machine may be from it (95 %).";

void add_section(std::string& out, const std::string& title, const Table& table, const std::string& text = {}) {
  if (table.rows.empty()) return;
  out += "\n## " + title + "\n\n" + text + (text.empty() ? "" : "\n\n") + to_markdown(table);
}

}  // namespace

std::string study_markdown(const StudyResult& r) {
  std::string out =
      fmt::format("# Architecture study\n\nBacklit {}, {}, {}. {}\n", r.version, r.date, r.extent, tally(r));
  if (const std::string warning = exceeded_limits(r); !warning.empty()) out += "\n**" + warning + "**\n";
  out +=
      "\nAll configurations: [study.csv](study.csv). Charts and all tables: [study.html](study.html). `study.json` has "
      "every repeat.\n";
  const std::vector<Answer> answers = summary(r);
  if (!answers.empty()) out += "\n## What does the graphics pipeline gain?\n";
  for (const Answer& answer : answers) {
    out += "\n" + answer.title + ":\n\n";
    for (const std::string& sentence : answer.sentences) out += "- " + sentence + "\n";
  }
  add_section(out, "Which architecture is fastest?", overview_table(r), about_speeds);
  add_section(out, "What is the most that each pipeline does?", limit_table(r),
              "The fastest repeat of the smallest programs that do one thing.");
  add_section(out, "What failed?", failure_table(r));
  add_section(out, "Machine", environment_table(r));
  return out;
}

}  // namespace backlit
