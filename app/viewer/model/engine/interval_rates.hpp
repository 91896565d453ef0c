// Speed of a reconstruction as a function of its interval: the number of views between two pictures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace backlit::viewer {

/// A complete run of live FDK with a fixed interval and without pauses. The first run of a file also loads its views.
struct IntervalRate {
  std::int64_t interval = 0;    ///< views between two pictures
  double views_per_second = 0;  ///< mean rate of the whole run
  double shown_share = 0;       ///< share of the time spent on showing the volume
};

/// The newest run of each interval, as long as only the interval differs.
class IntervalRates {
 public:
  /// `setting`: all other settings that affect the rate; a new setting clears the list.
  void add(const std::string& setting, const IntervalRate& rate) {
    if (setting != setting_) rates_.clear();
    setting_ = setting;
    const auto at = std::ranges::lower_bound(rates_, rate.interval, {}, &IntervalRate::interval);
    if (at != rates_.end() && at->interval == rate.interval)
      *at = rate;
    else
      rates_.insert(at, rate);
  }
  /// Sorted by interval.
  const std::vector<IntervalRate>& all() const { return rates_; }

 private:
  std::string setting_;
  std::vector<IntervalRate> rates_;
};

}  // namespace backlit::viewer
