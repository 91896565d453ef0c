// User input of a browser, passed to ImGui in its order: a frame sees each key and button change once, and never a
// press at a place where the pointer has not been before.
#pragma once

#include <imgui.h>

#include <deque>
#include <string>
#include <variant>

#include "serve/messages.hpp"

namespace backlit::viewer::serve {

using Input = std::variant<PointerMoved, PointerLeft, ButtonChanged, WheelTurned, KeyChanged, TextTyped, HandsOff>;

class InputQueue {
 public:
  void push(Input);
  /// What one frame may see. Before ImGui::NewFrame().
  void apply(ImGuiIO&);
  /// Whether another frame is wanted for what is left.
  bool busy() const { return !inputs_.empty(); }

 private:
  std::deque<Input> inputs_;
};

}  // namespace backlit::viewer::serve
