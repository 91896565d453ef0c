#include "study/report/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "study/report/format.hpp"

namespace backlit::report {
namespace {

void add_new(std::vector<std::string>& list, const std::string& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

Cells all_cells(const StudyResult& r) {
  Cells cells;
  for (const StudyCell& cell : r.cells) cells.push_back(&cell);
  return cells;
}

/// Names of options in which two cells differ, including options that one cell lacks.
std::vector<std::string> differences(const StudyCell& a, const StudyCell& b) {
  std::vector<std::string> names;
  for (const std::string& name : option_names({&a, &b})) {
    const std::string *in_a = option(a, name), *in_b = option(b, name);
    if (!in_a || !in_b || *in_a != *in_b) names.push_back(name);
  }
  return names;
}

}  // namespace

bool has_speed(const StudyCell& c) { return c.status == StudyCell::Status::ok && std::isfinite(c.rate) && c.rate > 0; }

std::vector<Contest> contests(const StudyResult& r) {
  std::vector<Contest> list;
  for (const StudyCell& cell : r.cells) {
    auto found = std::ranges::find_if(
        list, [&](const Contest& c) { return c.operation == cell.operation && c.workload == cell.workload; });
    if (found == list.end()) found = list.insert(found, {cell.operation, cell.workload, {}});
    found->cells.push_back(&cell);
  }
  return list;
}

std::vector<Contest> main_contests(const StudyResult& r) {
  std::vector<Contest> all = contests(r), kept;
  for (const Contest& c : all) {
    std::size_t most = 0;
    for (const Contest& other : all)
      if (other.operation == c.operation) most = std::max(most, other.cells.size());
    if (c.cells.size() >= 2 && 2 * c.cells.size() >= most) kept.push_back(c);
  }
  return kept;
}

std::vector<std::string> architectures(const StudyResult& r) { return architectures(all_cells(r)); }

std::vector<std::string> architectures(const Cells& cells) {
  std::vector<std::string> names;
  for (const StudyCell* cell : cells) add_new(names, cell->architecture);
  std::ranges::stable_sort(names, {}, rank_of);
  return names;
}

std::size_t rank_of(const std::string& architecture) {
  static const std::vector<std::string> ours{"CPU", "MP-GPU", "AG-GPU", "AG-GPU+", "compute", "CUDA"};
  return static_cast<std::size_t>(std::ranges::find(ours, architecture) - ours.begin());
}

std::string through(const std::string& architecture) {
  return architecture.starts_with("MP-") || architecture.starts_with("AG-") ? "fragment" : architecture;
}

std::vector<std::string> operations(const StudyResult& r) {
  std::vector<std::string> names;
  for (const StudyCell& cell : r.cells) add_new(names, cell.operation);
  return names;
}

std::vector<std::string> option_names(const Cells& cells) {
  std::vector<std::string> names;
  for (const StudyCell* cell : cells)
    for (const auto& fact : cell->options) add_new(names, fact.first);
  return names;
}

const std::string* option(const StudyCell& cell, const std::string& name) {
  const auto found = std::ranges::find(cell.options, name, [](const auto& fact) { return fact.first; });
  return found == cell.options.end() ? nullptr : &found->second;
}

double count_of(const StudyCell& cell, const std::string& name) {
  const auto found = std::ranges::find(cell.counts, name, [](const auto& count) { return count.first; });
  return found == cell.counts.end() || !std::isfinite(found->second) ? 0 : found->second;
}

std::string options_text(const StudyCell& cell) {
  std::string text;
  for (const auto& [name, value] : cell.options) text += (text.empty() ? "" : ", ") + spoken(name) + " " + value;
  return text;
}

std::string options_brief(const StudyCell& cell) {
  std::string text;
  for (const auto& [name, value] : cell.options) {
    if (value == "none") continue;
    const bool number = !value.empty() && value.find_first_not_of("0123456789.") == std::string::npos;
    if (!number && (", " + text + ", ").find(", " + value + ", ") != std::string::npos) continue;  // "orbit, orbit"
    text += (text.empty() ? "" : ", ") + (number ? spoken(name) + " " : std::string()) + value;
  }
  return text;
}

const StudyCell* fastest(const Cells& cells, const std::string& architecture) {
  const auto certain = [](const StudyCell& c) { return c.rate / (1 + c.spread); };
  const StudyCell* best = nullptr;
  for (const StudyCell* cell : cells)
    if (has_speed(*cell) && (architecture.empty() || cell->architecture == architecture) &&
        (!best || certain(*cell) > certain(*best)))
      best = cell;
  return best;
}

Ratio speed_ratio(const StudyCell& a, const StudyCell& b) {
  if (!(b.rate > 0)) return {};
  Ratio ratio{a.rate / b.rate, std::hypot(a.repeat_spread, b.repeat_spread)};
  const std::vector<double> of_a = pass_medians(a), of_b = pass_medians(b);
  if (of_a.size() == of_b.size() && a.work > 0 && b.work > 0)
    for (std::size_t i = 0; i < of_a.size(); ++i)
      ratio.spread = std::max(ratio.spread, std::abs(of_b[i] / b.work * a.work / of_a[i] / ratio.value - 1));
  return ratio;
}

const Ceiling* best_ceiling(std::span<const Ceiling> ceilings, const std::string& architecture,
                            const std::string& name) {
  const Ceiling* best = nullptr;
  for (const Ceiling& c : ceilings)
    if (c.architecture == architecture && (c.name == name || c.name.starts_with(name + ", ")) && c.rate > 0 &&
        (!best || c.rate > best->rate))
      best = &c;
  return best;
}

namespace {

/// Changes of one option from `base`, the largest effects last.
std::vector<Change> changes_from(const StudyCell& base, const Cells& cells) {
  std::vector<Change> changes;
  for (const StudyCell* cell : cells) {
    if (cell == &base || cell->architecture != base.architecture || !has_speed(*cell)) continue;
    const auto names = differences(base, *cell);
    if (names.size() != 1) continue;
    const std::string *from = option(base, names[0]), *to = option(*cell, names[0]);
    changes.push_back({&base, cell, spoken(names[0]) + ": " + (from ? *from : "none") + " → " + (to ? *to : "none"),
                       speed_ratio(*cell, base)});
  }
  std::ranges::sort(changes, std::greater(), [](const Change& c) { return c.ratio.value; });
  return changes;
}

}  // namespace

std::vector<Change> changes_from_best(const Contest& contest) {
  std::vector<Change> all;
  for (const std::string& architecture : architectures(contest.cells)) {
    const StudyCell* best = fastest(contest.cells, architecture);
    if (!best) continue;
    std::vector<Change> from_best = changes_from(*best, contest.cells), most = from_best;
    for (const StudyCell* cell : contest.cells) {
      if (cell->architecture != architecture || !has_speed(*cell)) continue;
      std::vector<Change> changes = changes_from(*cell, contest.cells);
      if (changes.size() > std::max<std::size_t>(most.size(), 1)) most = std::move(changes);
    }
    all.insert(all.end(), from_best.begin(), from_best.end());
    if (!most.empty() && most[0].base != best) all.insert(all.end(), most.begin(), most.end());
  }
  return all;
}

namespace {

/// Values of an option in the cells of one architecture.
std::vector<std::string> values_of(const Cells& cells, const std::string& architecture, const std::string& name) {
  std::vector<std::string> values;
  for (const StudyCell* cell : cells)
    if (const std::string* value = cell->architecture == architecture ? option(*cell, name) : nullptr)
      add_new(values, *value);
  return values;
}

/// Options that both architectures have with at least some common values. The other options ("kill" of architectures
/// with and without early kill) are what makes them different.
std::vector<std::string> shared_options(const Cells& cells, const std::string& a, const std::string& b) {
  std::vector<std::string> names;
  for (const std::string& name : option_names(cells)) {
    const auto in_a = values_of(cells, a, name), in_b = values_of(cells, b, name);
    if (std::ranges::any_of(in_a, [&](const std::string& v) { return std::ranges::find(in_b, v) != in_b.end(); }))
      names.push_back(name);
  }
  return names;
}

bool agree(const StudyCell& a, const StudyCell& b, const std::vector<std::string>& names) {
  return std::ranges::all_of(names, [&](const std::string& name) {
    const std::string *in_a = option(a, name), *in_b = option(b, name);
    return in_a && in_b ? *in_a == *in_b : in_a == in_b;
  });
}

std::optional<Duel> duel(const Contest& contest, const std::string& a, const std::string& b) {
  const StudyCell *best_a = fastest(contest.cells, a), *best_b = fastest(contest.cells, b);
  if (!best_a || !best_b) return {};
  Duel d{a, b, speed_ratio(*best_a, *best_b), {best_a, best_b}, {}, {}};
  const auto names = shared_options(contest.cells, a, b);
  if (names.empty()) return d;
  for (const StudyCell* one : contest.cells)
    for (const StudyCell* other : contest.cells)
      if (one->architecture == a && other->architecture == b && has_speed(*one) && has_speed(*other) &&
          agree(*one, *other, names)) {
        d.alike.push_back(speed_ratio(*one, *other));
        d.alike_a.push_back(one);
      }
  return d;
}

}  // namespace

std::vector<Duel> duels(const Contest& contest) {
  static const std::vector<std::pair<const char*, const char*>> pairs{
      {"AG-GPU", "MP-GPU"}, {"AG-GPU+", "AG-GPU"}, {"compute", "AG-GPU"}, {"compute", "CUDA"}, {"CUDA", "CPU"}};
  std::vector<Duel> list;
  for (const auto& [a, b] : pairs)
    if (auto d = duel(contest, a, b)) list.push_back(std::move(*d));
  return list;
}

Ratio middle_of(const std::vector<Ratio>& ratios) {
  std::vector<double> values;
  for (const Ratio& ratio : ratios) values.push_back(ratio.value);
  const double middle = median_of(values);
  double reach = 0;
  for (const double value : values) reach = std::max(reach, std::abs(value / middle - 1));
  return {middle, middle > 0 ? reach : 0};
}

WorkloadSize workload_size(const std::string& workload) {
  static const std::regex side("^([A-Za-z]+)([0-9]{1,5})(.*)$"), views("^(.*?)([0-9]{1,6})( views.*)$");
  WorkloadSize size{{}, {}, workload};
  std::smatch match;
  const auto take = [&](const std::regex& pattern) -> std::optional<double> {
    const std::string text = size.rest;
    if (!std::regex_match(text, match, pattern)) return {};
    size.rest = fmt::format("{}#{}", match[1].str(), match[3].str());
    return std::stod(match[2]);
  };
  size.views = take(views);
  size.side = take(side);
  return size;
}

std::string counted_by(const std::string& unit) {
  if (unit == "G fetches/s") return "fetches";
  if (unit == "GB/s") return "bytes";
  if (unit == "GFLOP/s") return "flops";
  return "";
}

double unit_scale(const std::string& unit) {
  if (unit.starts_with("M ")) return 1e6;
  const bool billions = unit.starts_with("G ") || unit == "GUPS" || unit == "GB/s" || unit == "GFLOP/s";
  return billions ? 1e9 : 1;
}

}  // namespace backlit::report
