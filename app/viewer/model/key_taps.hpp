// Keys that went down and up again before a frame was drawn: whoever looks at keys once a frame would not see them.
#pragma once

#include <deque>
#include <map>
#include <span>

namespace backlit::viewer {

class KeyTaps {
 public:
  /// A key went down or up; `ctrl` and `shift` as they were held then.
  void event(int key, bool down, bool ctrl, bool shift);
  /// Once a frame, over the keys as they are held: shows one tap as held, and lets it go in the next frame.
  void apply(std::span<bool> held, bool& ctrl, bool& shift);
  /// Whether another frame is wanted for what is left.
  bool busy() const { return showing_ || !taps_.empty(); }

 private:
  struct Tap {
    int key = 0;
    bool ctrl = false, shift = false;
  };
  std::map<int, Tap> fresh_;  ///< went down since the last frame
  std::deque<Tap> taps_;
  bool showing_ = false;
  Tap shown_, before_;  ///< the modifiers as they were before it was shown
};

}  // namespace backlit::viewer
