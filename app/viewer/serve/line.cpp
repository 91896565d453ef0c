#include "serve/line.hpp"

#include <algorithm>

namespace backlit::viewer::serve {

void Line::sent(std::uint32_t number, Clock::time_point now) { on_their_way_.push_back({number, now, !quiet()}); }

void Line::shown(std::uint32_t number, Clock::time_point now) {
  const auto found = std::ranges::find(on_their_way_, number, &Sent::number);
  if (found == on_their_way_.end()) return;
  const auto took = now - found->when;
  const bool queued = found->behind_others;
  on_their_way_.erase(on_their_way_.begin(), found + 1);
  recent_.push_back(took);
  if (recent_.size() > most_recent) recent_.pop_front();
  constexpr auto bearable = std::chrono::milliseconds(60);
  const bool slow = queued && took - std::ranges::min(recent_) > bearable;
  quality_ = std::clamp(slow ? quality_ - 8 : quality_ + 2, lowest, highest);
}

}  // namespace backlit::viewer::serve
