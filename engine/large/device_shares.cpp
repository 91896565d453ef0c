#include "large/device_shares.hpp"

#include <algorithm>
#include <chrono>

#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "large/cut.hpp"
#include "large/split_by_speed.hpp"

namespace backlit {
namespace {

constexpr std::int64_t trial_views = 32;     // views for measuring speeds
constexpr double worth_sharing_anew = 1.05;  // ratio of speeds below which devices count as equal

std::vector<Run> in_runs(const std::vector<std::int64_t>& counts) {
  std::vector<Run> slabs;
  std::int64_t done = 0;
  for (const std::int64_t count : counts) {
    slabs.push_back({done, count});
    done += count;
  }
  return slabs;
}

/// Speed in slices a second.
double speed_of(Backend& device, const VolumeGrid& grid, const Run& slices, const Scan& scan,
                const CtOptions& options) {
  device.activate();
  const auto slab = device.make_ct(slab_of(grid, slices.first, slices.count), scan, options);
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

std::vector<Run> slabs_by_speed(std::int64_t slices, const std::vector<double>& speeds, Model model) {
  const std::int64_t share = slices / static_cast<std::int64_t>(speeds.size());
  std::int64_t step = 16;
  while (step > 1 && step > (model == Model::voxel_driven ? share : share / 8)) step /= 2;
  return in_runs(split_by_speed(slices, speeds, step));
}

DeviceShares share_by_speed(const std::vector<Backend*>& devices, const VolumeGrid& grid, const Scan& scan,
                            const CtOptions& options) {
  DeviceShares equal{std::vector<double>(devices.size(), 1.0), {}};
  equal.slices = slabs_by_speed(grid.size[2], equal.speeds, options.model);
  if (keeps_slices_together(grid, scan, options)) {
    std::ranges::fill(equal.slices, Run{grid.size[2], 0});
    equal.slices.front() = {0, grid.size[2]};
    return equal;
  }
  if (std::any_of(equal.slices.begin(), equal.slices.end(), [](const Run& r) { return r.count == 0; })) return equal;
  DeviceShares shares;
  // The slabs of the trial differ by one slice at most, because the time is not proportional to few slices.
  const std::vector<Run> trial = in_runs(split_by_speed(grid.size[2], equal.speeds));
  for (std::size_t i = 0; i < devices.size(); ++i)
    shares.speeds.push_back(speed_of(*devices[i], grid, trial[i], scan, options));
  const auto [slowest, fastest] = std::minmax_element(shares.speeds.begin(), shares.speeds.end());
  if (*fastest <= worth_sharing_anew * *slowest) return equal;
  shares.slices = slabs_by_speed(grid.size[2], shares.speeds, options.model);
  return shares;
}

}  // namespace backlit
