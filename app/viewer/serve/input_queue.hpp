// User input from a browser, passed to ImGui in order. A frame sees each key and button change once. The pointer
// reaches a place one frame before a press there.
#pragma once

#include <imgui.h>

#include <deque>
#include <string>
#include <variant>

#include "serve/messages.hpp"

namespace backlit::viewer::serve {

using Input = std::variant<PointerMoved, PointerLeft, ButtonChanged, WheelTurned, KeyChanged, TextTyped, InputReleased>;

class InputQueue {
 public:
  void push(Input);
  /// Passes the inputs of one frame. Call it before ImGui::NewFrame().
  void apply(ImGuiIO&);
  /// Whether inputs are left for another frame.
  bool busy() const { return !inputs_.empty(); }

 private:
  std::deque<Input> inputs_;
};

}  // namespace backlit::viewer::serve
