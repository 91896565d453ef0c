#include <fmt/format.h>

#include <algorithm>

#include "study/report/figures/figures.hpp"
#include "study/report/format.hpp"
#include "study/report/page_style.hpp"
#include "study/report/study_tables.hpp"
#include "study/report/summary.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

using namespace report;

std::string figures(const std::string& all) { return "<div class=\"figures\">\n" + all + "</div>\n"; }

/// Sections in order; empty ones are left out, also of the table of contents.
class Page {
 public:
  explicit Page(const StudyResult& result) : result_(result) {}

  void section(const std::string& id, const std::string& title, const std::string& text, const std::string& content) {
    if (content.empty()) return;
    contents_ += fmt::format("<a href=\"#{}\">{}</a>\n", id, escaped(title));
    body_ +=
        fmt::format("<section id=\"{}\"><h2>{}</h2>\n<p>{}</p>\n{}</section>\n", id, escaped(title), text, content);
  }

  std::string finish() const {
    const StudyResult& r = result_;
    const std::string warning = exceeded_limits(r);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<title>Architecture study, {0}</title>\n<style>{1}</style></head>\n<body>\n<header><h1>Architecture "
        "study</h1>\n"
        "<p class=\"lead\">Backlit {2}, {0}, extent {3}. {4}</p>\n{8}<nav>\n{5}</nav></header>\n<main>\n{6}</main>\n"
        "<script>{7}</script>\n</body></html>\n",
        escaped(r.date), page_style, escaped(r.version), escaped(r.extent), escaped(tally(r)), contents_, body_,
        page_script, warning.empty() ? "" : "<p class=\"warning\">" + escaped(warning) + "</p>\n");
  }

 private:
  const StudyResult& result_;
  std::string contents_, body_;
};

std::string speed_section(const StudyResult& r, const Palette& palette) {
  std::string all;
  for (const Contest& c : main_contests(r)) all += speed_figure(c, palette);
  const Table table = overview_table(r);
  return (all.empty() ? "" : figures(all)) + (table.rows.empty() ? "" : to_html(table));
}

template <typename Draw>
std::string of_contests(const StudyResult& r, Draw draw) {
  std::string all;
  for (const Contest& c : main_contests(r)) all += draw(c);
  return all.empty() ? "" : figures(all);
}

std::string change_section(const StudyResult& r, const Palette& palette) {
  const std::string all = of_contests(r, [&](const Contest& c) { return change_figure(c, palette); });
  std::string tables;
  for (const Contest& c : main_contests(r)) {
    const Table table = change_table(c);
    if (table.rows.empty()) continue;
    tables += fmt::format("<details><summary>Table: {}, {}</summary>\n{}</details>\n", escaped(spoken(c.operation)),
                          escaped(c.workload), to_html(table));
  }
  return all + tables;
}

std::string trend_section(const StudyResult& r, const Palette& palette) {
  std::string all;
  for (const Trend& t : trends(r)) all += trend_figure(t, palette);
  return all.empty() ? "" : figures(all);
}

std::string profile_section(const StudyResult& r, const Palette& palette) {
  std::vector<std::string> titles;
  for (const StudyProfile& p : r.profiles)
    if (std::ranges::find(titles, p.title) == titles.end()) titles.push_back(p.title);
  std::string all;
  for (const std::string& title : titles) {
    std::vector<const StudyProfile*> same;
    for (const StudyProfile& p : r.profiles)
      if (p.title == title) same.push_back(&p);
    std::ranges::stable_sort(same, {}, [](const StudyProfile* p) { return rank_of(p->architecture); });
    all += profile_figures(same, palette);
  }
  return all.empty() ? "" : figures(all);
}

std::string cell_section(const StudyResult& r) {
  std::string all;
  for (const std::string& operation : operations(r)) {
    Cells cells;
    for (const StudyCell& cell : r.cells)
      if (cell.operation == operation) cells.push_back(&cell);
    all += fmt::format("<h3>{}</h3>\n{}", escaped(spoken(operation)), to_html(cell_table(cells)));
  }
  return all;
}

std::string table_section(const Table& table) { return table.rows.empty() ? "" : to_html(table); }

std::string answer_section(const StudyResult& r) {
  std::string all;
  for (const Answer& answer : summary(r)) {
    all += "<h3>" + escaped(answer.title) + "</h3>\n<ul class=\"answer\">\n";
    for (const std::string& sentence : answer.sentences) all += "<li>" + escaped(sentence) + "</li>\n";
    all += "</ul>\n";
  }
  return all;
}

}  // namespace

std::string study_html(const StudyResult& r) {
  const Palette palette(r);
  Page page(r);
  page.section(
      "answer", "What does the graphics pipeline gain?",
      "From the numbers below: fragment shaders that do all (MP-GPU), vertex shader, rasteriser and blending at "
      "work (AG-GPU), with early kill (AG-GPU+), against compute shaders, CUDA and the CPU.",
      answer_section(r));
  page.section(
      "speed", "Speed by architecture",
      "The fastest configuration of each architecture whose result is right: median of all repeats, and how far "
      "another study of this machine may be from it (95&#160;%). Pale bars and hollow marks are noisy: their repeats "
      "spread by more than 5&#160;%.",
      speed_section(r, palette));
  page.section("ratios", "Architectures against each other",
               "The fastest of one against the fastest of the other, and all pairs of configurations whose options are "
               "equal: the first says what an architecture can reach, the second what it alone changes.",
               table_section(duel_table(r)));
  page.section("limits", "Share of the limit",
               "Rate against work done for each fetch, byte or operation, with the limits measured beside it as roofs. "
               "A mark on its roof cannot go faster; one below it waits for something else.",
               of_contests(r, [&](const Contest& c) { return limit_figures(c, r, palette); }));
  page.section("error", "Speed against error",
               "Error of every configuration against double precision. The dotted line joins those that none beats in "
               "both.",
               of_contests(r, [&](const Contest& c) { return error_figure(c, palette); }));
  page.section(
      "options", "Each option alone",
      "One option at a time is changed from the fastest configuration of an architecture, and from the one of which "
      "most such changes were measured.",
      change_section(r, palette));
  page.section("scaling", "Scaling", "Speed over one number while all else stays as it is.", trend_section(r, palette));
  page.section("profiles", "Profiles", "Values along a line through the reconstructed image.",
               profile_section(r, palette));
  page.section("ceilings", "Measured limits", about_ceilings, table_section(ceiling_table(r)));
  page.section("cells", "All configurations",
               "Failed ones have no speed: their error is out of bounds, or they did not run. Share is of the nearest "
               "measured limit. A click on a column’s head sorts.",
               cell_section(r));
  page.section("machine", "Machine", "What the study ran on.", table_section(environment_table(r)));
  return page.finish();
}

}  // namespace backlit
