#include "study/report/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "study/report/selection.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace report {
namespace {

/// Largest k with P(fewer than k of n values lie below the median) <= 2.5 %; 0 if there is none.
std::size_t rank_of_interval(std::size_t n) {
  const auto count = static_cast<double>(n);
  double below = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const auto chosen = static_cast<double>(k);
    below += std::exp(std::lgamma(count + 1) - std::lgamma(chosen + 1) - std::lgamma(count - chosen + 1) -
                      count * std::log(2.0));
    if (below > 0.025) return k;
  }
  return 0;
}

/// Factor from the farther end's distance to the 95 % interval of the median, for 2 to 5 normal values (10^6 trials).
/// For 5 values it would be 0.83, but other distributions need the whole range.
constexpr std::array<double, 6> widening{1, 1, 12.7, 1.87, 1.15, 1};

double median_of_sorted(std::span<const double> sorted) {
  const std::size_t n = sorted.size();
  return n == 0 ? 0 : 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}

}  // namespace

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return median_of_sorted(values);
}

double median_spread(std::vector<double> values) {
  const std::size_t n = values.size();
  if (n < 2) return static_cast<double>(n);
  std::ranges::sort(values);
  const double median = median_of_sorted(values);
  if (median <= 0) return 1;
  const std::size_t first = std::max<std::size_t>(rank_of_interval(n), 1) - 1;
  const double reach = std::max(median - values[first], values[n - 1 - first] - median);
  return (n < widening.size() ? widening[n] : 1) * reach / median;
}

double drift_of(std::span<const double> values) {
  const std::size_t n = values.size(), half = n / 2;
  if (n < 6) return 0;
  double balance = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) balance += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
  const auto count = static_cast<double>(n);
  const double deviation = std::sqrt(count * (count - 1) * (2 * count + 5) / 18);
  if (std::abs(balance) - 1 < 2.576 * deviation) return 0;
  const std::vector<double> first(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half));
  const std::vector<double> second(values.end() - static_cast<std::ptrdiff_t>(half), values.end());
  const double median = median_of({values.begin(), values.end()});
  return median > 0 ? (median_of(second) - median_of(first)) / median : 0;
}

double scatter_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (n < 3) return 0;
  double sum = 0, squares = 0;
  for (const double v : values) sum += std::log(v), squares += std::log(v) * std::log(v);
  return 1.96 * std::sqrt(std::max(0.0, squares - sum * sum / n) / (n - 1));
}

std::vector<double> pass_medians(const StudyCell& cell) {
  std::vector<double> medians;
  auto first = cell.seconds.begin();
  for (const std::int64_t n : cell.passes) {
    if (n < 0 || n > cell.seconds.end() - first) return {};
    if (n > 0) medians.push_back(median_of({first, first + n}));
    first += n;
  }
  return medians;
}

double spread_of_passes(std::vector<double> ratios) {
  const std::size_t n = ratios.size();
  if (n == 0) return 1;
  double squares = 0;
  for (double& ratio : ratios) {
    ratio = std::abs(ratio);
    squares += ratio * ratio;
  }
  if (n >= 20) {
    std::ranges::sort(ratios);
    return ratios[std::min(n - 1, static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(n))))] / std::sqrt(2.0);
  }
  // 97.5 % quantile of Student's t with n degrees of freedom, accurate to 3 % from n = 2 on.
  const auto freedom = static_cast<double>(n);
  const double t = n == 1 ? 12.7 : 1.96 + 2.37 / freedom + 2.82 / (freedom * freedom) + 2.6 / std::pow(freedom, 3.0);
  return t * std::sqrt(squares / freedom) / std::sqrt(2.0);
}

}  // namespace report

namespace {

void add_note(std::string& note, const std::string& remark) {
  if (note.find(remark) == std::string::npos) note += (note.empty() ? "" : "; ") + remark;
}

/// A wrong result invalidates the speed.
void judge_error(StudyCell& cell) {
  if (cell.status != StudyCell::Status::ok || !cell.rmse || !cell.rmse_bound || *cell.rmse <= *cell.rmse_bound) return;
  cell.status = StudyCell::Status::failed;
  add_note(cell.note,
           fmt::format("an error of {:.3g} {}, allowed {:.3g}", *cell.rmse, cell.error_unit, *cell.rmse_bound));
}

}  // namespace

void summarise(StudyCell& cell, double accept) {
  judge_error(cell);
  cell.median = report::median_of(cell.seconds);
  cell.spread = report::median_spread(cell.seconds);
  const double drift = report::drift_of(cell.seconds);
  if (std::abs(drift) > accept) add_note(cell.note, fmt::format("repeats drift by {:+.0f} %", 100 * drift));
  cell.repeat_spread = cell.spread = std::max(cell.spread, std::abs(drift) / 2);
  cell.noisy = cell.spread > accept || std::abs(drift) > accept;
  if (cell.noisy && std::abs(drift) <= accept && cell.seconds.size() > 1) {
    const auto [least, most] = std::ranges::minmax_element(cell.seconds);
    add_note(cell.note,
             fmt::format("repeats take {:.2f} to {:.2f} times the median", *least / cell.median, *most / cell.median));
  }
  cell.rate = cell.status == StudyCell::Status::ok && cell.median > 0 ? cell.work / cell.median : 0;
}

void widen_by_passes(StudyResult& result) {
  std::map<std::string, std::vector<double>> ratios;  // by kind of pipeline
  for (const StudyCell& cell : result.cells) {
    const std::vector<double> medians = report::pass_medians(cell);
    if (!report::has_speed(cell)) continue;
    for (std::size_t i = 1; i < medians.size(); ++i)
      if (medians[i] > 0 && medians[i - 1] > 0)
        ratios[report::through(cell.architecture)].push_back(std::log(medians[i] / medians[i - 1]));
  }
  result.pass_spreads.clear();
  for (const auto& [through, list] : ratios) {
    double spread = report::spread_of_passes(list);
    for (const Ceiling& c : result.ceilings)
      if (c.name.starts_with("yardstick") && c.architecture == through) spread = std::max(spread, c.spread);
    result.pass_spreads.push_back({through, spread, static_cast<std::int64_t>(list.size())});
    for (StudyCell& cell : result.cells)
      if (report::through(cell.architecture) == through) cell.spread = std::max(cell.spread, spread);
  }
}

}  // namespace backlit
