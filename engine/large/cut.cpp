#include "large/cut.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/projectors/require.hpp>
#include "recon/method_bytes.hpp"

namespace backlit {
namespace {

[[noreturn]] void refuse(const Backend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                         std::int64_t memory, std::int64_t views, bool together) {
  const auto work = [&](const VolumeGrid& g) { return 2 * working_bytes(device, g, scan, options, views); };
  const VolumeGrid part = together ? grid : slab_of(grid, 0, 1);
  const auto fitting = largest_size(part, together, [&](const VolumeGrid& g) { return work(g) <= memory; });
  const std::string what = together ? fmt::format("{} slices, which one row of pixels keeps together,", grid.size[2])
                                    : std::string("one slice");
  throw InputError(
      "gpu_memory",
      fmt::format("{} is too little: {} views of {} x {} pixels and {} of {} x {} voxels take {}",
                  byte_size_text(memory), views, scan.detector.columns, scan.detector.rows, what, grid.size[0],
                  grid.size[1], byte_size_text(work(part))),
      !fitting ? "give more"
      : together
          ? fmt::format("give more, or use at most {} x {} x {} voxels", (*fitting)[0], (*fitting)[1], (*fitting)[2])
          : fmt::format("give more, or use slices of at most {} x {} voxels", (*fitting)[0], (*fitting)[1]));
}

}  // namespace

void require_slices(const Backend& device, const VolumeGrid& grid) {
  const std::int64_t most = device.capabilities().largest_side;
  if (most == 0 || std::max(grid.size[0], grid.size[1]) <= most) return;
  throw Unsupported(
      "grid",
      fmt::format("slices of {} x {} voxels are larger than a texture of this device", grid.size[0], grid.size[1]),
      fmt::format("use at most {0} x {0} voxels", most));
}

VolumeGrid slab_of(const VolumeGrid& grid, std::int64_t first, std::int64_t count) {
  VolumeGrid slab = grid;
  if (count == grid.size[2]) return slab;  // exactly the grid's center
  slab.size[2] = count;
  slab.center.z =
      grid.first_voxel().z + grid.spacing.z * (static_cast<double>(first) + 0.5 * static_cast<double>(count - 1));
  return slab;
}

bool keeps_slices_together(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const bool footprints = options.model == Model::distance_driven || options.model == Model::branchless_dd;
  return footprints && scan.detector.rows == 1 && grid.size[2] > 1;
}

std::int64_t views_at_a_time(const Scan& scan, std::int64_t memory) {
  if (memory == 0) return scan.view_count();
  const std::int64_t view = scan.detector.pixels() * static_cast<std::int64_t>(sizeof(float));
  return std::clamp<std::int64_t>(memory / (16 * view), 1, scan.view_count());
}

Cut find_cut(const Backend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
             std::int64_t memory, std::int64_t views) {
  const Capabilities can = device.capabilities();
  require_slices(device, grid);
  Cut cut{grid.size[2], views > 0 ? views : views_at_a_time(scan, memory)};
  const auto fits = [&] {
    return memory == 0 || 2 * working_bytes(device, slab_of(grid, 0, cut.slices), scan, options, cut.views) <= memory;
  };
  if (keeps_slices_together(grid, scan, options)) {
    if (!fits()) refuse(device, grid, scan, options, memory, cut.views, true);
    return cut;
  }
  std::int64_t slabs = can.most_slices > 0 ? (grid.size[2] + can.most_slices - 1) / can.most_slices : 1;
  for (;; slabs = std::min(grid.size[2], std::max(slabs + 1, slabs + slabs / 8))) {
    cut.slices = (grid.size[2] + slabs - 1) / slabs;
    if (fits()) return cut;
    if (cut.slices == 1) refuse(device, grid, scan, options, memory, cut.views, false);
  }
}

}  // namespace backlit
