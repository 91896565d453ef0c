#include <cmath>

#include "model/action_groups.hpp"
#include "model/script.hpp"

namespace backlit::viewer {
namespace {

bool holds(double left, const std::string& relation, double right, double tolerance) {
  if (relation == "<") return left < right;
  if (relation == "<=") return left <= right;
  if (relation == ">") return left > right;
  if (relation == ">=") return left >= right;
  if (relation == "==") return std::abs(left - right) <= tolerance;
  if (relation == "!=") return !(std::abs(left - right) <= tolerance);
  throw InputError("expect", "unknown relation '" + relation + "'", "use < <= > >= == != is or contains");
}

/// "expect value > 0.01", "expect map is gray", "expect error contains WORDS", "expect value == 0.02 0.001".
void expect(Model& m, const Action& a) {
  const std::string &name = a.arguments[0], &relation = a.arguments[1], &wanted = a.arguments[2];
  if (relation == "contains" || relation == "is") {
    std::string have;
    if (name == "error") {
      have = m.status().errors.empty() ? "" : m.status().errors.back();
    } else {
      ViewState copy = m.state();
      have = find_state_parameter(copy, name, m.list_mode()).text();
    }
    const bool fine = relation == "is" ? have == wanted : have.find(wanted) != std::string::npos;
    if (!fine) throw InputError("expect", fmt::format("{} is '{}', not '{}'", name, have, wanted));
    if (name == "error") m.dismiss_errors();
    return;
  }
  const double value = script_value(m, name), right = number(a, 2);
  const double tolerance = a.arguments.size() > 3 ? number(a, 3) : 1e-9 * std::max(1.0, std::abs(right));
  if (!holds(value, relation, right, tolerance))
    throw InputError("expect", fmt::format("{} is {}, not {} {}", name, value, relation, wanted));
}

}  // namespace

std::vector<ActionInfo> script_actions() {
  return {
      {.name = "wait",
       .arguments = "done|picture|SECONDS|frames N",
       .help = "scripts only: go on later",
       .least = 1,
       .most = 2,
       .run = [](Model&, const Action& a) { throw InputError(a.name, "is for scripts"); }},
      {.name = "expect",
       .arguments = "NAME RELATION VALUE [TOLERANCE]",
       .help = "scripts: stop with an error unless it is so",
       .least = 3,
       .most = 4,
       .run = expect},
  };
}

}  // namespace backlit::viewer
