#include "study/report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace backlit::report {

std::string number(double value) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size < 1e-4 || size >= 999'999.5) return fmt::format("{:.3g}", value);
  return size < 99.95 ? fmt::format("{:#.3g}", value) : fmt::format("{:.0f}", value);
}

std::string amount(double value) {
  constexpr std::array<std::pair<double, const char*>, 4> steps{{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e4, " k"}}};
  for (const auto& [step, letter] : steps)
    if (value >= step) return number(value / (step == 1e4 ? 1e3 : step)) + letter;
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : number(value);
}

std::string percent(double share) {
  const double hundredths = 100 * share;
  if (!std::isfinite(hundredths)) return "?";
  if (std::abs(hundredths) >= 9.95) return fmt::format("{:.0f} %", hundredths);
  return fmt::format("{:.{}f} %", hundredths, hundredths != 0 && std::abs(hundredths) < 0.095 ? 2 : 1);
}

std::string duration(double seconds) {
  if (seconds >= 1) return number(seconds) + " s";
  return seconds >= 1e-3 ? number(1e3 * seconds) + " ms" : number(1e6 * seconds) + " µs";
}

std::string spread_text(double spread) { return spread < 1 ? percent(spread) : "?"; }

std::string with_spread(double value, double spread) { return number(value) + " ± " + spread_text(spread); }

std::string ratio_text(const Ratio& ratio) {
  return with_spread(ratio.value, ratio.spread) + (ratio.differs_from_one() || ratio.spread >= 1 ? "" : " (may be 1)");
}

std::string spoken(const std::string& name) {
  if (name == "views") return "views per pass";
  std::string words = name;
  std::ranges::replace(words, '_', ' ');
  return words;
}

const char* name(StudyCell::Status status) {
  switch (status) {
    case StudyCell::Status::failed:
      return "failed";
    case StudyCell::Status::unsupported:
      return "unsupported";
    case StudyCell::Status::ok:
      break;
  }
  return "ok";
}

std::string reason_of_none(StudyCell::Status status) {
  return status == StudyCell::Status::failed ? "failed" : status == StudyCell::Status::unsupported ? "not offered" : "";
}

std::string mark_of(const StudyCell& cell) {
  return cell.status != StudyCell::Status::ok ? name(cell.status) : cell.noisy ? "noisy" : "";
}

}  // namespace backlit::report
