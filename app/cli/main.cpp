// The program `backlit`: reads the command line, runs one subcommand, turns exceptions into one line and an exit code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <set>
#include <string_view>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include <backlit/core/printable.hpp>
#include <backlit/version.hpp>
#include "command.hpp"
#include "commands/cmd_plan.hpp"
#include "options/method_flags.hpp"
#include "ranks/launch.hpp"
#if defined(BACKLIT_HAVE_CUDA)
#include <backlit/cuda.hpp>
#endif

namespace backlit::cli {

void add_commands(CLI::App& app, Action& action) {
  add_demo(app, action);
  add_simulate(app, action);
  add_project(app, action);
  add_calibrate(app, action);
  add_recon(app, action);
  add_plan(app, action);
  add_pet(app, action);
  add_compare(app, action);
  add_info(app, action);
  add_convert(app, action);
  add_render(app, action);
#if defined(BACKLIT_HAVE_STUDY)
  add_bench(app, action);
#endif
  add_pet_quality(app, action);
  add_stream(app, action);
#if defined(BACKLIT_HAVE_STUDY)
  add_study(app, action);
#endif
  add_doctor(app, action);
  add_completion(app, action);
}

}  // namespace backlit::cli

namespace {

using namespace backlit;

constexpr int bad_input = 2, failed = 1;

int complain(const std::string& text, int code) {
  std::string line = text;
  while (!line.empty() && line.back() == '\n') line.pop_back();
  for (char& c : line)
    if (c == '\n') c = ' ';
  write_to_standard_error(fmt::format("backlit: {}\n", printable(line)));
  return code;
}

/// The subcommand that the user named, for a hint at its help.
std::string command_named(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? "backlit" : "backlit " + named.front()->get_name();
}

/// A message of the engine, with parameters replaced by flags of the command.
std::string in_flags_of(const CLI::App& app, std::string text) {
  const auto named = app.get_subcommands();
  const std::string where = text.substr(0, text.find(": "));
  const bool name = where.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
  if (name && !named.empty() && named.front()->get_option_no_throw(cli::flag_name(where)))
    text.replace(0, where.size(), cli::flag_name(where));
  return cli::in_flags(std::move(text));
}

std::string unknown_command(CLI::App& app, int argc, char** argv) {
  const std::string_view name = argv[1];
  if (name == "help")
    return fmt::format("there is no command 'help'; see backlit {}--help", argc > 2 ? std::string(argv[2]) + " " : "");
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return fmt::format("there is no command '{}'; choose one of {}; see backlit --help", name, fmt::join(names, ", "));
}

bool asks_for_version_report(int argc, char** argv) {
  const std::set<std::string_view> words(argv + 1, argv + argc);
  return argc == 3 && words.contains("--version") && (words.contains("--verbose") || words.contains("-v"));
}

int run(int argc, char** argv) {
#if defined(BACKLIT_HAVE_CUDA)
  register_cuda_backend();
#endif
  CLI::App app{
      "Backlit: tomographic reconstruction on the graphics pipeline.\n"
      "Lengths in mm, angles in degrees, attenuation in 1/mm; the rotation axis is +z.",
      "backlit"};
  app.set_version_flag("--version", fmt::format("backlit {}", version()),
                       "print the version; with --verbose details for a bug report");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  cli::Action action;
  cli::add_commands(app, action);
  if (asks_for_version_report(argc, argv)) {
    fmt::print("{}", cli::version_report());
    return 0;
  }
  if (argc > 1 && argv[1][0] != '-' &&
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == argv[1]; }).empty())
    return complain(unknown_command(app, argc, argv), bad_input);
  if (argc > 1 && std::string_view(argv[1]) == "recon" && cli::print_method_page(argc, argv)) return 0;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    const auto launch = cli::find_launch();
    if (launch && launch->rank > 0) return bad_input;  // rank 0 says it
    return complain(fmt::format("{}; see {} --help", error.what(), command_named(app)), bad_input);
  }
  try {
    action();
  } catch (const Error& error) {
    return complain(in_flags_of(app, error.what()), error.exit_code());
  }
  if (std::fflush(stdout) != 0) return failed;  // a closed pipe or a full disk
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  exit_when_mapped_file_is_cut("backlit");
  cli::install_signal_handlers();
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    const auto launch = cli::find_launch();
    if (launch && launch->rank > 0) return error.exit_code();  // rank 0 says it
    return complain(error.what(), error.exit_code());
  } catch (const std::bad_alloc&) {
    return complain("out of memory; ask for a smaller volume or fewer views", failed);
  } catch (const std::exception& error) {
    return complain(error.what(), failed);
  } catch (...) {
    return complain("an unknown failure", failed);
  }
}
