#include "model/actions/actions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/toml_reader.hpp>
#include <backlit/recon/method.hpp>
#include "model/actions/action_groups.hpp"

namespace backlit::viewer {
namespace {

std::vector<ActionInfo> all_actions() {
  std::vector<ActionInfo> table;
  for (auto group : {file_actions, import_actions, reconstruction_actions, calibration_actions, view_actions,
                     tool_actions, pair_actions, segment_actions, material_actions, input_actions, script_actions})
    for (ActionInfo& info : group()) table.push_back(std::move(info));
  return table;
}

/// Splits a line into words. Quotes keep blanks in a word; a backslash in quotes escapes the next character. # begins a
/// comment only at the start of a word: turn_####.png is a word.
std::vector<std::string> words_of(const std::string& line, const std::string& where) {
  std::vector<std::string> words;
  bool in_word = false, quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (!in_word && c == '#') break;
    if (!quoted && (c == ' ' || c == '\t' || c == '\r')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '"')
      quoted = !quoted;
    else if (quoted && c == '\\' && i + 1 < line.size())
      words.back() += line[++i];
    else
      words.back() += c;
  }
  if (quoted) throw InputError(where, "a quote is not closed", "end it with \"");
  return words;
}

const ActionInfo* find(const std::string& name) {
  for (const ActionInfo& info : action_table())
    if (info.name == name) return &info;
  return nullptr;
}

/// Whether `set NAME VALUE` knows the name, for one of the methods at least.
bool is_parameter(const std::string& name) {
  if (!methods_with(name).empty()) return true;
  ViewState state;
  for (const StateSection& section : describe(state))
    for (const Parameter& p : section.parameters)
      if (p.name == name || section.name + "." + p.name == name) return true;
  return false;
}

/// Throws for words that are no action: names those that begin so, a parameter of that name, or the most similar one.
[[noreturn]] void refuse_words(const std::vector<std::string>& words) {
  const std::string& first = words[0];
  std::vector<std::string> begin_so;
  for (const ActionInfo& info : action_table())
    if (info.name.starts_with(first + " ")) begin_so.push_back(info.name);
  if (!begin_so.empty())
    throw InputError(first, words.size() > 1 ? fmt::format("there is no '{} {}'", first, words[1]) : "is not complete",
                     fmt::format("write one of: {}", fmt::join(begin_so, ", ")));
  if (is_parameter(first))
    throw InputError(first, "is a parameter, no action",
                     fmt::format("write: set {} {}", first, words.size() > 1 ? words[1] : "VALUE"));
  static_cast<void>(action_info(first));
  throw InputError(first, "no such action");
}

template <class T>
T parse(const Action& action, std::size_t argument) {
  const std::string how = fmt::format("write: {} {}", action.name, action_info(action.name).arguments);
  if (argument >= action.arguments.size()) throw InputError(action.name, "too few arguments", how);
  const std::string& word = action.arguments[argument];
  T value{};
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = error == std::errc{} && stop == word.data() + word.size();
  if (!whole || !std::isfinite(static_cast<double>(value)))
    throw InputError(action.name, fmt::format("'{}' is not a {}number", word, std::is_integral_v<T> ? "whole " : ""),
                     how);
  return value;
}

}  // namespace

const std::vector<ActionInfo>& action_table() {
  static const std::vector<ActionInfo> table = all_actions();
  return table;
}

const ActionInfo& action_info(const std::string& name) {
  if (const ActionInfo* info = find(name)) return *info;
  std::vector<std::string_view> names;
  for (const ActionInfo& info : action_table()) names.push_back(info.name);
  const std::string nearest = nearest_word(name, names);
  throw InputError(name, "no such action",
                   nearest.empty() ? "F1 shows what there is" : "did you mean " + nearest + "?");
}

std::optional<Action> parse_action(const std::string& line, const std::string& where) {
  std::vector<std::string> words = words_of(line, where);
  if (words.empty()) return {};
  const bool two = words.size() > 1 && find(words[0] + " " + words[1]);
  Action action{two ? words[0] + " " + words[1] : words[0], {words.begin() + (two ? 2 : 1), words.end()}};
  try {
    if (!find(action.name)) refuse_words(words);
    const ActionInfo& info = action_info(action.name);
    const std::size_t n = action.arguments.size();
    if (n < info.least || n > info.most)
      throw InputError(info.name, fmt::format("{} argument{}", n, n == 1 ? "" : "s"),
                       fmt::format("write: {} {}", info.name, info.arguments));
  } catch (const InputError& error) {
    throw InputError(where, error.what());
  }
  return action;
}

std::string text(const Action& action) {
  std::string line = action.name;
  for (const std::string& word : action.arguments) {
    if (!word.empty() && word.find_first_of(" \t\"#\\") == std::string::npos) {
      line += " " + word;
      continue;
    }
    line += " \"";
    for (char c : word) line += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    line += "\"";
  }
  return line;
}

double number(const Action& action, std::size_t argument) { return parse<double>(action, argument); }
std::int64_t integer(const Action& action, std::size_t argument) { return parse<std::int64_t>(action, argument); }

}  // namespace backlit::viewer
