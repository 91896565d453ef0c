#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "study/report/format.hpp"
#include "study/report/study_tables.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

using namespace report;

/// Cells by key; a number is added to the second of a key, so that none is lost.
std::map<std::string, const StudyCell*> by_key(const StudyResult& r) {
  std::map<std::string, const StudyCell*> cells;
  for (const StudyCell& cell : r.cells) {
    const std::string key = cell.key();
    std::string unique = key;
    for (int n = 2; cells.contains(unique); ++n) unique = fmt::format("{} | {}", key, n);
    cells[unique] = &cell;
  }
  return cells;
}

struct Pair {
  std::string key;
  const StudyCell *a, *b;
  Ratio ratio{};  ///< rate of b / rate of a
};

Table speed_table(const std::vector<Pair>& pairs) {
  Table table{{{"Configuration"}, {"A", true}, {"B", true}, {"Unit"}, {"B / A", true}}, {}};
  for (const Pair& p : pairs)
    table.rows.push_back({{{p.key},
                           {with_spread(p.a->rate, p.a->spread), p.a->rate},
                           {with_spread(p.b->rate, p.b->spread), p.b->rate},
                           {p.a->unit},
                           {with_spread(p.ratio.value, p.ratio.spread), p.ratio.value}}});
  return table;
}

std::string environment_value(const StudyResult& r, const std::string& name) {
  const auto found = std::ranges::find(r.environment, name, [](const auto& fact) { return fact.first; });
  return found == r.environment.end() ? std::string("not recorded") : found->second;
}

Table environment_differences(const StudyResult& a, const StudyResult& b) {
  Table table{{{"What"}, {"A"}, {"B"}}, {}};
  const auto add = [&](const std::string& what, const std::string& in_a, const std::string& in_b) {
    if (in_a != in_b) table.rows.push_back({{{what}, {in_a}, {in_b}}});
  };
  add("version", a.version, b.version);
  add("extent", a.extent, b.extent);
  for (const auto& [name, in_a] : a.environment) add(name, in_a, environment_value(b, name));
  for (const auto& [name, in_b] : b.environment)
    if (environment_value(a, name) == "not recorded") add(name, "not recorded", in_b);
  return table;
}

bool same_machine(const StudyResult& a, const StudyResult& b) {
  for (const char* name : {"CPU", "threads", "OpenGL device", "CUDA device"})
    if (environment_value(a, name) != environment_value(b, name)) return false;
  return true;
}

/// Differences of the ceilings, like those of configurations.
Table ceiling_differences(const StudyResult& a, const StudyResult& b) {
  Table table{{{"Limit"}, {"A", true}, {"B", true}, {"Unit"}, {"B / A", true}}, {}};
  for (const Ceiling& in_a : a.ceilings)
    for (const Ceiling& in_b : b.ceilings)
      if (in_a.name == in_b.name && in_a.architecture == in_b.architecture && in_a.unit == in_b.unit && in_a.rate > 0)
        table.rows.push_back({{{in_a.architecture + ", " + in_a.name},
                               {with_spread(in_a.rate, in_a.spread)},
                               {with_spread(in_b.rate, in_b.spread)},
                               {in_a.unit},
                               {ratio_text({in_b.rate / in_a.rate, std::hypot(in_a.spread, in_b.spread)})}}});
  return table;
}

struct Comparison {
  std::vector<Pair> apart, together;
  Table state{{{"Configuration"}, {"A"}, {"B"}}, {}};  ///< measured in one study, not in the other
  std::vector<std::string> only_a, only_b;
};

std::string state_of(const StudyCell& c) {
  return has_speed(c) ? "measured" : reason_of_none(c.status) + (c.note.empty() ? "" : ": " + c.note);
}

double yardstick(const StudyResult& r, const std::string& through) {
  for (const Ceiling& c : r.ceilings)
    if (c.name.starts_with("yardstick") && c.architecture == through) return c.rate;
  return 0;
}

/// Speed of the same work in b relative to a, if both ran on one machine. It shows the influence of other processes and
/// clocks, which the studies do not compare. 1 if it is unknown.
double machine_ratio(const StudyResult& a, const StudyResult& b, const std::string& through) {
  const double in_a = yardstick(a, through), in_b = yardstick(b, through);
  return same_machine(a, b) && in_a > 0 && in_b > 0 ? in_b / in_a : 1;
}

