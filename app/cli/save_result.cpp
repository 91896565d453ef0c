#include "save_result.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <span>

#include <backlit/data/hounsfield.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/recon/stopwatch.hpp>
#include "io/volumes/stacks/mapped_volume.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

/// The last output may take over the file that a large volume is mapped to.
void save_whole(const Volume& volume, const std::vector<std::string>& outputs, const Watch& watch,
                const Console& console) {
  for (const auto& output : outputs) {
    if (&output == &outputs.back() && save_mapped_volume(volume, output))
      console.detail(fmt::format("{} holds the file that the volume was mapped to", output));
    else
      save_volume(volume, output, watch);
  }
}

}  // namespace

double save_result(SessionRun& run, const VolumeGrid& grid, const std::vector<std::string>& outputs,
                   std::optional<double> water, const Console& console) {
  TerminalProgress bar(console.quiet);
  const Watch watch(bar, interrupt());
  StageSeconds seconds;
  std::vector<std::unique_ptr<StackWriter>> writers;
  const auto write = [&](std::int64_t first, std::span<float> slices) {
    const Stopwatch stopwatch(seconds, "write");
    if (water) to_hounsfield(slices, *water);
    if (first == 0) writers.clear();
    if (writers.empty())
      for (const auto& output : outputs) writers.push_back(create_volume(output, grid));
    for (const auto& writer : writers) writer->write(slices);
  };
  if (run.download_slices(write, watch)) {
    const Stopwatch stopwatch(seconds, "write");
    for (const auto& writer : writers) writer->commit();
  } else {
    Volume volume = run.download(watch);
    if (water) to_hounsfield(volume.values.span(), *water);
    const Stopwatch stopwatch(seconds, "write");
    save_whole(volume, outputs, watch, console);
  }
  return seconds["write"];
}

}  // namespace backlit::cli
