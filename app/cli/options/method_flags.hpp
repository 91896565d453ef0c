// The flags of `backlit recon` that its methods declare, and their pages of help.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <backlit/recon/method.hpp>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace backlit::cli {

/// --method, and one flag for every parameter of any method. Short help shows few of them. --help METHOD shows those of
/// one method, --help-all shows all.
class MethodFlags {
 public:
  void add(CLI::App&);
  /// Replaces CLI11's help by -h, --help and --help-all. Only --help-all shows the flags in `rare`.
  void add_help(CLI::App&, const std::vector<std::string>& rare);

  /// The chosen method, `otherwise` where none is named. Throws InputError for flags that the method does not have,
  /// that have no effect, or whose values are out of range.
  Method method(const std::string& otherwise = "fdk") const;
  bool named() const { return !name_.empty(); }

 private:
  std::string name_;                                          ///< empty: none is named
  std::vector<std::pair<std::string, std::string>> values_;   ///< parameter and value, as given
  std::vector<std::pair<CLI::Option*, std::string>> hidden_;  ///< hidden in short help, with their groups
};

/// If the arguments of `backlit recon` contain --help METHOD, prints the method's page and returns true.
bool print_method_page(int argc, char** argv);

}  // namespace backlit::cli
