#include "model/actions/action_groups.hpp"

namespace backlit::viewer {
namespace {

ActionInfo scripted(const char* name, const char* arguments, const char* help, std::size_t least, std::size_t most) {
  return {.name = name,
          .arguments = arguments,
          .help = help,
          .least = least,
          .most = most,
          .run = [](Model& m, const Action& a) { require(m.hooks.input, "input")(a); }};
}

}  // namespace

std::vector<ActionInfo> input_actions() {
  return {scripted("drag", "left|right|middle X0 Y0 X1 Y1 [ctrl|shift] [in LABEL]",
                   "scripts: drag the mouse, pixels of the window; in LABEL: shares, 0 to 1, of what has it", 5, 8),
          scripted("wheel", "X Y STEPS [ctrl|shift] [in LABEL]", "scripts: turn the mouse wheel", 3, 6),
          scripted("move", "X Y [in LABEL]", "scripts: move the mouse", 2, 4),
          scripted("key", "KEY", "scripts: press a key, as in key Ctrl+Z", 1, 1),
          scripted("type", "TEXT", "scripts: write where a click has put the cursor", 1, 1),
          scripted("drop", "FILE ...", "scripts: drop files on the window", 1, any_number),
          scripted("click", "LABEL", "scripts: press what has this label", 1, 1)};
}

}  // namespace backlit::viewer
