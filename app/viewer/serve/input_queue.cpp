#include "serve/input_queue.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include <backlit/core/error.hpp>
#include "window/shortcuts.hpp"

namespace backlit::viewer::serve {
namespace {

constexpr std::size_t longest = 4096;  ///< inputs; the rest is dropped if the window draws no frames

/// Passes one frame's inputs to ImGui. Each call returns whether the input was taken; otherwise it waits for the next
/// frame.
class Teller {
 public:
  explicit Teller(ImGuiIO& io) : io_(io) {}

  bool operator()(const PointerMoved& to) {
    if (pressed_ || turned_) return false;
    arrived(to);
    return true;
  }
  bool operator()(const PointerLeft&) {
    if (pressed_ || turned_) return false;
    io_.MousePos = {-FLT_MAX, -FLT_MAX};
    return true;
  }
  bool operator()(const ButtonChanged& change) {
    if (pressed_ || moved_ || turned_ || !arrived(change.at)) return false;  // show the last step of a drag first
    io_.MouseDown[change.button] = change.down;
    return pressed_ = true;
  }
  bool operator()(const WheelTurned& turn) {
    if (pressed_ || (turned_ && !(turned_with_ == turn.at.held)) || !arrived(turn.at)) return false;
    io_.MouseWheel += turn.along;
    io_.MouseWheelH += turn.across;
    turned_with_ = turn.at.held;  // which count for the whole frame
    return turned_ = true;
  }
  bool operator()(const KeyChanged& change) {
    if (typed_ || keyed_ || turned_) return false;
    hold(change.held);
    keyed_ = true;
    try {
      io_.KeysDown[parse_shortcut(change.key).key] = change.down;
    } catch (const InputError&) {  // an unknown key
    }
    return true;
  }
  bool operator()(const TextTyped& typed) {
    if (keyed_) return false;
    io_.AddInputCharactersUTF8(typed.text.c_str());
    return typed_ = true;
  }
  bool operator()(const InputReleased&) {
    if (pressed_ || keyed_ || turned_) return false;
    std::ranges::fill(io_.MouseDown, false);
    std::ranges::fill(io_.KeysDown, false);
    hold({});
    return pressed_ = keyed_ = true;
  }

 private:
  void hold(const Modifiers& held) {
    io_.KeyCtrl = held.ctrl;
    io_.KeyShift = held.shift;
    io_.KeyAlt = held.alt;
  }
  /// Whether the pointer is in this pixel already; otherwise moves it there in this frame. ImGui rounds places down, so
  /// a place between pixels would never be reached.
  bool arrived(const PointerMoved& at) {
    hold(at.held);
    const ImVec2 pixel(std::floor(at.x), std::floor(at.y));
    if (io_.MousePos.x == pixel.x && io_.MousePos.y == pixel.y) return true;
    io_.MousePos = pixel;
    moved_ = true;
    return false;
  }

  ImGuiIO& io_;
  bool moved_ = false, pressed_ = false, turned_ = false, keyed_ = false, typed_ = false;
  Modifiers turned_with_;  ///< keys held while the wheel turned
};

}  // namespace

void InputQueue::push(Input input) {
  if (std::holds_alternative<PointerMoved>(input) && !inputs_.empty() &&
      std::holds_alternative<PointerMoved>(inputs_.back()))
    inputs_.back() = input;  // only the newest position of the pointer counts
  else if (inputs_.size() < longest || std::holds_alternative<InputReleased>(input))
    inputs_.push_back(std::move(input));
}

void InputQueue::apply(ImGuiIO& io) {
  io.MouseWheel = io.MouseWheelH = 0;
  Teller teller(io);
  while (!inputs_.empty() && std::visit(teller, inputs_.front())) inputs_.pop_front();
}

}  // namespace backlit::viewer::serve
