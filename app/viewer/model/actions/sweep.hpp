// A parameter that moves up and down, for measurements: simulates a user who moves a slider.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace backlit::viewer {

/// Has no clock: the caller passes the time.
class Sweep {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::microseconds period{16667};  ///< time between two refreshes of the screen
  static constexpr std::int64_t warming = 60;                ///< frames before the measurement

  /// "NAME=LOW:HIGH". Throws InputError.
  static Sweep parse(const std::string&);

  const std::string& name() const { return name_; }
  /// Time at which the next frame may begin: the screen's next refresh after `now`. A late frame is not followed by
  /// several quick ones. The first call sets the phase of the refreshes.
  Time next_refresh(Time now);
  /// Value of the parameter in the next frame: from low to high and back in 120 frames.
  double next_value();
  /// Whether the next frame counts: the first runs also create programs and arrays.
  bool warm() const { return frames_ >= warming; }

 private:
  std::string name_;
  double low_ = 0, high_ = 0;
  std::int64_t frames_ = 0;
  Time start_{};
};

}  // namespace backlit::viewer
