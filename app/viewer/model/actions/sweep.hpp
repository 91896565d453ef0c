// A parameter that goes to and fro, for measurements: what a hand at a slider does, seen on a screen.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace backlit::viewer {

/// Has no clock of its own: callers say what time it is.
class Sweep {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::microseconds period{16667};  ///< of the screen
  static constexpr std::int64_t warming = 60;                ///< frames before those that count

  /// "NAME=LOW:HIGH". Throws InputError.
  static Sweep parse(const std::string&);

  const std::string& name() const { return name_; }
  /// When the frame after the one begun at `now` may begin: at the screen's next refresh. One that came late is not
  /// made up for by frames in quick succession. The first call starts the screen.
  Time next_refresh(Time now);
  /// The parameter in the next frame: low, up to high and back within 120.
  double next_value();
  /// Whether the next frame counts: what the first runs have to make, programs and arrays, has been made by then.
  bool warm() const { return frames_ >= warming; }

 private:
  std::string name_;
  double low_ = 0, high_ = 0;
  std::int64_t frames_ = 0;
  Time start_{};
};

}  // namespace backlit::viewer
