// How fast a reconstruction is that shows itself every so many views, over that number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace backlit::viewer {

/// A whole run of live FDK that kept to its interval and was not held up; the first of a file loads its views, too.
struct IntervalRate {
  std::int64_t interval = 0;    ///< views from one picture to the next
  double views_per_second = 0;  ///< of the whole run
  double shown_share = 0;       ///< of its time that went into showing the volume
};

/// The newest run of each interval, as long as nothing but the interval differs.
class IntervalRates {
 public:
  /// `setting`: all else that the rate depends on; another one begins anew.
  void add(const std::string& setting, const IntervalRate& rate) {
    if (setting != setting_) rates_.clear();
    setting_ = setting;
    const auto at = std::ranges::lower_bound(rates_, rate.interval, {}, &IntervalRate::interval);
    if (at != rates_.end() && at->interval == rate.interval)
      *at = rate;
    else
      rates_.insert(at, rate);
  }
  /// Ascending in their interval.
  const std::vector<IntervalRate>& all() const { return rates_; }

 private:
  std::string setting_;
  std::vector<IntervalRate> rates_;
};

}  // namespace backlit::viewer
