// Every user action as a named command with arguments: menus, keys, scripts and the random-action test share one table.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace backlit::viewer {

class Model;

/// One call of an action: "window 0 0.03".
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
  std::string menu{};      ///< "File", "View/Layout"; empty: not in the menus
  std::string title{};     ///< text in the menu; empty: the name
  std::string shortcut{};  ///< "Ctrl+O", "F1", "Space"; empty: none. Only for actions that work without arguments
  std::string also{};      ///< another shortcut that some users expect
  std::size_t least = 0, most = 0;  ///< number of arguments
  bool ends_run = false;            ///< throws the run in progress away: a long one is not, before the user agrees
  std::function<void(Model&, const Action&)> run{};
  /// Makes a valid call for the present state. Null for actions that random tests must not do: quit, write files.
  std::function<Action(Model&, std::mt19937&)> random{};
  /// Switches only: whether the switch is on, for the menu's check mark; null: not a switch.
  std::function<bool(const Model&)> checked{};
};

const std::vector<ActionInfo>& action_table();
/// Throws InputError that names the most similar action.
const ActionInfo& action_info(const std::string& name);

/// Whether an action would have an effect now: menus and buttons are grey otherwise.
bool possible(const Model&, const std::string& action);

/// The manual's page of the viewer: beside an installed program's documents, or in the sources. Empty: neither is
/// there.
std::filesystem::path manual_page();

/// Parses words separated by blanks; quotes keep blanks in a word, # begins a comment. Empty for an empty line. Throws
/// InputError(where) for an unknown action or a wrong number of arguments.
std::optional<Action> parse_action(const std::string& line, const std::string& where);
/// The text that parse_action() reads back.
std::string text(const Action&);

/// An argument as a number. Throws InputError naming the action.
double number(const Action&, std::size_t argument);
std::int64_t integer(const Action&, std::size_t argument);

}  // namespace backlit::viewer
