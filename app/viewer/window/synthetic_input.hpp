// Mouse and keyboard input from a script, passed through ImGui like a user's.
#pragma once

#include <imgui.h>

#include <deque>
#include <optional>
#include <string>

namespace backlit::viewer {

/// Notes the place of an item with a label, for clicks from scripts.
void note_item(const std::string& label, ImVec2 low, ImVec2 high);
struct ItemBox {
  ImVec2 low, high;
};
/// Throws InputError, naming `asker`, for an item that is not visible now.
ItemBox item_box(const std::string& label, const char* asker);

/// Notes a text under a label, for expectations of scripts.
void note_text(const std::string& label, const std::string& text);
/// The noted text; empty if none is visible now.
std::optional<std::string> item_text(const std::string& label);

class SyntheticInput {
 public:
  /// Presses at one place, moves to another in `steps` frames, releases. Buttons: 0 left, 1 right, 2 middle.
  void drag(int button, ImVec2 from, ImVec2 to, bool ctrl, bool shift, int steps = 4);
  void wheel(ImVec2 at, float steps, bool ctrl, bool shift);
  void move(ImVec2 to);
  /// Presses "Ctrl+O"; see shortcuts.hpp. Throws InputError for an unknown key.
  void key(const std::string& shortcut);
  /// Types letters into the active text field.
  void type(const std::string& text);
  /// Clicks the item with that label. Throws InputError if it is not visible.
  void click(const std::string& label);

  /// Drops the remaining inputs, since there is no window for them.
  void let_go() { moments_.clear(); }
  bool busy() const { return !moments_.empty(); }
  /// Whether a script has used them; from then on only the script moves the pointer.
  bool used() const { return used_; }
  /// Passes the input of this frame to ImGui. Call it after the surface's begin_frame(), before ImGui::NewFrame().
  void apply();

 private:
  /// Input state of one frame.
  struct Moment {
    ImVec2 at;
    int button = -1;  ///< held button; -1: none
    float wheel = 0;
    bool ctrl = false, shift = false;
    int key = -1;
    std::string text{};
    bool alt = false;
  };
  std::deque<Moment> moments_;
  ImVec2 at_{-1e6f, -1e6f};
  bool used_ = false;
  int held_key_ = -1;
};

}  // namespace backlit::viewer
