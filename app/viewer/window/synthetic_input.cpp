#include "window/synthetic_input.hpp"

#include <map>

#include <backlit/core/error.hpp>
#include "window/shortcuts.hpp"

namespace backlit::viewer {
namespace {

struct Item {
  ItemBox box;
  int frame;
};
std::map<std::string, Item>& items() {
  static std::map<std::string, Item> known;
  return known;
}

struct Words {
  std::string text;
  int frame;
};
std::map<std::string, Words>& words() {
  static std::map<std::string, Words> known;
  return known;
}

/// Whether the item was drawn in one of the latest frames.
bool in_sight(int frame) { return frame >= ImGui::GetFrameCount() - 2; }

}  // namespace

void note_item(const std::string& label, ImVec2 low, ImVec2 high) {
  items()[label] = {{low, high}, ImGui::GetFrameCount()};
}

ItemBox item_box(const std::string& label, const char* asker) {
  const auto found = items().find(label);
  if (found == items().end() || !in_sight(found->second.frame))
    throw InputError(asker, "there is no '" + label + "' in the window", "is its panel open and in sight?");
  return found->second.box;
}

void note_text(const std::string& label, const std::string& text) { words()[label] = {text, ImGui::GetFrameCount()}; }

std::optional<std::string> item_text(const std::string& label) {
  const auto found = words().find(label);
  if (found == words().end() || !in_sight(found->second.frame)) return std::nullopt;
  return found->second.text;
}

void SyntheticInput::drag(int button, ImVec2 from, ImVec2 to, bool ctrl, bool shift, int steps) {
  moments_.push_back({from, -1, 0, ctrl, shift, -1});  // ImGui must see the pointer there before the press
  moments_.push_back({from, -1, 0, ctrl, shift, -1});
  for (int i = 0; i <= steps; ++i) {
    const float s = static_cast<float>(i) / static_cast<float>(steps);
    moments_.push_back({{from.x + s * (to.x - from.x), from.y + s * (to.y - from.y)}, button, 0, ctrl, shift, -1});
  }
  moments_.push_back({to, -1, 0, ctrl, shift, -1});
  moments_.push_back({to, -1, 0, false, false, -1});
}

void SyntheticInput::wheel(ImVec2 at, float steps, bool ctrl, bool shift) {
  moments_.push_back({at, -1, 0, ctrl, shift, -1});
  moments_.push_back({at, -1, steps, ctrl, shift, -1});
  moments_.push_back({at, -1, 0, false, false, -1});
}

void SyntheticInput::move(ImVec2 to) {
  for (int i = 0; i < 2; ++i) moments_.push_back({to, -1, 0, false, false, -1});
}

void SyntheticInput::key(const std::string& shortcut) {
  const Shortcut s = parse_shortcut(shortcut);
  for (const int key : {-1, s.key, -1}) moments_.push_back({at_, -1, 0, s.ctrl, s.shift, key, {}, s.alt});
  moments_.push_back({at_, -1, 0, false, false, -1});
}

void SyntheticInput::type(const std::string& text) {
  moments_.push_back({at_, -1, 0, false, false, -1, text});
  moments_.push_back({at_, -1, 0, false, false, -1});
}

void SyntheticInput::click(const std::string& label) {
  const ItemBox item = item_box(label, "click");
  const ImVec2 middle{0.5f * (item.low.x + item.high.x), 0.5f * (item.low.y + item.high.y)};
  drag(0, middle, middle, false, false, 1);
}

void SyntheticInput::apply() {
  if (moments_.empty() && !used_) return;
  used_ = true;
  Moment now{at_};
  if (!moments_.empty()) {
    now = moments_.front();
    moments_.pop_front();
  }
  at_ = now.at;
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = 1.0f / 60;  // double clicks must not depend on the drawing speed
  io.MousePos = now.at;
  for (int b = 0; b < 3; ++b) io.MouseDown[b] = b == now.button;
  io.MouseWheel = now.wheel;
  io.KeyCtrl = now.ctrl;
  io.KeyShift = now.shift;
  io.KeyAlt = now.alt;
  if (held_key_ >= 0) io.KeysDown[held_key_] = false;
  if (now.key >= 0) io.KeysDown[now.key] = true;
  held_key_ = now.key;
  io.AddInputCharactersUTF8(now.text.c_str());
}

}  // namespace backlit::viewer
