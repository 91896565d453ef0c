#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/device/device_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "command.hpp"
#include "study/plan.hpp"
#include "study/studied_kernels.hpp"
#include "study/study.hpp"
#include "study/study_report.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

namespace fs = std::filesystem;

struct StudyArguments {
  bool quick = false, full = false;
  std::vector<std::string> backends, only, workloads;
  std::string folder, a, b;
  Console console;
};

/// The backends that the user named; otherwise all that start.
std::vector<std::unique_ptr<Backend>> start_backends(const StudyArguments& o) {
  register_studied_kernels();
  std::vector<std::unique_ptr<Backend>> backends;
  for (const std::string& name : o.backends.empty() ? backend_names() : o.backends) try {
      backends.push_back(make_backend(name));
      o.console.say("device", fmt::format("{}: {}", name, device_text(*backends.back())));
    } catch (const Failure& reason) {
      if (!o.backends.empty()) throw;
      o.console.warn(fmt::format("without {}: {}", name, reason.what()));
    }
  return backends;
}

/// Makes the folder and checks it before the measurements, which take long.
fs::path make_folder(const std::string& name) {
  fs::path folder(name);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError(name, "the folder cannot be made: " + error.message(), "choose another with -o");
  const AtomicFile probe(folder / "study.json");  // throws if nothing can be written
  return folder;
}

void summary(const StudyArguments& o, const StudyResult& r, const fs::path& folder) {
  std::int64_t right = 0, noisy = 0, failed = 0, unsupported = 0;
  for (const StudyCell& c : r.cells) {
    right += c.status == StudyCell::Status::ok;
    noisy += c.status == StudyCell::Status::ok && c.noisy;
    failed += c.status == StudyCell::Status::failed;
    unsupported += c.status == StudyCell::Status::unsupported;
  }
  o.console.say("cells", fmt::format("{} measured ({} of them noisy), {} failed, {} not offered", right, noisy, failed,
                                     unsupported));
  for (const char* file : {"study.html", "study.md", "study.csv", "study.json"})
    if (fs::exists(folder / file)) o.console.say("written", (folder / file).string());
}

void write_report(const StudyArguments& o, const StudyResult& result, const fs::path& folder) {
  write_text(folder / "study.md", study_markdown(result));
  write_text(folder / "study.csv", study_csv(result));
  write_text(folder / "study.html", study_html(result));
  summary(o, result, folder);
}

void report(const StudyArguments& o) {
  const StudyResult result = load_study(o.a);
  write_report(o, result, make_folder(o.folder));
}

void study(const StudyArguments& o) {
  if (o.folder.empty()) throw InputError("study", "there is no folder for the report", "name one with -o FOLDER");
  const fs::path folder = make_folder(o.folder);
  const auto backends = start_backends(o);
  std::vector<Backend*> all;
  for (const auto& backend : backends) all.push_back(backend.get());
  StudyResult result;
  {
    TerminalProgress progress(o.console.quiet);
    const auto start = std::chrono::steady_clock::now();
    const auto keep = [&](const StudyResult& so_far, const std::string& group) {
      write_text(folder / "study.json", study_json(so_far));
      o.console.detail(fmt::format(
          "{:.1f} s: {}", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), group));
    };
    result =
        run_study(all, {.full = o.full, .only = o.only, .workloads = o.workloads, .keep = keep}, progress, interrupt());
  }
  const bool stopped = interrupt().requested();
  if (result.cells.empty()) {
    if (stopped) throw Cancelled();
    throw InputError("study", "nothing could be measured",
                     "see docs/study/method.md for the operations of each backend");
  }
  write_text(folder / "study.json", study_json(result));
  write_report(o, result, folder);
  if (stopped) throw Cancelled();
}

void diff(const StudyArguments& o) {
  const std::string text = study_difference(load_study(o.a), load_study(o.b));
  if (o.folder.empty())
    fmt::print("{}", text);
  else
    write_text(o.folder, text);
}

}  // namespace

void add_study(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("study", "Compare architectures on one workload: CPU, OpenGL's pipelines, CUDA");
  const auto o = std::make_shared<StudyArguments>();
  command->add_option("-o,--output", o->folder, "folder that gets study.html, study.md, study.csv and study.json")
      ->type_name("FOLDER");
  auto* quick = command->add_flag("--quick", o->quick, "small: under two minutes on two cores without a GPU (default)");
  command->add_flag("--full", o->full, "for GPUs: minutes, several GB of the device's memory")->excludes(quick);
  command
      ->add_option("--backend", o->backends,
                   fmt::format("{} (default: all that start)", fmt::join(backend_names(), ", ")))
      ->option_text("NAME,...")
      ->delimiter(',');
  command
      ->add_option("--only", o->only, fmt::format("operations: {} (default: all)", fmt::join(study_operations(), ", ")))
      ->option_text("OPERATION,...")
      ->delimiter(',');
  command
      ->add_option("--workload", o->workloads,
                   "only workloads whose names begin with this text (default: all); may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  o->console.add_flags(*command, false);
  command->footer(
      "Ctrl-C ends it early; the results so far are written.\n"
      "Example: backlit study --quick -o study && backlit study diff other/study.json study/study.json");
  CLI::App* difference = command->add_subcommand("diff", "Differences of two studies, as Markdown");
  difference->add_option("A", o->a, "study.json")->required();
  difference->add_option("B", o->b, "study.json; ratios are B / A")->required();
  difference->add_option("-o,--output", o->folder, "output file (default: standard output)")->type_name("FILE.md");
  CLI::App* again = command->add_subcommand("report", "Write a study's page and tables again from its JSON");
  again->add_option("STUDY", o->a, "study.json")->required();
  again->add_option("-o,--output", o->folder, "folder that gets study.html, study.md and study.csv")
      ->type_name("FOLDER")
      ->required();
  command->callback([o, difference, again, &action] {
    action = difference->parsed() ? Action([o] { diff(*o); })
             : again->parsed()    ? Action([o] { report(*o); })
                                  : Action([o] { study(*o); });
  });
}

}  // namespace backlit::cli
