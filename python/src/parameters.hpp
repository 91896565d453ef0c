// The engine's parameters in Python: as dicts that describe them, and set from text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <backlit/core/parameter.hpp>
#include <backlit/recon/method.hpp>
#include "bindings.hpp"

namespace backlit::python {

/// Values by the names of parameters, in the form that files hold.
using Options = std::map<std::string, std::string>;

/// name, default, help, unit, choices, min, max
nb::list described(const Parameters&);
/// Names of the parameters that Reconstruction::steer() takes for this method.
std::vector<std::string> steering_names(Method);
/// Throws InputError that names the parameter.
void set(Parameters&, const Options&);

}  // namespace backlit::python
