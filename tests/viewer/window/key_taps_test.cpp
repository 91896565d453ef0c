#include "model/key_taps.hpp"

#include <catch2/catch.hpp>

#include <array>

using backlit::viewer::KeyModifiers;
using backlit::viewer::KeyTaps;

namespace {

struct Keyboard {
  KeyTaps taps;
  std::array<bool, 8> held{};
  KeyModifiers with;
  void frame() { with = taps.apply(held, with); }
};

}  // namespace

TEST_CASE("A key that was held for less than a frame is seen for one, with its modifiers") {
  Keyboard k;
  k.taps.event(3, true, {.ctrl = true, .alt = true});
  k.taps.event(3, false, {});
  CHECK(k.taps.busy());
  k.frame();
  CHECK(k.held[3]);
  CHECK(k.with == KeyModifiers{.ctrl = true, .alt = true});
  CHECK(k.taps.busy());
  k.frame();
  CHECK_FALSE(k.held[3]);
  CHECK(k.with == KeyModifiers{});
  CHECK_FALSE(k.taps.busy());
}

TEST_CASE("Every tap of several within a frame is seen") {
  Keyboard k;
  for (int i = 0; i < 3; ++i) {
    k.taps.event(5, true, {.shift = i == 1});
    k.taps.event(5, false, {.shift = i == 1});
  }
  int seen = 0, shifted = 0;
  for (bool before = false; k.taps.busy(); before = k.held[5]) {
    k.frame();
    seen += k.held[5] && !before;
    shifted += k.held[5] && k.with.shift;
  }
  CHECK(seen == 3);
  CHECK(shifted == 1);
}

TEST_CASE("A letter that is written into a text field is no tap, what is pressed after it is one") {
  Keyboard k;
  for (const bool down : {true, false}) k.taps.event(4, down, {}, true);
  k.taps.event(6, true, {});
  k.taps.event(6, false, {}, true);  // pressed before the field was there
  CHECK_FALSE(k.taps.busy());
  for (const bool down : {true, false}) k.taps.event(1, down, {});
  k.frame();
  CHECK(k.held[1]);
  CHECK_FALSE(k.held[4]);
}

TEST_CASE("A key that stays down over a frame is left to the keyboard, and one that does not exist to nobody") {
  Keyboard k;
  k.taps.event(2, true, {});
  k.frame();
  k.taps.event(2, false, {});
  CHECK_FALSE(k.taps.busy());
  k.taps.event(99, true, {});
  k.taps.event(99, false, {});
  k.frame();
  k.frame();
  CHECK_FALSE(k.taps.busy());
}

TEST_CASE("Ctrl that is let go before the key it was pressed with still counts for it, once") {
  Keyboard k;
  k.taps.event(0, true, {});  // Ctrl itself
  k.taps.event(3, true, {.ctrl = true});
  k.taps.event(0, false, {.ctrl = true});
  k.held[3] = true;
  int seen = 0;
  for (int i = 0; i < 6; ++i) {
    k.frame();
    if (i == 2) k.taps.event(3, false, {});
    seen += k.held[3];
    CHECK(k.with.ctrl == k.held[3]);
  }
  CHECK(seen == 1);
  CHECK_FALSE(k.taps.busy());
}
