// Methods of reconstruction: names, options and factories. A method announces itself by one MethodInfo with an options
// struct of its own. Options that the method has not declared are refused.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include <backlit/core/parameter.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

class Reconstruction;

/// The input of a method.
struct ReconInput {
  Backend& backend;                          ///< outlives the reconstruction
  std::shared_ptr<ProjectionSource> source;  ///< line integrals
  VolumeGrid grid;
  std::string method{};  ///< its name, for messages and checkpoints
};

/// The options of a method: a struct derived from this one.
struct MethodOptions {
  virtual ~MethodOptions() = default;
  /// Declares the options for flags, files and widgets; targets point into this object.
  virtual Parameters parameters() { return {}; }
  /// Throws InputError for values that contradict each other.
  virtual void check() const {}
};

/// Description of a method.
struct MethodInfo {
  std::string name;   ///< "sirt"
  std::string title;  ///< "Simultaneous iterative reconstruction"
  std::string paper;  ///< authors, journal, year
  std::string about;  ///< when to use it, one sentence
  /// The most used options. Widgets show these and hide the others.
  std::vector<std::string> usual{};
  /// Values by parameter that suit most scans, for programs that fill in a form. Defaults are the plainest values.
  std::vector<std::pair<std::string, std::string>> suggested{};

  // Set by announce().
  std::type_index type = typeid(void);  ///< of its options
  /// Copies the options; null gives the defaults.
  std::function<std::unique_ptr<MethodOptions>(const MethodOptions*)> copy{};
  std::function<std::unique_ptr<Reconstruction>(const ReconInput&, const MethodOptions&)> make{};
};

/// Completes the description `words` with the type `Options` and the function `make`. `Options` is derived from
/// MethodOptions and belongs to this method alone. `make`: std::unique_ptr<Reconstruction>(const ReconInput&, const
/// Options&).
template <std::derived_from<MethodOptions> Options, class Make>
MethodInfo announce(MethodInfo words, Make make) {
  words.type = typeid(Options);
  words.copy = [](const MethodOptions* from) -> std::unique_ptr<MethodOptions> {
    return from ? std::make_unique<Options>(dynamic_cast<const Options&>(*from)) : std::make_unique<Options>();
  };
  words.make = [make](const ReconInput& input, const MethodOptions& options) {
    return make(input, dynamic_cast<const Options&>(options));
  };
  return words;
}

/// Adds a method to those that programs offer. Call it before other threads use methods. Throws InputError when a
/// method has that name.
void register_method(MethodInfo);

/// The methods' names, in the order in which programs list them.
std::vector<std::string> method_names();
/// Names of the methods that have the parameter.
std::vector<std::string> methods_with(const std::string& parameter);
/// Throws InputError listing the names.
const MethodInfo& method_info(const std::string& name);

/// A method with the values of its options. Copies are independent.
class Method {
 public:
  Method() : Method("fdk") {}
  /// The method `name` with its defaults. Throws InputError listing the names.
  Method(const std::string& name);
  Method(const char* name) : Method(std::string(name)) {}
  template <std::derived_from<MethodOptions> Options>
  Method(const Options& options) : Method(typeid(Options), options) {}
  Method(const Method&);
  Method& operator=(const Method&);
  Method(Method&&) noexcept = default;
  Method& operator=(Method&&) noexcept = default;

  const std::string& name() const { return info_->name; }
  const MethodInfo& info() const { return *info_; }

  /// Targets point into this object.
  Parameters parameters() { return options_->parameters(); }
  bool has(const std::string& parameter) const;
  /// The value of a parameter as text. Throws InputError as set() does.
  std::string text(const std::string& parameter) const;
  /// Throws InputError for a parameter that the method does not have, naming methods that have it. Throws it too for
  /// values that do not fit.
  void set(const std::string& parameter, const std::string& value);
  /// Resets parameters that have no effect (Parameter::needs) to their defaults.
  void reset_unused();

  const MethodOptions& options() const { return *options_; }
  /// The options as the method's own type, or as a base that several methods share (IterationOptions). Null when the
  /// options are not of that type.
  template <class Options>
  Options* get() {
    return dynamic_cast<Options*>(options_.get());
  }
  template <class Options>
  const Options* get() const {
    return dynamic_cast<const Options*>(options_.get());
  }

 private:
  Method(std::type_index, const MethodOptions&);

  const MethodInfo* info_;
  std::unique_ptr<MethodOptions> options_;
};

/// Throws InputError for values out of range and for values that contradict each other. Throws it too for options
/// without effect that differ from their default or that `given` names. `given`: the options that a user has named.
void check(const Method&, std::span<const std::string> given = {});

/// Throws InputError: `method` has no such parameter. Lists the methods that have it.
[[noreturn]] void refuse_parameter(const std::string& method, const std::string& parameter);

}  // namespace backlit
