// Parameters are declared once, beside the options struct they fill. Command-line flags, file keys and the viewer's
// widgets are all generated from that one declaration.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace backlit {

/// One tunable value: what it is called, what it means, and where it lives.
struct Parameter {
  using Target = std::variant<bool*, std::int64_t*, double*, std::string*>;

  std::string name;  ///< key in files; "--name" with '_' as '-' on the command line
  Target target;     ///< the member of the options struct; its value when declared is the default
  std::string help;
  std::string unit{};  ///< "mm", "deg", "px"; empty for pure numbers
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices{};  ///< for strings: the values allowed; empty allows any

  /// The present value as text, as a file would hold it.
  std::string text() const;
  /// Parses and stores a value. Throws InputError(where) naming range or choices when it does not fit.
  void set(const std::string& value, const std::string& where = "");
  /// Throws InputError when the present value is out of range or not a choice.
  void check(const std::string& where = "") const;
};

using Parameters = std::vector<Parameter>;

/// The parameter called `name`; throws InputError that lists the known names.
Parameter& find_parameter(Parameters& parameters, const std::string& name);

}  // namespace backlit
