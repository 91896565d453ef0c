#include "model/key_taps.hpp"

#include <catch2/catch.hpp>

#include <array>

using backlit::viewer::KeyTaps;

namespace {

struct Keyboard {
  KeyTaps taps;
  std::array<bool, 8> held{};
  bool ctrl = false, shift = false;
  void frame() { taps.apply(held, ctrl, shift); }
};

}  // namespace

TEST_CASE("A key that was held for less than a frame is seen for one, with its modifiers") {
  Keyboard k;
  k.taps.event(3, true, true, false);
  k.taps.event(3, false, false, false);
  CHECK(k.taps.busy());
  k.frame();
  CHECK(k.held[3]);
  CHECK(k.ctrl);
  CHECK_FALSE(k.shift);
  CHECK(k.taps.busy());
  k.frame();
  CHECK_FALSE(k.held[3]);
  CHECK_FALSE(k.ctrl);
  CHECK_FALSE(k.taps.busy());
}

TEST_CASE("Every tap of several within a frame is seen") {
  Keyboard k;
  for (int i = 0; i < 3; ++i) {
    k.taps.event(5, true, false, i == 1);
    k.taps.event(5, false, false, i == 1);
  }
  int seen = 0, shifted = 0;
  for (bool before = false; k.taps.busy(); before = k.held[5]) {
    k.frame();
    seen += k.held[5] && !before;
    shifted += k.held[5] && k.shift;
  }
  CHECK(seen == 3);
  CHECK(shifted == 1);
}

TEST_CASE("A letter that is written into a text field is no tap, what is pressed after it is one") {
  Keyboard k;
  for (const bool down : {true, false}) k.taps.event(4, down, false, false, true);
  k.taps.event(6, true, false, false);
  k.taps.event(6, false, false, false, true);  // pressed before the field was there
  CHECK_FALSE(k.taps.busy());
  for (const bool down : {true, false}) k.taps.event(1, down, false, false);
  k.frame();
  CHECK(k.held[1]);
  CHECK_FALSE(k.held[4]);
}

TEST_CASE("A key that stays down over a frame is left to the keyboard, and one that does not exist to nobody") {
  Keyboard k;
  k.taps.event(2, true, false, false);
  k.frame();
  k.taps.event(2, false, false, false);
  CHECK_FALSE(k.taps.busy());
  k.taps.event(99, true, false, false);
  k.taps.event(99, false, false, false);
  k.frame();
  k.frame();
  CHECK_FALSE(k.taps.busy());
}
