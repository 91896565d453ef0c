// Shared by the subcommands of `backlit`. Each subcommand is a file cmd_NAME.cpp with one function that declares its
// flags.
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

/// The work of a command, run after parsing; set by the subcommand that the user named.
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

/// Adds every subcommand that this build has.
void add_commands(CLI::App&, Action&);

/// Output of `backlit --version --verbose`: the parts built in, and the findings on the machine.
std::string version_report();

/// --quiet, --verbose and --json, and where text goes: results to standard output, everything else to standard error.
struct Console {
  bool quiet = false;
  bool verbose = false;
  bool json = false;

  void add_flags(CLI::App&, bool with_json);
  /// Prints one line of the result for people; nothing with --json or --quiet.
  void say(const std::string& name, const std::string& text) const;
  /// Prints a warning; nothing with --quiet.
  void warn(const std::string& text) const;
  /// Prints only with --verbose.
  void detail(const std::string& text) const;
  /// Prints the JSON object to standard output; nothing without --json.
  void print_json(const std::string& object) const;
};

/// Prints the device's time by pass as a table, the longest first; nothing if no pass was timed.
void print_passes(const PassTimes&, const Console&);

/// "--subset-order" for "subset_order".
std::string flag_name(const std::string& parameter);

/// The present name of a model. Prints a line to standard error if `model` is an old name.
std::string present_name(const std::string& model);

/// Help text of a parameter: its meaning, choices or range, default, and the options that it needs.
std::string help_text(const Parameter&);
/// The name of the parameter's value in help: a unit, NAME, COUNT, ...
std::string type_name(const Parameter&);

/// Adds a flag "--name" for each parameter, with its unit, range, choices and default in the help. The parameters'
/// targets and `given` must live until parsing ends. `given` receives the names of the parameters that the command line
/// sets.
void add_parameter_flags(CLI::App&, Parameters, const std::string& group, std::vector<std::string>* given = nullptr);
/// --correct, and a flag for each option of a correction. Returns the flags of these.
std::vector<std::string> add_correction_flags(CLI::App&, PreparationOptions&);

/// Replaces names of parameters in `backquotes` by their flags. For messages of the engine.
std::string in_flags(std::string text);

/// -o, --output: the volumes that a reconstruction writes.
void add_volume_outputs(CLI::App&, std::vector<std::string>& files);

/// Set by Ctrl-C (SIGINT), SIGTERM and SIGHUP. A second signal ends the program at once.
CancelToken& interrupt();
void install_signal_handlers();

}  // namespace backlit::cli
