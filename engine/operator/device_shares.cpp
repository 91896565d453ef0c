#include "operator/device_shares.hpp"

#include <algorithm>
#include <chrono>

#include "backend/backend.hpp"
#include "operator/split_by_speed.hpp"
#include "operator/tiling.hpp"

namespace backlit {
namespace {

constexpr std::int64_t trial_views = 32;     // for measuring speeds
constexpr double worth_sharing_anew = 1.05;  // ratio of speeds below which devices count as equal

/// Slices that shares are multiples of: as many as voxel-driven kernels take at a time, whose numbers depend on where
/// these begin. Other models may have fewer, an eighth of a share, or three devices would have 16, 32 and 16 of 64.
std::int64_t step_for(Model model, std::int64_t share) {
  std::int64_t step = 16;
  while (step > 1 && step > (model == Model::voxel_driven ? share : share / 8)) step /= 2;
  return step;
}

std::vector<Run> cut(const VolumeGrid& grid, const std::vector<double>& speeds, std::int64_t step) {
  std::vector<Run> slabs;
  std::int64_t done = 0;
  for (std::int64_t count : split_by_speed(grid.size[2], speeds, step)) {
    slabs.push_back({done, count});
    done += count;
  }
  return slabs;
}

/// Slices a second.
double speed_of(Backend& device, const VolumeGrid& grid, const Run& slices, const Scan& scan,
                const CtOptions& options) {
  device.activate();
  const auto slab = device.make_slab(grid, slices.first, slices.count, scan, options);
  const Subset trial{0, std::min(trial_views, scan.view_count()), 1};
  const ArrayPtr views = slab->make_range(trial.count), volume = slab->make_domain();
  double seconds = 0;
  for (int run = 0; run < 2; ++run) {  // the first warms up
    device.finish();
    const auto begin = std::chrono::steady_clock::now();
    slab->back(*views, *volume, trial, Write::overwrite);
    device.finish();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return static_cast<double>(slices.count) / std::max(1e-9, seconds);
}

}  // namespace

DeviceShares share_by_speed(const std::vector<Backend*>& devices, const VolumeGrid& grid, const Scan& scan,
                            const CtOptions& options) {
  DeviceShares equal{std::vector<double>(devices.size(), 1.0), {}};
  const std::int64_t step = step_for(options.model, grid.size[2] / static_cast<std::int64_t>(devices.size()));
  equal.slices = cut(grid, equal.speeds, step);
  if (keeps_slices_together(grid, scan, options)) {
    std::ranges::fill(equal.slices, Run{grid.size[2], 0});
    equal.slices.front() = {0, grid.size[2]};
    return equal;
  }
  if (std::any_of(equal.slices.begin(), equal.slices.end(), [](const Run& r) { return r.count == 0; })) return equal;
  DeviceShares shares;
  // Of slabs that differ by a slice at most: few slices take as long as some more.
  const std::vector<Run> trial = cut(grid, equal.speeds, 1);
  for (std::size_t i = 0; i < devices.size(); ++i)
    shares.speeds.push_back(speed_of(*devices[i], grid, trial[i], scan, options));
  const auto [slowest, fastest] = std::minmax_element(shares.speeds.begin(), shares.speeds.end());
  if (*fastest <= worth_sharing_anew * *slowest) return equal;
  shares.slices = cut(grid, shares.speeds, step);
  return shares;
}

}  // namespace backlit
