// The connection to one browser: limits the frames in transit and the JPEG quality.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

namespace backlit::viewer::serve {

class Line {
 public:
  using Clock = std::chrono::steady_clock;

  /// Whether a frame may be sent, because few are in transit. Other frames are skipped, so that no frame waits.
  bool free() const { return on_their_way_.size() < most_on_their_way; }
  bool quiet() const { return on_their_way_.empty(); }
  void sent(std::uint32_t number, Clock::time_point);
  /// The browser has drawn this frame, and thus all earlier ones.
  void shown(std::uint32_t number, Clock::time_point);
  /// Of JPEG, lowest to highest. It falls while frames wait for each other: one that was sent behind others took longer
  /// than the quickest of late. A frame alone on the line may be large, and says nothing of the line.
  int quality() const { return quality_; }

  static constexpr int lowest = 30, highest = 80;

 private:
  static constexpr std::size_t most_on_their_way = 3, most_recent = 32;
  struct Sent {
    std::uint32_t number;
    Clock::time_point when;
    bool behind_others = false;
  };
  std::deque<Sent> on_their_way_;
  std::deque<Clock::duration> recent_;  ///< how long the last frames took
  int quality_ = highest;
};

}  // namespace backlit::viewer::serve
