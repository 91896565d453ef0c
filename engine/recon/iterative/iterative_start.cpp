// The start of iterations: masks, initial volumes, and writing and resuming checkpoints.
#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <span>

#include <backlit/core/error.hpp>
#include <backlit/device/display_volume.hpp>
#include "device/shared_arrays.hpp"
#include "recon/fdk/fdk.hpp"
#include "recon/fdk/helical_fdk.hpp"
#include "recon/iterative/iterative.hpp"
#include "recon/support_mask.hpp"

namespace backlit {
namespace {

std::string digest(std::span<const std::byte> bytes) {
  return fmt::format("{:08x}", crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

/// A check sum of all values that determine the rays.
std::string digest(const Scan& scan) {
  const Detector& d = scan.detector;
  std::vector<double> numbers{static_cast<double>(d.columns),
                              static_cast<double>(d.rows),
                              d.pixel_u,
                              d.pixel_v,
                              static_cast<double>(d.shape),
                              d.radius};
  for (const View& view : scan.views) {
    numbers.push_back(static_cast<double>(view.beam));
    for (const Vec3& v : {view.source, view.direction, view.center, view.u, view.v})
      numbers.insert(numbers.end(), {v.x, v.y, v.z});
  }
  return fmt::format("{} views with digest {}", scan.view_count(), digest(std::as_bytes(std::span(numbers))));
}

/// Receives the volume of the initial reconstruction, from which the iterations start.
class Start final : public DisplayVolume {
 public:
  Start(Backend& backend, DeviceArray& values) : backend_(backend), values_(values) {}

  void publish(const DeviceArray& volume, const VolumeGrid& grid) override {
    backend_.copy(volume, values_);
    grid_ = grid;
    ++generation_;
  }
  VolumeGrid grid() const override { return grid_; }
  std::int64_t generation() const override { return generation_; }

 private:
  Backend& backend_;
  DeviceArray& values_;
  VolumeGrid grid_;
  std::int64_t generation_ = 0;
};

}  // namespace

void IterativeReconstruction::prepare_start() {
  if (!options_.mask.empty()) {
    if (options_.mask != "cylinder" && !options_.mask_volume)
      throw InputError("mask", fmt::format("'{}' has not been read", options_.mask), "use cylinder or name a volume");
    const Volume mask =
        options_.mask_volume ? mask_of(*options_.mask_volume, grid_, options_.mask) : cylinder_mask(grid_);
    mask_ = operator_->make_domain();
    backend_.upload(mask.values.span(), *mask_);
  }
  if (!options_.resume.empty()) {
    resumed_.emplace(options_.resume);
    RunFacts same = facts();
    if (options_.resume_elsewhere)
      std::erase_if(same, [](const auto& fact) { return fact.first == "backend" || fact.first == "operator"; });
    resumed_->require(same);
    checkpoint_ = options_.resume;
    if (resumed_->iterations() >= options_.iterations && !options_.resume_elsewhere)
      throw InputError(options_.resume, fmt::format("holds {} iterations already", resumed_->iterations()),
                       fmt::format("ask for more than that; `iterations` is {}", options_.iterations));
  } else if (options_.starts_filtered()) {
    FdkOptions start;
    start.precision = options_.precision;
    if (options_.packing == Packing::none) start.packing = Packing::none;  // FDK cannot pack all packings of projectors
    start.filter = options_.filter;
    const ReconInput input{backend_, source_, grid_, options_.initial};
    if (options_.initial == "hfdk")
      initial_ = std::make_unique<HelicalFdk>(input, start);
    else
      initial_ = std::make_unique<FdkReconstruction>(input, start);
  } else if (options_.initial_volume) {
    require_on_grid(*options_.initial_volume, grid_, options_.initial);
    backend_.upload(options_.initial_volume->values.span(), *volume_);
  } else if (has_initial()) {
    throw InputError("initial", fmt::format("'{}' has not been read", options_.initial),
                     "use fdk, hfdk or name a volume");
  }
}

void IterativeReconstruction::step_initial() {
  Stopwatch watch(seconds_, "initial");
  if (initial_->step() != Status::finished) return;
  if (ranks_of(backend_) && options_.initial == "hfdk") {  // which each rank makes on its own device
    backend_.upload(initial_->download().values.span(), *volume_);
    return initial_.reset();
  }
  Start start(backend_, *volume_);
  initial_->publish(start);
  initial_.reset();
}

void IterativeReconstruction::start_iterations() {
  Stopwatch watch(seconds_, "prepare");
  constrain(*volume_);
  begin();
  if (resumed_) {
    RunState restored = state();
    const double data_square = data_square_;
    resumed_->restore(backend_, restored);
    const double rounding = options_.resume_elsewhere ? 1e-3 : 1e-6;  // backends sum in different orders
    if (std::abs(data_square_ - data_square) > rounding * data_square)
      throw InputError(options_.resume, "was written with other projections", "resume with the same scan");
    data_square_ = data_square;
    residuals_ = restored.residuals;
    views_done_ = iterations_done() * passes_ * source_->scan().view_count();
    resumed_.reset();
    ended_ = iterations_done() >= options_.iterations;
  }
  if (finished_) backend_.copy(*volume_, *finished_);
}

RunFacts IterativeReconstruction::facts() const {
  RunFacts facts{{"method", method_},
                 {"backend", backend_.name()},
                 {"operator", operator_->variant()},
                 {"volume", fmt::format("{} x {} x {} of {} x {} x {} mm about {}, {}, {}", grid_.size[0],
                                        grid_.size[1], grid_.size[2], grid_.spacing.x, grid_.spacing.y, grid_.spacing.z,
                                        grid_.center.x, grid_.center.y, grid_.center.z)},
                 {"scan", digest(source_->scan())}};
  facts.insert(facts.end(), own_options_.begin(), own_options_.end());
  std::string mask = "none";
  if (mask_) {
    std::vector<float> values(static_cast<std::size_t>(grid_.voxels()));
    backend_.download(*mask_, values);
    mask = digest(std::as_bytes(std::span(values)));
  }
  facts.emplace_back("mask", mask);
  return facts;
}

RunState IterativeReconstruction::state() {
  RunState s{block_views_, residuals_, {{"data_square", &data_square_}}, {{"volume", volume_.get()}}};
  remember(s);
  return s;
}

void IterativeReconstruction::save_if_due() {
  if (options_.checkpoint.empty() || (!ended_ && iterations_done() % options_.checkpoint_every != 0)) return;
  Stopwatch watch(seconds_, "checkpoint");
  save_checkpoint(options_.checkpoint, facts(), backend_, state());
  checkpoint_ = options_.checkpoint;
}

}  // namespace backlit
