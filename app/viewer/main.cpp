// backlit-view: watches and controls a reconstruction.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include <backlit/core/printable.hpp>
#include <backlit/recon/on_failure.hpp>
#include <backlit/version.hpp>
#include "application.hpp"
#include "shell/completion.hpp"
#if defined(BACKLIT_HAVE_CUDA)
#include <backlit/cuda.hpp>
#endif

namespace {

using namespace backlit;

int complain(const std::string& message, int code) {
  std::fflush(stdout);
  write_to_standard_error(fmt::format("backlit-view: {}\n", printable(message)));
  return code;
}

int run(int argc, char** argv) {
#if defined(BACKLIT_HAVE_CUDA)
  register_cuda_backend();
#endif
  std::signal(SIGXFSZ, SIG_IGN);  // a full disk is reported as an error and does not end the program
  std::signal(SIGPIPE, SIG_IGN);
  viewer::SurfaceOptions surface;
  viewer::ApplicationOptions options;
  std::string size, completed_shell;
  CLI::App app{"View and control a reconstruction. F1 in the window shows every key and command.", "backlit-view"};
  app.set_version_flag("--version", fmt::format("backlit-view {}", version()));
  app.get_formatter()->column_width(30);
  app.add_option("file", options.file, "scan, volume, PET list, session or demo:head; none: start screen")
      ->type_name("FILE");
  app.add_option("--scanner", options.scanner, "of a PET list: name or file, or its crystal map")->type_name("SCANNER");
  std::string unused = "stop";
  const Parameter on_failure = failure_parameter(unused);
  app.add_option("--on-failure", options.on_failure, on_failure.help)->check(CLI::IsMember(on_failure.choices));
  auto* const script =
      app.add_option("--script", options.script, "run the commands of this file, one a line, then quit")
          ->type_name("FILE");
  auto* const frames =
      app.add_option(
             "--frames", options.frames,
             "leave after N frames (of a script: after its end) and say how fast they were, and how long inputs waited")
          ->type_name("N")
          ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  app.add_option("--sweep", options.sweep,
                 "change a parameter up and down, in every frame after the first volume; with --frames")
      ->type_name("NAME=LOW:HIGH")
      ->needs(frames);
  auto* const screenshot =
      app.add_option("--screenshot", options.screenshot, "save the last frame as a picture")->type_name("FILE.png");
  app.add_option("--size", size, "size of the window in pixels (default 1400x900)")->type_name("WxH");
  app.add_option("--scale", surface.scale, "of text and lines: 2 on a screen of 192 dots an inch (default: as it says)")
      ->type_name("FACTOR")
      ->check(CLI::Range(0.5f, 8.0f));
  auto* const offscreen =
      app.add_flag("--offscreen", surface.offscreen, "no window and no display server: for scripts and measurements");
  auto* const commands = app.add_flag("--commands", options.commands,
                                      "take commands of scripts from standard input while it runs, one a line; the "
                                      "answer to each is a line: ok, ok VALUE, or error: ...")
                             ->excludes(script)
                             ->excludes(frames);
  auto* const random =
      app.add_option("--random", options.random_actions, "run N random actions, then quit: a test of robustness")
          ->type_name("N")
          ->excludes(commands)
          ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  app.add_option("--serve", surface.serve,
                 "the viewer in a browser, without window and display: prints the address to open (of this machine, "
                 "127.0.0.1, unless ADDRESS says another; port 0: any)")
      ->type_name("[ADDRESS:]PORT")
      ->excludes(offscreen)
      ->excludes(script)
      ->excludes(frames)
      ->excludes(screenshot)
      ->excludes(random);
  app.add_option("--seed", options.seed, "seed of the random actions (default 1)")->type_name("N");
  app.add_flag("--gl-debug", surface.debug, "let the driver check every call");
  app.add_option("--completion", completed_shell, "print a script that completes this command line in bash or zsh")
      ->type_name("SHELL");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{}; see backlit-view --help", error.what()), 2);
  }
  if (!completed_shell.empty()) {
    fmt::print("{}", completion_script(app, completed_shell));
    return 0;
  }
  if (!size.empty()) {
    char end = 0;
    long long width = 0, height = 0;
    if (std::sscanf(size.c_str(), "%lldx%lld%c", &width, &height, &end) != 2 || width < 1 || height < 1 ||
        width > 16384 || height > 16384)
      throw InputError("--size", fmt::format("'{}' is not a size", size), "write 1400x900, up to 16384x16384");
    surface.width = width;
    surface.height = height;
  }
  options.ends_with_commands = surface.offscreen;
  const auto shown = viewer::make_surface(surface);
  viewer::Application(*shown, options).run();
  shown->context()->check("viewer");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  exit_when_mapped_file_is_cut("backlit-view");
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    return complain(error.what(), error.exit_code());
  } catch (const std::bad_alloc&) {
    return complain("out of memory", 1);
  } catch (const std::exception& error) {
    return complain(error.what(), 1);
  }
}
