// The connection to one browser: limits the frames in transit and the JPEG quality.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

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
  /// JPEG quality from `lowest` to `highest`. It falls while frames take longer than the quickest one, and recovers
  /// afterwards.
  int quality() const { return quality_; }

  static constexpr int lowest = 30, highest = 80;

 private:
  static constexpr std::size_t most_on_their_way = 3;
  struct Sent {
    std::uint32_t number;
    Clock::time_point when;
  };
  std::deque<Sent> on_their_way_;
  std::optional<Clock::duration> quickest_;
  int quality_ = highest;
};

}  // namespace backlit::viewer::serve
