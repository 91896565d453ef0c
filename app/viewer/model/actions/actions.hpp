// Every user action as a named command with arguments: menus, keys, scripts and the random-action test share one table.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace backlit::viewer {

class Model;

/// One invocation: "window 0 0.03".
struct Action {
  std::string name;  ///< one or two words: "open", "export volume"
  std::vector<std::string> arguments{};
  bool operator==(const Action&) const = default;
};

/// A row of the table.
struct ActionInfo {
  std::string name;
  std::string arguments;  ///< "FILE", "LOW HIGH", "[FRAMES] PATTERN"; for help
  std::string help;
  std::string menu{};      ///< "File", "View/Layout"; empty: not in menus
  std::string title{};     ///< in the menu; empty: the name
  std::string shortcut{};  ///< "Ctrl+O", "F1", "Space"; empty: none. Only actions that work without arguments have one
  std::size_t least = 0, most = 0;  ///< arguments
  std::function<void(Model&, const Action&)> run{};
  /// A valid invocation for the present state; null: not for random tests (it leaves the program, or writes files).
  std::function<Action(Model&, std::mt19937&)> random{};
  /// Of switches: whether it is on, for the menu's check mark; null: no switch.
  std::function<bool(const Model&)> checked{};
};

const std::vector<ActionInfo>& action_table();
/// Throws InputError naming the nearest action.
const ActionInfo& action_info(const std::string& name);

/// Words separated by blanks; "quotes" hold blanks together, # begins a comment. Nothing for an empty line. Throws
/// InputError(where) for an unknown action or a wrong number of arguments.
std::optional<Action> parse_action(const std::string& line, const std::string& where);
/// What parse_action() reads back.
std::string text(const Action&);

/// A number that an action was given. Throws InputError naming the action.
double number(const Action&, std::size_t argument);
std::int64_t integer(const Action&, std::size_t argument);

}  // namespace backlit::viewer
