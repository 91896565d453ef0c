// Parameters are declared once, beside the options struct they fill. Command-line flags, file keys and the viewer's
// widgets are all generated from that one declaration.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace backlit {

/// A value that is one of a parameter's `choices`, by its place among them.
struct Choice {
  void* value;
  std::size_t (*get)(const void* value);
  void (*set)(void* value, std::size_t place);
};

/// A value that is written as text, such as "find" or "64x64x32", whatever its type.
struct Written {
  void* value;
  std::string (*text)(const void* value);
  /// Throws InputError(where) for text that it does not understand.
  void (*parse)(void* value, const std::string& text, const std::string& where);
};

/// One tunable value: its name, its meaning, and the variable that holds it.
struct Parameter {
  using Target = std::variant<bool*, std::int64_t*, double*, std::string*, Choice, Written>;

  std::string name;  ///< key in files; "--name" with '_' as '-' on the command line
  Target target;     ///< the member of the options struct; its value when declared is the default
  std::string help;
  std::string unit{};  ///< "mm", "deg", "px", the form of what is Written; empty for pure numbers
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices{};  ///< the names of a Choice; of strings the values allowed, empty allows any
  /// What must hold for the value to have an effect, as "`subsets` > 1"; empty while it has one. Names of parameters
  /// stand in `backquotes`, so that programs can write them as their users do.
  std::string needs{};

  /// The present value as text, as a file would hold it.
  std::string text() const;
  /// Parses and stores a value. Throws InputError(where) naming range or choices when it does not fit.
  void set(const std::string& value, const std::string& where = "");
  /// Throws InputError when the present value is out of range or not a choice.
  void check(const std::string& where = "") const;
};

using Parameters = std::vector<Parameter>;

/// A parameter whose value is an enumerator. `names` are in the order of the enumeration, which counts from 0.
template <class Enum>
Parameter choice(std::string parameter, Enum& value, std::string help, std::vector<std::string> names) {
  const Choice target{&value, [](const void* v) { return static_cast<std::size_t>(*static_cast<const Enum*>(v)); },
                      [](void* v, std::size_t place) { *static_cast<Enum*>(v) = static_cast<Enum>(place); }};
  return {std::move(parameter), target, std::move(help), "", 0, 0, std::move(names)};
}

/// Throws InputError for values that do not fit, and for options without effect (Parameter::needs): those that differ
/// from their default, and those of `given` (which a user has named) whatever their value. `where`: the owner of the
/// options, as " with `method` sirt".
void check(const Parameters&, const Parameters& defaults, std::span<const std::string> given,
           const std::string& where = "");

/// A parameter of a type that has `std::string to_text(const Type&)` and `void from_text(Type&, const std::string&
/// text, const std::string& where)` beside it. `form` shows how it is written: "NXxNYxNZ".
template <class Type>
Parameter written(std::string parameter, Type& value, std::string help, std::string form) {
  const Written target{&value, [](const void* v) { return to_text(*static_cast<const Type*>(v)); },
                       [](void* v, const std::string& text, const std::string& where) {
                         from_text(*static_cast<Type*>(v), text, where);
                       }};
  return {std::move(parameter), target, std::move(help), std::move(form)};
}

/// The parameter called `name`; throws InputError that lists the known names.
Parameter& find_parameter(Parameters& parameters, const std::string& name);

}  // namespace backlit
