#include "model/key_taps.hpp"

namespace backlit::viewer {

void KeyTaps::event(int key, bool down, bool ctrl, bool shift, bool written) {
  if (written)
    fresh_.erase(key);
  else if (down)
    fresh_[key] = {key, ctrl, shift};
  else if (const auto tap = fresh_.extract(key))
    taps_.push_back(tap.mapped());
}

void KeyTaps::apply(std::span<bool> held, bool& ctrl, bool& shift) {
  fresh_.clear();
  if (showing_) {  // release the key, in a frame of its own
    held[static_cast<std::size_t>(shown_.key)] = false;
    ctrl = before_.ctrl;
    shift = before_.shift;
    showing_ = false;
    return;
  }
  if (taps_.empty()) return;
  shown_ = taps_.front();
  taps_.pop_front();
  if (shown_.key < 0 || static_cast<std::size_t>(shown_.key) >= held.size()) return;
  before_ = {shown_.key, ctrl, shift};
  held[static_cast<std::size_t>(shown_.key)] = true;
  ctrl = shown_.ctrl;
  shift = shown_.shift;
  showing_ = true;
}

}  // namespace backlit::viewer
