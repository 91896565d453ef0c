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

/// --method, and a flag for every parameter of any method. Short help shows few of them, --help METHOD those of one
/// method, --help-all all.
class MethodFlags {
 public:
  void add(CLI::App&);
  /// In place of CLI11's help: -h, --help and --help-all, which alone shows the flags that are `rare`.
  void add_help(CLI::App&, const std::vector<std::string>& rare);

  /// The method asked for. Throws InputError for flags that it does not take, that have no effect, or whose values do
  /// not fit.
  Method method() const;

 private:
  std::string name_ = "fdk";
  std::vector<std::pair<std::string, std::string>> values_;   ///< by parameter, as they were given
  std::vector<std::pair<CLI::Option*, std::string>> hidden_;  ///< in short help, with their groups
};

/// Where arguments of `backlit recon` ask for --help METHOD: prints the method's page, and returns true.
bool print_method_page(int argc, char** argv);

}  // namespace backlit::cli
