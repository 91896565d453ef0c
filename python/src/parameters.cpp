#include "parameters.hpp"

#include <backlit/recon/method_options.hpp>

namespace backlit::python {
namespace {

/// A default value as a Python object.
nb::object value_of(const Parameter& p) {
  return std::visit(
      [&](const auto& target) -> nb::object {
        if constexpr (std::is_pointer_v<std::decay_t<decltype(target)>>)
          return nb::cast(*target);
        else
          return nb::cast(p.text());
      },
      p.target);
}

}  // namespace

nb::list described(const Parameters& parameters) {
  nb::list all;
  for (const Parameter& p : parameters) {
    nb::dict d;
    d["name"] = p.name;
    d["default"] = value_of(p);
    d["help"] = p.help;
    d["unit"] = p.unit;
    d["choices"] = p.choices;
    d["min"] = p.min;
    d["max"] = p.max;
    all.append(d);
  }
  return all;
}

std::vector<std::string> steering_names(Method method) {
  std::vector<std::string> names;
  if (!method.get<IterationOptions>()) return names;  // its reconstruction cannot be steered
  for (const Parameter& p : method.parameters())
    if (p.steers) names.push_back(p.name);
  return names;
}

void set(Parameters& parameters, const Options& options) {
  for (const auto& [name, value] : options) find_parameter(parameters, name).set(value);
}

}  // namespace backlit::python
