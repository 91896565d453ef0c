#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <thread>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "command.hpp"
#include "open_session.hpp"
#include "stream/socket.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace fs = std::filesystem;
namespace {

struct StreamArguments {
  std::string scan, to, key;
  double rate = 0;
  PreparationOptions preparation;
  Console console;
};

/// Destination of the views.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void view(std::int64_t index, std::span<const float> values) = 0;
  virtual void end() {}
};

class SocketSink final : public Sink {
 public:
  SocketSink(const std::string& to, const std::string& key, const Scan& scan, const std::string& toml,
             const Console& console)
      : detector_(scan.detector),
        sender_(
            to, interrupt(),
            [&console, to] {
              console.warn(fmt::format("waiting for a viewer that watches {}, with the same key if any", to));
            },
            key) {
    sender_.scan(toml);
  }
  void view(std::int64_t index, std::span<const float> values) override { sender_.view(index, detector_, values); }
  void end() override { sender_.end(); }

 private:
  Detector detector_;
  stream::SocketSender sender_;
};

class FolderSink final : public Sink {
 public:
  FolderSink(const fs::path& folder, const Scan& scan, const std::string& toml)
      : folder_(folder), one_{scan.detector, {scan.views.front()}} {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_directory(folder, error))
      throw InputError(folder.string(), "is a file", "name a folder");
    if (!fs::exists(folder, error) && !fs::create_directory(folder, error))
      throw InputError(folder.string(), "cannot be made", "its folder must exist and be writable");
    if (fs::exists(folder / "watched.scan.toml", error))
      throw InputError(folder.string(), "holds a stream already", "empty it, or name another folder");
    write_text(folder / "watched.scan.toml", toml + "\n[data]\nprojections = \"view_*.mha\"\n");
  }
  void view(std::int64_t index, std::span<const float> values) override {
    const auto writer = create_projections(one_, folder_ / fmt::format("view_{:05}.mha", index));
    writer->write(values);
    writer->commit();
  }

 private:
  fs::path folder_;
  Scan one_;
};

void stream_scan(const StreamArguments& o) {
  if (!(o.rate >= 0)) throw InputError("--rate", fmt::format("{} views a second", o.rate), "give 0 or more");
  const Session session = open_session(o.scan, {.preparation = o.preparation}, o.console);
  const Scan& scan = session.scan();
  const bool socket = stream::is_address(o.to);
  if (!socket && !o.key.empty()) throw InputError("--key", "a folder has no key", "leave it out");
  ScanWriteOptions geometry;
  geometry.trajectory_toml = session.file().trajectory_toml;
  geometry.volume = session.file().volume;
  const std::string toml = scan_text(scan, geometry, o.scan);
  std::unique_ptr<Sink> sink;
  if (socket)
    sink = std::make_unique<SocketSink>(o.to, o.key, scan, toml, o.console);
  else
    sink = std::make_unique<FolderSink>(o.to, scan, toml);
  std::vector<float> view(static_cast<std::size_t>(scan.detector.pixels()));
  TerminalProgress bar(o.console.quiet);
  bar.begin("stream", scan.view_count(), "views");
  auto due = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < scan.view_count(); ++i) {
    interrupt().check();
    session.projections()->read(i, 1, view);
    std::this_thread::sleep_until(due);
    sink->view(i, view);
    bar.advance(1);
    if (o.rate > 0)
      due += std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(1 / o.rate));
  }
  sink->end();
  sink.reset();  // waits until all views are sent
  bar.end();
  o.console.say("streamed", fmt::format("{} views to {}", scan.view_count(), o.to));
}

}  // namespace

void add_stream(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("stream", "Send the views of a scan one by one, as a scanner would");
  const auto o = std::make_shared<StreamArguments>();
  command->add_option("SCAN", o->scan, "scan whose views to send, as line integrals")->required();
  command->add_option("TO", o->to, "tcp://HOST:PORT where `backlit-view` watches, or a folder that it watches")
      ->required();
  command->add_option("--rate", o->rate, "views a second (default: as fast as possible)")->type_name("VIEWS/s");
  command
      ->add_option("--key", o->key,
                   "key of the viewer (default: none to this machine, else stream.key of the configuration folder)")
      ->type_name("FILE");
  add_parameter_flags(*command, describe(o->preparation), "Preparation");
  add_correction_flags(*command, o->preparation);
  o->console.add_flags(*command, false);
  command->footer(
      "Waits until a viewer listens. Ctrl-C stops; a folder keeps the views sent so far.\n"
      "Example: backlit stream tooth.scan.toml tcp://localhost:5555 --rate 30");
  command->callback([o, &action] { action = [o] { stream_scan(*o); }; });
}

}  // namespace backlit::cli
