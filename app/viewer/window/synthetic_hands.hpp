// Mouse and keyboard moved by a script, through ImGui like those of a user.
#pragma once

#include <imgui.h>

#include <deque>
#include <optional>
#include <string>

namespace backlit::viewer {

/// Where an item with a label was drawn last; what scripts click on.
void note_item(const std::string& label, ImVec2 low, ImVec2 high);
struct ItemBox {
  ImVec2 low, high;
};
/// Throws InputError, naming `asker`, for an item that has not been drawn in the last frame.
ItemBox item_box(const std::string& label, const char* asker);

/// Words that were drawn last under a label; what scripts expect.
void note_text(const std::string& label, const std::string& text);
/// Nothing where none have been drawn in the last frame.
std::optional<std::string> item_text(const std::string& label);

class SyntheticHands {
 public:
  /// Presses at one place, moves to another in `steps` frames, lets go. Buttons: 0 left, 1 right, 2 middle.
  void drag(int button, ImVec2 from, ImVec2 to, bool ctrl, bool shift, int steps = 4);
  void wheel(ImVec2 at, float steps, bool ctrl, bool shift);
  void move(ImVec2 to);
  /// "Ctrl+O"; see shortcuts.hpp. Throws InputError for a key it does not know.
  void key(const std::string& shortcut);
  /// Letters, into whatever takes text.
  void type(const std::string& text);
  /// The item of that label. Throws InputError when it was not drawn.
  void click(const std::string& label);

  /// Forgets what was still to be done: there is no window to do it in.
  void let_go() { moments_.clear(); }
  bool busy() const { return !moments_.empty(); }
  /// Whether they have been used at all; from then on they alone move the pointer.
  bool used() const { return used_; }
  /// Tells ImGui what they do in this frame. After the surface's begin_frame(), before ImGui::NewFrame().
  void apply();

 private:
  /// What is held in one frame.
  struct Moment {
    ImVec2 at;
    int button = -1;  ///< held
    float wheel = 0;
    bool ctrl = false, shift = false;
    int key = -1;
    std::string text{};
  };
  std::deque<Moment> moments_;
  ImVec2 at_{-1e6f, -1e6f};
  bool used_ = false;
  int held_key_ = -1;
};

}  // namespace backlit::viewer
