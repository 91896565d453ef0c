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

/// A value that is one of a parameter's `choices`, stored as its index among them.
struct Choice {
  void* value;
  std::size_t (*get)(const void* value);
  void (*set)(void* value, std::size_t place);
};

/// A value of any type that users write as text, such as "find" or "64x64x32".
struct Written {
  void* value;
  std::string (*text)(const void* value);
  /// Throws InputError(where) for text that is not valid.
  void (*parse)(void* value, const std::string& text, const std::string& where);
};

/// One tunable value: its name, its meaning, and the variable that holds it.
struct Parameter {
  using Target = std::variant<bool*, std::int64_t*, double*, std::string*, Choice, Written>;

  std::string name;  ///< key in files; "--name" with '_' as '-' on the command line
  Target target;     ///< a member of the options struct; its value at declaration is the default
  std::string help;
  std::string unit{};  ///< "mm", "deg", "px"; the form of a Written value; empty for pure numbers
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices{};  ///< names of a Choice; allowed values of a string, empty: any
  /// The condition that is missing for the value to have an effect, as "`subsets` > 1"; empty while the value has one.
  /// Parameter names are in `backquotes`, so that programs can replace them by the names that users type.
  std::string needs{};
  bool steers = false;  ///< may change while a reconstruction iterates (Reconstruction::steer)

  /// The present value as text, in the form that files hold.
  std::string text() const;
  /// Parses and stores a value. Throws InputError(where) naming the range or the choices when the value does not fit.
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

/// Throws InputError for values that do not fit. Throws it too for options without effect (Parameter::needs) that
/// differ from their default or that `given` names. `given`: the options that a user has named. `where`: the owner of
/// the options, as " with `method` sirt".
void check(const Parameters&, const Parameters& defaults, std::span<const std::string> given,
           const std::string& where = "");

/// A parameter of a type that has `std::string to_text(const Type&)` and `void from_text(Type&, const std::string&
/// text, const std::string& where)` beside it. `form` shows the syntax: "NXxNYxNZ".
template <class Type>
Parameter written(std::string parameter, Type& value, std::string help, std::string form) {
  const Written target{&value, [](const void* v) { return to_text(*static_cast<const Type*>(v)); },
                       [](void* v, const std::string& text, const std::string& where) {
                         from_text(*static_cast<Type*>(v), text, where);
                       }};
  return {std::move(parameter), target, std::move(help), std::move(form)};
}

/// `list`, whose values may change while a reconstruction iterates.
Parameters steering(Parameters list);

/// The parameter called `name`; throws InputError that lists the known names.
Parameter& find_parameter(Parameters& parameters, const std::string& name);

}  // namespace backlit
