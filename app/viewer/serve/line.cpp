#include "serve/line.hpp"

#include <algorithm>

namespace backlit::viewer::serve {

void Line::sent(std::uint32_t number, Clock::time_point now) { on_their_way_.push_back({number, now}); }

void Line::shown(std::uint32_t number, Clock::time_point now) {
  const auto found = std::ranges::find(on_their_way_, number, &Sent::number);
  if (found == on_their_way_.end()) return;
  const auto took = now - found->when;
  on_their_way_.erase(on_their_way_.begin(), found + 1);
  quickest_ = std::min(quickest_.value_or(took), took);
  constexpr auto bearable = std::chrono::milliseconds(60);
  quality_ = std::clamp(took - *quickest_ > bearable ? quality_ - 8 : quality_ + 2, lowest, highest);
}

}  // namespace backlit::viewer::serve
