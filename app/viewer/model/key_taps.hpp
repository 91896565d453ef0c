// Keys that were pressed and released between two frames. Code that reads the keys once a frame would miss them.
#pragma once

#include <deque>
#include <map>
#include <span>

namespace backlit::viewer {

struct KeyModifiers {
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const KeyModifiers&) const = default;
};

class KeyTaps {
 public:
  /// Reports a press or release of a key, with the modifiers at that time. `written`: a text field takes it as a
  /// letter. It is no tap then: shown some frames later, when the field may be gone, it would be a shortcut.
  void event(int key, bool down, KeyModifiers, bool written = false);
  /// Call it once a frame with the keys and modifiers held: shows one tap as held, and releases it in the next frame.
  /// A key that is still held, but whose modifiers changed since its press, is shown as a tap with the modifiers of the
  /// press: whoever lets go of Ctrl before P means Ctrl+P. Returns the modifiers of this frame.
  KeyModifiers apply(std::span<bool> held, KeyModifiers now);
  /// Whether taps are left for another frame.
  bool busy() const { return showing_ || !taps_.empty(); }

 private:
  struct Tap {
    int key = 0;
    KeyModifiers with{};
  };
  std::map<int, Tap> fresh_;  ///< pressed since the last frame
  std::deque<Tap> taps_;
  bool showing_ = false;
  Tap shown_, before_;  ///< before_: modifiers before the tap was shown
};

}  // namespace backlit::viewer
