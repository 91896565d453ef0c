#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "study/report/selection.hpp"

namespace backlit::report {
namespace {

struct Point {
  double x;
  const StudyCell* cell;
};

/// Cells that are equal except for one number, by the common part.
using Groups = std::map<std::string, std::vector<Point>>;

std::string options_but(const StudyCell& cell, const std::string& left_out) {
  Facts kept;
  for (const auto& fact : cell.options)
    if (fact.first != left_out) kept.push_back(fact);
  StudyCell copy;
  copy.options = kept;
  return options_text(copy);
}

/// Sorts by x; of several points with one x keeps the fastest.
Series as_series(std::vector<Point> points, const std::string& fixed) {
  std::ranges::sort(
      points, [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.cell->rate > b.cell->rate; });
  Series series{points.front().cell->architecture, fixed, {}, {}};
  for (const Point& p : points) {
    if (!series.x.empty() && series.x.back() == p.x) continue;
    series.x.push_back(p.x);
    series.cells.push_back(p.cell);
  }
  return series;
}

double top_rate(const Series& s) {
  double top = 0;
  for (const StudyCell* cell : s.cells) top = std::max(top, cell->rate);
  return top;
}

/// The longest series of each architecture, in the order of `names`.
std::vector<Series> longest(const Groups& groups, const std::vector<std::string>& names,
                            const std::map<std::string, std::string>& fixed) {
  std::vector<Series> kept;
  for (const std::string& architecture : names) {
    std::optional<Series> best;
    for (const auto& [key, points] : groups) {
      if (points.front().cell->architecture != architecture) continue;
      Series s = as_series(points, fixed.at(key));
      if (s.x.size() < 2) continue;
      if (!best || s.x.size() > best->x.size() || (s.x.size() == best->x.size() && top_rate(s) > top_rate(*best)))
        best = std::move(s);
    }
    if (best) kept.push_back(std::move(*best));
  }
  return kept;
}

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 ? std::optional(value) : std::nullopt;
}

/// The number of a cell for a trend, and the part that must be equal: the options and the rest of the workload.
struct Reading {
  double x;
  std::string options, workload;
};

template <typename Read>
Trend trend(const Cells& cells, const std::string& operation, const std::string& of, const std::string& about,
            Read read) {
  Groups groups;
  std::map<std::string, std::string> fixed;
  for (const StudyCell* cell : cells) {
    const std::optional<Reading> reading = has_speed(*cell) ? read(*cell) : std::nullopt;
    if (!reading) continue;
    const std::string key = cell->architecture + "\n" + reading->workload + "\n" + reading->options;
    groups[key].push_back({reading->x, cell});
    fixed[key] = reading->options;
  }
  return {operation, of, about, longest(groups, architectures(cells), fixed)};
}

/// Whether an option takes different numbers.
bool varies(const Cells& cells, const std::string& name) {
  std::vector<double> seen;
  for (const StudyCell* cell : cells)
    if (const std::string* value = option(*cell, name))
      if (const auto number = as_number(*value)) seen.push_back(*number);
  return !seen.empty() && std::ranges::min(seen) < std::ranges::max(seen);
}

void add_option_trends(const Contest& contest, std::vector<Trend>& list) {
  for (const std::string& name : option_names(contest.cells)) {
    if (!varies(contest.cells, name)) continue;
    list.push_back(trend(contest.cells, contest.operation, name, contest.workload,
                         [&](const StudyCell& cell) -> std::optional<Reading> {
                           const std::string* value = option(cell, name);
                           const auto number = value ? as_number(*value) : std::nullopt;
                           return number ? std::optional(Reading{*number, options_but(cell, name), {}}) : std::nullopt;
                         }));
  }
}

}  // namespace

std::vector<Trend> trends(const StudyResult& r) {
  const auto over_side = [](const StudyCell& c) -> std::optional<Reading> {
    const WorkloadSize size = workload_size(c.workload);
    const std::string views = fmt::format("{} views", size.views.value_or(0));
    return size.side ? std::optional(Reading{*size.side, options_text(c), size.rest + views}) : std::nullopt;
  };
  const auto over_views = [](const StudyCell& c) -> std::optional<Reading> {
    const WorkloadSize size = workload_size(c.workload);
    const std::string side = fmt::format("{} a side", size.side.value_or(0));
    return size.views ? std::optional(Reading{*size.views, options_text(c), size.rest + side}) : std::nullopt;
  };
  std::vector<Trend> list;
  for (const std::string& operation : operations(r)) {
    Cells cells;
    for (const StudyCell& cell : r.cells)
      if (cell.operation == operation) cells.push_back(&cell);
    list.push_back(trend(cells, operation, "voxels along a side", "", over_side));
    list.push_back(trend(cells, operation, "number of views", "", over_views));
  }
  for (const Contest& contest : contests(r)) add_option_trends(contest, list);
  std::erase_if(list, [](const Trend& t) { return t.series.empty(); });
  return list;
}

}  // namespace backlit::report