Ratio ratio_between(const StudyResult& a, const StudyCell& in_a, const StudyResult& b, const StudyCell& in_b) {
  const double machine = machine_ratio(a, b, through(in_a.architecture));
  return {in_b.rate / in_a.rate, std::hypot(in_a.spread, in_b.spread, std::max(machine, 1 / machine) - 1)};
}

/// Text on the speed of the machine itself.
std::string machine_text(const StudyResult& a, const StudyResult& b) {
  std::string text;
  for (const char* through : {"CPU", "fragment", "compute", "CUDA"})
    if (yardstick(a, through) > 0 && yardstick(b, through) > 0)
      text += fmt::format("{} {} {}", text.empty() ? "" : ",", through, number(machine_ratio(a, b, through)));
  if (text.empty() || !same_machine(a, b)) return {};
  return "\nThe same work was as fast in B as in A, times:" + text + ". That is the machine's, and counts as spread.\n";
}

Comparison compare(const StudyResult& a, const StudyResult& b) {
  Comparison all;
  const auto in_a = by_key(a), in_b = by_key(b);
  for (const auto& [key, cell] : in_a) {
    const auto found = in_b.find(key);
    if (found == in_b.end()) {
      all.only_a.push_back(key);
      continue;
    }
    const StudyCell& other = *found->second;
    if (has_speed(*cell) && has_speed(other) && cell->unit == other.unit) {
      const Pair pair{key, cell, &other, ratio_between(a, *cell, b, other)};
      (pair.ratio.differs_from_one() ? all.apart : all.together).push_back(pair);
    } else if (cell->status != other.status || cell->unit != other.unit) {
      all.state.rows.push_back({{{key}, {state_of(*cell)}, {state_of(other)}}});
    }
  }
  for (const auto& [key, cell] : in_b)
    if (!in_a.contains(key)) all.only_b.push_back(key);
  const auto size = [](const Pair& p) { return std::abs(std::log(p.ratio.value)); };
  std::ranges::sort(all.apart, std::greater(), size);
  std::ranges::sort(all.together, std::greater(), size);
  return all;
}

/// Intervals of 95 % exclude 1 of 20 equal pairs by chance; up to three standard deviations more prove nothing.
std::string verdict(std::size_t apart, std::size_t pairs) {
  if (pairs == 0) return "Nothing to compare: no configuration has a speed in both.";
  const auto count = static_cast<double>(pairs);
  const double expected = 0.05 * count, most = expected + 3 * std::sqrt(0.05 * 0.95 * count);
  return fmt::format(
      "{} of {} configurations differ by more than their spreads; equal machines differ in about {:.0f} by chance. {}",
      apart, pairs, expected,
      static_cast<double>(apart) <= std::max(most, 1.0) ? "The two agree within their spreads."
                                                        : "The two do not agree within their spreads.");
}

void add_list(std::string& out, const std::string& title, const std::vector<std::string>& keys) {
  Table table{{{"Configuration"}}, {}};
  for (const std::string& key : keys) table.rows.push_back({{{key}}});
  if (!keys.empty()) out += "\n## " + title + "\n\n" + to_markdown(table);
}

}  // namespace

std::string study_difference(const StudyResult& a, const StudyResult& b) {
  const Comparison all = compare(a, b);
  std::string out = fmt::format("# Difference of two studies\n\nA: Backlit {}, {}, {}. B: Backlit {}, {}, {}.\n\n{}\n",
                                a.version, a.date, a.extent, b.version, b.date, b.extent,
                                verdict(all.apart.size(), all.apart.size() + all.together.size()));
  const auto unknown = std::ranges::count_if(all.together, [](const Pair& p) { return !(p.ratio.spread < 1); });
  if (unknown > 0)
    out += fmt::format("\nOf those that agree, {} have spreads of 100 % and more, which say nothing.\n", unknown);
  out += machine_text(a, b);
  const auto add = [&](const char* title, const Table& table) {
    if (!table.rows.empty()) out += fmt::format("\n## {}\n\n{}", title, to_markdown(table));
  };
  add("Machines", environment_differences(a, b));
  add("More than their spreads apart", speed_table(all.apart));
  add("Within their spreads", speed_table(all.together));
  add("Measured in one only", all.state);
  add_list(out, "Only in A", all.only_a);
  add_list(out, "Only in B", all.only_b);
  add("Limits", ceiling_differences(a, b));
  return out;
}

}  // namespace backlit
