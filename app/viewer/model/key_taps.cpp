#include "model/key_taps.hpp"

#include <utility>

namespace backlit::viewer {
namespace {

/// Whether a modifier that was held is so no more.
bool let_go(const KeyModifiers& then, const KeyModifiers& now) {
  return (then.ctrl && !now.ctrl) || (then.shift && !now.shift) || (then.alt && !now.alt);
}

}  // namespace

void KeyTaps::event(int key, bool down, KeyModifiers with, bool written) {
  if (written)
    fresh_.erase(key);
  else if (down)
    fresh_[key] = {key, with};
  else if (const auto tap = fresh_.extract(key))
    taps_.push_back(tap.mapped());
}

KeyModifiers KeyTaps::apply(std::span<bool> held, KeyModifiers now) {
  for (const auto& [key, tap] : std::exchange(fresh_, {})) {
    if (!let_go(tap.with, now) || key < 0 || static_cast<std::size_t>(key) >= held.size()) continue;
    held[static_cast<std::size_t>(key)] = false;
    taps_.push_back(tap);
  }
  if (showing_) {  // release the key, in a frame of its own
    held[static_cast<std::size_t>(shown_.key)] = false;
    showing_ = false;
    return before_.with;
  }
  if (taps_.empty()) return now;
  shown_ = taps_.front();
  taps_.pop_front();
  if (shown_.key < 0 || static_cast<std::size_t>(shown_.key) >= held.size()) return now;
  before_ = {shown_.key, now};
  held[static_cast<std::size_t>(shown_.key)] = true;
  showing_ = true;
  return shown_.with;
}

}  // namespace backlit::viewer
