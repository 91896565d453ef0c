#include <cmath>

#include "model/actions/action_groups.hpp"
#include "model/actions/script.hpp"

namespace backlit::viewer {
namespace {

bool holds(double left, const std::string& relation, double right, double tolerance) {
  if (relation == "<") return left < right;
  if (relation == "<=") return left <= right;
  if (relation == ">") return left > right;
  if (relation == ">=") return left >= right;
  if (relation == "==") return std::abs(left - right) <= tolerance;
  if (relation == "!=") return !(std::abs(left - right) <= tolerance);
  throw InputError("relation", "there is no '" + relation + "'",
                   "use < <= > >= == or !=; expect knows is and contains, too");
}

/// The last error, a text parameter, or the text in the window under a label.
std::string words_of(Model& m, const std::string& name) {
  if (name == "error") return m.status().errors.empty() ? "" : m.status().errors.back();
  try {
    ViewState copy = m.state();
    return find_state_parameter(copy, name, m.list_mode()).text();
  } catch (const InputError&) {
    const auto shown = m.hooks.text_of ? m.hooks.text_of(name) : std::nullopt;
    if (!shown) throw;
    return *shown;
  }
}

std::string value_or_words(Model& m, const std::string& name) {
  try {
    return fmt::format("{:.9g}", script_value(m, name));
  } catch (const InputError&) {
    return words_of(m, name);
  }
}

/// "expect value > 0.01", "expect map is gray", "expect error contains WORDS", "expect probe contains HU", "expect
/// value == 0.02 0.001".
void expect(Model& m, const Action& a) {
  const std::string &name = a.arguments[0], &relation = a.arguments[1], &wanted = a.arguments[2];
  if (relation == "contains" || relation == "is") {
    const std::string have = words_of(m, name);
    const bool fine = relation == "is" ? have == wanted : have.find(wanted) != std::string::npos;
    if (!fine) throw InputError("expect", fmt::format("{} is '{}', not '{}'", name, have, wanted));
    if (name == "error") m.dismiss_errors();
    return;
  }
  if (!script_holds(m, a, 0))
    throw InputError("expect", fmt::format("{} is {}, not {} {}", name, script_value(m, name), relation, wanted));
}

}  // namespace

bool script_holds(Model& m, const Action& a, std::size_t first) {
  const double right = number(a, first + 2);  // refuses too few arguments
  const double tolerance =
      a.arguments.size() > first + 3 ? number(a, first + 3) : 1e-9 * std::max(1.0, std::abs(right));
  return holds(script_value(m, a.arguments.at(first)), a.arguments.at(first + 1), right, tolerance);
}

std::vector<ActionInfo> script_actions() {
  return {
      {.name = "wait",
       .arguments = "done|picture|SECONDS|frames N|until NAME RELATION VALUE",
       .help = "scripts only: go on later",
       .least = 1,
       .most = 5,
       .run = [](Model&, const Action& a) { throw InputError(a.name, "is for scripts"); }},
      {.name = "expect",
       .arguments = "NAME RELATION VALUE [TOLERANCE]",
       .help = "scripts: stop with an error unless it is so",
       .least = 3,
       .most = 4,
       .run = expect},
      {.name = "get",
       .arguments = "NAME",
       .help = "Print a value: a parameter, what 'expect' knows, or a text that the window shows",
       .least = 1,
       .most = 1,
       .run = [](Model& m, const Action& a) { require(m.hooks.say, "get")(value_or_words(m, a.arguments[0])); }},
  };
}

}  // namespace backlit::viewer
