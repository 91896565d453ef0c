#include "save_result.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>

#include <backlit/data/hounsfield.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/recon/stopwatch.hpp>
#include "device/hosted_array.hpp"
#include "io/volumes/stacks/mapped_volume.hpp"
#include "ranks/save_slabs.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

/// A run's volume: its slices on the device, or the whole of it on the host.
class Result {
 public:
  Result(SessionRun& run, std::optional<double> water, const Watch& watch) : run_(run), water_(water) {
    if (const auto grid = run.slices_on_device())
      own_ = *grid;
    else
      fetch(watch);
  }

  const VolumeGrid& own() const { return own_; }
  /// Null where the slices are on the device.
  const Volume* whole() const { return whole_ ? &*whole_ : nullptr; }

  /// Calls `take` for all slices, in order; from slice 0 again where the device fails meanwhile. `behind`: see
  /// SessionRun::download_slices().
  void give(const TakeSlices& take, const Watch& watch, bool behind) {
    const Stopwatch giving(seconds_, "give");
    const std::int64_t slice = own_.size[0] * own_.size[1];
    const auto timed = [&](std::int64_t first, std::span<float> slices) {
      const double begin = clock_seconds();
      take(first, slices);
      spans_.push_back({"write", fmt::format("slices {} to {}", first, first + std::ssize(slices) / slice - 1), begin,
                        clock_seconds() - begin});
    };
    const auto converted = [&](std::int64_t first, std::span<float> slices) {
      if (water_) to_hounsfield(slices, *water_);
      timed(first, slices);
    };
    if (!whole_ && run_.download_slices(converted, watch, behind)) return;
    if (!whole_) fetch(watch);  // another device goes on, which downloads whole volumes
    in_batches(watch, "write", own_.size[2], slice, "slices", [&](std::int64_t first, std::int64_t count) {
      timed(first, whole_->values.span().subspan(static_cast<std::size_t>(first * slice),
                                                 static_cast<std::size_t>(count * slice)));
    });
  }

  /// Computes slices that are not finished, where all are kept.
  void compute() {
    const DeviceArray* const volume = whole_ ? nullptr : run_.reconstruction().unfinished_volume();
    const bool gone = dynamic_cast<const SelfDownloading*>(volume) && !dynamic_cast<const HostedArray*>(volume);
    if (volume && !gone) run_.reconstruction().finish_slices(-1);
  }

  /// Of `elapsed` seconds, those of writing.
  double writing(double elapsed) { return elapsed - seconds_["give"] + lane_seconds(spans_)["write"]; }
  const Timeline& spans() const { return spans_; }

 private:
  void fetch(const Watch& watch) {
    whole_ = run_.download(watch);
    if (water_) to_hounsfield(whole_->values.span(), *water_);
    own_ = whole_->grid;
  }

  SessionRun& run_;
  std::optional<double> water_;
  VolumeGrid own_;
  std::optional<Volume> whole_;
  StageSeconds seconds_;
  Timeline spans_;
};

void save(Result& result, const std::string& file, const VolumeGrid& grid, const Watch& watch) {
  std::unique_ptr<StackWriter> writer;
  result.give(
      [&](std::int64_t first, std::span<const float> slices) {
        if (first == 0) writer = create_volume(file, grid);
        writer->write(slices);
      },
      watch, true);
  writer->commit();
}

}  // namespace

SavedResult save_result(SessionRun& run, Ranks* ranks, const Outputs& to) {
  TerminalProgress bar(to.console.quiet);
  const Watch watch(bar, interrupt());
  Result result(run, to.water, watch);
  StageSeconds seconds;
  {
    const Stopwatch stopwatch(seconds, "write");
    const SlicesToSave slices{
        [&](const TakeSlices& take, const Watch& w, bool behind) { result.give(take, w, behind); },
        [&] { result.compute(); }};
    for (const auto& file : to.files) {
      if (ranks)
        save_slabs(*ranks, result.own(), slices, to.grid, file, watch);
      else if (&file == &to.files.back() && result.whole() && save_mapped_volume(*result.whole(), file))
        to.console.detail(fmt::format("{} holds the file that the volume was mapped to", file));
      else
        save(result, file, to.grid, watch);
    }
  }
  return {result.own().size[2], result.writing(seconds["write"]), result.spans()};
}

}  // namespace backlit::cli
