#include "study/report/study_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/report/format.hpp"

namespace backlit::report {
namespace {

TableCell ratio_cell(const Ratio& ratio) { return {ratio_text(ratio), ratio.value}; }

std::string range_text(const std::vector<Ratio>& ratios) {
  const auto [least, most] = std::ranges::minmax_element(ratios, {}, &Ratio::value);
  return number(least->value) + " to " + number(most->value);
}

/// Reason why an architecture has no speed in a contest.
std::string why_none(const Contest& contest, const std::string& architecture) {
  std::string reason = "";
  for (const StudyCell* cell : contest.cells)
    if (cell->architecture == architecture && reason != "failed") reason = reason_of_none(cell->status);
  return reason;
}

void add_counts(const Cells& cells, Table& table, std::vector<std::string>& names) {
  for (const StudyCell* cell : cells)
    for (const auto& count : cell->counts)
      if (std::ranges::find(names, count.first) == names.end()) names.push_back(count.first);
  for (const std::string& name : names) table.columns.push_back({spoken(name), true});
}

void add_speed(const StudyCell& c, TableRow& row) {
  if (!has_speed(c)) {
    row.cells.insert(row.cells.end(), {{reason_of_none(c.status)}, {}, {}, {}, {}});
    return;
  }
  row.cells.push_back({number(c.rate), c.rate});
  row.cells.push_back({c.unit});
  row.cells.push_back({spread_text(c.spread), c.spread});
  row.cells.push_back({duration(c.median), c.median});
  row.cells.push_back({std::to_string(c.seconds.size()), static_cast<double>(c.seconds.size())});
}

void add_error(const StudyCell& c, TableRow& row) {
  row.cells.push_back(number_cell(c.rmse));
  if (c.rmse && !c.error_unit.empty()) row.cells.back().text += " " + c.error_unit;
}

/// Workloads in order; in each the fastest cells first, then those without a speed.
Cells fastest_first(const Cells& cells) {
  std::vector<std::string> workloads;
  for (const StudyCell* c : cells)
    if (std::ranges::find(workloads, c->workload) == workloads.end()) workloads.push_back(c->workload);
  Cells sorted = cells;
  std::ranges::stable_sort(sorted, [&](const StudyCell* a, const StudyCell* b) {
    const auto place = [&](const StudyCell* c) { return std::ranges::find(workloads, c->workload); };
    if (a->workload != b->workload) return place(a) < place(b);
    const double in_a = has_speed(*a) ? a->rate : 0, in_b = has_speed(*b) ? b->rate : 0;
    return in_a > in_b;
  });
  return sorted;
}

std::string remark_of(const StudyCell& c) {
  const std::string state = has_speed(c) ? mark_of(c) : reason_of_none(c.status);
  return state + (state.empty() || c.note.empty() ? "" : ": ") + c.note;
}

}  // namespace

std::string share_text(const StudyCell& c) {
  if (!c.share || !has_speed(c)) return "";
  if (*c.share > 1 + c.spread) return fmt::format("limit measured too low ({} of it)", number(*c.share));
  return percent(std::min(*c.share, 1.0));
}

std::string tally(const StudyResult& r) {
  std::size_t measured = 0, noisy = 0, failed = 0, unsupported = 0;
  for (const StudyCell& c : r.cells) {
    const std::string mark = mark_of(c);
    failed += mark == "failed";
    unsupported += mark == "unsupported";
    measured += c.status == StudyCell::Status::ok;
    noisy += mark == "noisy";
  }
  if (r.cells.empty()) return "No configuration was measured.";
  return fmt::format("{} configuration{}: {} measured ({} of them noisy), {} failed, {} not offered.", r.cells.size(),
                     r.cells.size() == 1 ? "" : "s", measured, noisy, failed, unsupported);
}

Table environment_table(const StudyResult& r) {
  Table table{{{"What"}, {"Value", false, true}}, {}};
  for (const auto& [name, value] : r.environment) table.rows.push_back({{{spoken(name)}, {value}}});
  return table;
}

Table overview_table(const StudyResult& r) {
  Table table{{{"Operation"}, {"Workload"}, {"Unit"}}, {}};
  const auto names = architectures(r);
  for (const std::string& name : names) table.columns.push_back({name, true});
  for (const Contest& contest : contests(r)) {
    const StudyCell* any = fastest(contest.cells);
    TableRow row{{{spoken(contest.operation)}, {contest.workload}, {any ? any->unit : ""}}};
    for (const std::string& name : names) {
      const StudyCell* best = fastest(contest.cells, name);
      row.cells.push_back(best ? TableCell{with_spread(best->rate, best->spread), best->rate}
                               : TableCell{why_none(contest, name)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table duel_table(const StudyResult& r) {
  Table table{{{"Operation"},
               {"Workload"},
               {"Ratio"},
               {"best / best", true},
               {"equal options, median", true},
               {"range", true},
               {"pairs", true}},
              {}};
  for (const Contest& contest : contests(r))
    for (const Duel& d : duels(contest)) {
      TableRow row{{{spoken(contest.operation)}, {contest.workload}, {d.a + " / " + d.b}, ratio_cell(d.best)}};
      const Ratio middle = d.alike.empty() ? Ratio{} : middle_of(d.alike);
      row.cells.push_back(d.alike.empty() ? TableCell{} : number_cell(middle.value));
      row.cells.push_back({d.alike.size() < 2 ? "" : range_text(d.alike)});
      row.cells.push_back({std::to_string(d.alike.size()), static_cast<double>(d.alike.size())});
      table.rows.push_back(std::move(row));
    }
  return table;
}

Table change_table(const Contest& contest) {
  Table table{
      {{"Architecture"}, {"From"}, {"Change"}, {"Speed, times", true}, {"RMSE before", true}, {"RMSE after", true}},
      {}};
  for (const Change& c : changes_from_best(contest)) {
    TableRow row{{{c.base->architecture}, {options_brief(*c.base)}, {c.what}, ratio_cell(c.ratio)},
                 mark_of(*c.changed)};
    add_error(*c.base, row);
    add_error(*c.changed, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ceiling_table(const StudyResult& r) {
  Table table{{{"Limit"}, {"Through"}, {"Rate", true}, {"Unit"}, {"Repeats' spread", true}}, {}};
  for (const Ceiling& c : r.ceilings)
    table.rows.push_back(
        {{{c.name}, {c.architecture}, number_cell(c.rate), {c.unit}, {spread_text(c.spread), c.spread}},
         c.spread > 0.05 ? "noisy" : ""});
  return table;
}

Table limit_table(const StudyResult& r) {
  Table table{{{"Limit"}, {"Unit"}}, {}};
  std::vector<std::string> pipelines, limits;
  const auto add_new = [](std::vector<std::string>& list, const std::string& item) {
    if (std::ranges::find(list, item) == list.end()) list.push_back(item);
  };
  for (const Ceiling& c : r.ceilings) {
    if (c.name.starts_with("yardstick")) continue;
    add_new(pipelines, c.architecture);
    add_new(limits, c.name.substr(0, c.name.find(',')));
  }
  for (const std::string& pipeline : pipelines) table.columns.push_back({pipeline, true});
  for (const std::string& limit : limits) {
    TableRow row{{{limit}, {}}};
    for (const std::string& pipeline : pipelines) {
      const Ceiling* best = best_ceiling(r.ceilings, pipeline, limit);
      row.cells.push_back(best ? number_cell(best->rate) : TableCell{});
      if (best) row.cells[1].text = best->unit;
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table failure_table(const StudyResult& r) {
  Table table{{{"Operation"}, {"Workload"}, {"Architecture"}, {"Options"}, {"Reason", false, true}}, {}};
  for (const StudyCell& c : r.cells)
    if (c.status == StudyCell::Status::failed)
      table.rows.push_back(
          {{{spoken(c.operation)}, {c.workload}, {c.architecture}, {options_text(c)}, {c.note}}, mark_of(c)});
  return table;
}

Table cell_table(const Cells& cells) {
  Table table{{{"Workload"}, {"Architecture"}}, {}};
  const std::vector<std::string> options = option_names(cells);
  std::vector<std::string> counts;
  for (const std::string& name : options) table.columns.push_back({spoken(name)});
  for (const char* title : {"Rate", "Unit", "Spread", "Median", "Repeats"})
    table.columns.push_back({title, std::string(title) != "Unit"});
  table.columns.insert(table.columns.end(),
                       {{"Device", true}, {"RMSE", true}, {"Share", true}, {"of limit"}, {"Remark", false, true}});
  add_counts(cells, table, counts);

  for (const StudyCell* cell : fastest_first(cells)) {
    const StudyCell& c = *cell;
    TableRow row{{{c.workload}, {c.architecture}}, mark_of(c)};
    for (const std::string& name : options) {
      const std::string* value = option(c, name);
      row.cells.push_back({value ? *value : ""});
    }
    add_speed(c, row);
    row.cells.push_back(has_speed(c) && c.device_seconds > 0 ? TableCell{duration(c.device_seconds), c.device_seconds}
                                                             : TableCell{});
    add_error(c, row);
    row.cells.push_back({share_text(c), c.share});
    row.cells.push_back({c.limit});
    row.cells.push_back({remark_of(c)});
    for (const std::string& name : counts) {
      const double count = count_of(c, name);
      row.cells.push_back(count > 0 ? TableCell{amount(count), count} : TableCell{});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace backlit::report
