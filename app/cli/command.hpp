// What the subcommands of `backlit` share: each is a file cmd_NAME.cpp with one function that declares its flags.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <backlit/core/parameter.hpp>
#include <backlit/core/pass_time.hpp>
#include <backlit/core/progress.hpp>
#include <backlit/preprocess/preparation.hpp>

namespace CLI {
class App;
}

namespace backlit::cli {

/// What to do once the command line is understood; set by the subcommand that was named.
using Action = std::function<void()>;

void add_simulate(CLI::App&, Action&);
void add_project(CLI::App&, Action&);
void add_recon(CLI::App&, Action&);
void add_pet(CLI::App&, Action&);
void add_compare(CLI::App&, Action&);
void add_info(CLI::App&, Action&);
void add_convert(CLI::App&, Action&);
void add_render(CLI::App&, Action&);
void add_calibrate(CLI::App&, Action&);
void add_bench(CLI::App&, Action&);
void add_pet_quality(CLI::App&, Action&);
void add_stream(CLI::App&, Action&);
void add_study(CLI::App&, Action&);
void add_doctor(CLI::App&, Action&);
void add_demo(CLI::App&, Action&);
void add_completion(CLI::App&, Action&);

/// All of them that this build has.
void add_commands(CLI::App&, Action&);

/// What `backlit --version --verbose` prints: parts built in, and what was found on the machine.
std::string version_report();

/// --quiet, --verbose and --json, and where words go: results to standard output, everything else to standard error.
struct Console {
  bool quiet = false;
  bool verbose = false;
  bool json = false;

  void add_flags(CLI::App&, bool with_json);
  /// A line of the result for people; nothing with --json or --quiet.
  void say(const std::string& name, const std::string& text) const;
  /// Something the user should know though it worked; nothing with --quiet.
  void warn(const std::string& text) const;
  /// Only with --verbose.
  void detail(const std::string& text) const;
  /// The object that --json promises, on standard output.
  void print_json(const std::string& object) const;
};

/// The device's time by pass as a table, the longest first; nothing where there is none.
void tell_passes(const PassTimes&, const Console&);

/// "--subset-order" for "subset_order".
std::string flag_name(const std::string& parameter);

/// The name that a model has now; says so where it had another.
std::string present_name(const std::string& model);

/// What help says of a parameter: its meaning, choices or range, default, and what it needs.
std::string help_text(const Parameter&);
/// What stands for the parameter's value in help: a unit, NAME, COUNT, ...
std::string type_name(const Parameter&);

/// A flag "--name" for each parameter, with its unit, range, choices and default in the help. The parameters' targets
/// must live until the command line has been parsed, and so must `given`, which collects the names that it holds.
void add_parameter_flags(CLI::App&, Parameters, const std::string& group, std::vector<std::string>* given = nullptr);
/// --correct, and a flag for each option of a correction. Returns the flags of these.
std::vector<std::string> add_correction_flags(CLI::App&, PreparationOptions&);

/// `text` of the engine, where names of parameters stand in `backquotes`, with flags in their place.
std::string in_flags(std::string text);

/// -o, --output: the volumes that a reconstruction writes.
void add_volume_outputs(CLI::App&, std::vector<std::string>& files);

/// Set by Ctrl-C (SIGINT), SIGTERM and SIGHUP. A second signal ends the program at once.
CancelToken& interrupt();
void install_signal_handlers();

}  // namespace backlit::cli
