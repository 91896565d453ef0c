#include "large/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/projectors/projector.hpp>
#include "projectors/emission/make_plane_stack.hpp"

namespace backlit {
namespace {

constexpr std::int64_t float_bytes = sizeof(float);
/// A method's volumes and sets of views: x, a correction, column sums, ...; data, residuals, row sums.
constexpr std::int64_t volumes_of_a_method = 6, views_of_a_method = 4;
/// The largest plan's: stacks along two axes and one of four copies, and groups of views; or activity and matter with
/// copies of both along two axes.
constexpr std::int64_t volumes_of_a_plan = 6, views_of_a_plan = 2;
/// Of a view that emission has at work: three of values, two of values and variances.
constexpr std::int64_t images_of_a_view = 7;

std::int64_t parts_of(std::int64_t n, std::int64_t most) { return most > 0 ? (n + most - 1) / most : 1; }
std::int64_t part_of(std::int64_t n, std::int64_t parts) { return (n + parts - 1) / parts; }

/// From `parts` up: few more parts that are all equal, where there are such, for they share one plan.
std::int64_t even_parts(std::int64_t n, std::int64_t parts) {
  for (std::int64_t p = parts; p < 2 * parts && p <= n; ++p)
    if (n % p == 0) return p;
  return parts;
}

}  // namespace

bool keeps_slices_together(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const bool footprints = options.model == Model::distance_driven || options.model == Model::branchless_dd;
  return footprints && scan.detector.rows == 1 && grid.size[2] > 1;
}

std::int64_t views_at_a_time(const Scan& scan, std::int64_t memory) {
  if (memory == 0) return scan.view_count();
  return std::clamp<std::int64_t>(memory / (16 * float_bytes * scan.detector.pixels()), 1, scan.view_count());
}

std::int64_t working_bytes(const Backend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                           const Tiling& t) {
  VolumeGrid part = grid;
  part.size = t.tile;
  return device.plan_bytes(part, scan, options, t.rows) +
         2 * float_bytes * (part.voxels() + t.rows * scan.detector.pixels());
}

std::int64_t smaller_plans_bytes(const Backend& device, const VolumeGrid& grid, const Scan& scan,
                                 const CtOptions& options, const Tiling& t) {
  std::array<std::vector<std::int64_t>, 3> sizes;
  for (std::size_t a = 0; a < 3; ++a) {
    sizes[a] = {t.tile[a]};
    if (const std::int64_t rest = grid.size[a] % t.tile[a]; rest > 0) sizes[a].push_back(rest);
  }
  std::int64_t bytes = 0;
  VolumeGrid part = grid;
  for (const std::int64_t nx : sizes[0])
    for (const std::int64_t ny : sizes[1])
      for (const std::int64_t nz : sizes[2]) {
        part.size = {nx, ny, nz};
        if (part.size != t.tile) bytes += device.plan_bytes(part, scan, options, t.rows);
      }
  return bytes;
}

bool fits_whole(const Backend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                std::int64_t memory) {
  const Capabilities can = device.capabilities();
  if (can.largest_side > 0 && std::max(grid.size[0], grid.size[1]) > can.largest_side) return false;
  if (can.most_slices > 0 && grid.size[2] > can.most_slices) return false;
  if (memory == 0) return true;
  const std::int64_t views = scan.view_count(), pixels = views * scan.detector.pixels();
  std::int64_t plan = 0;
  for (const Packing packing : {options.packing, Packing::automatic})
    for (const ProjectorInfo* projector : projectors_on(device.name()))
      plan = std::max(plan, device.plan_bytes(grid, scan, {projector->model, options.precision, packing}, views));
  return plan + float_bytes * (volumes_of_a_method * grid.voxels() + views_of_a_method * pixels) <= memory;
}

std::int64_t most_bytes_of_a_method(const VolumeGrid& grid, const Scan& scan) {
  return float_bytes * ((volumes_of_a_method + volumes_of_a_plan) * grid.voxels() +
                        (views_of_a_method + views_of_a_plan) * scan.view_count() * scan.detector.pixels());
}

std::int64_t most_bytes_of_emission(const VolumeGrid& grid, const Scan& scan, const EmissionOptions& options) {
  const bool facing = options.slices == EmissionOptions::Slices::facing;
  std::int64_t planes = 1;
  for (const View& view : scan.views)
    planes =
        std::max(planes, (facing ? facing_planes : axis_planes)(scan.detector, view, grid, options.detector_mm).count);
  const EmissionRoom room;
  const std::int64_t pixels = scan.detector.pixels(), at_work = std::min(room.views, scan.view_count()) * pixels;
  return float_bytes *
         ((volumes_of_a_method + volumes_of_a_plan) * grid.voxels() + views_of_a_method * scan.view_count() * pixels +
          images_of_a_view * at_work + std::min(room.given, planes * at_work));
}

Tiling find_tiling(const Backend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                   std::int64_t memory, std::int64_t rows) {
  const Capabilities can = device.capabilities();
  const std::int64_t room = memory / 2;
  Tiling t;
  t.rows = rows > 0 ? rows : views_at_a_time(scan, memory);
  Size3 parts{parts_of(grid.size[0], can.largest_side), parts_of(grid.size[1], can.largest_side),
              parts_of(grid.size[2], can.most_slices)};
  const bool together = keeps_slices_together(grid, scan, options);
  // Tables of areas hold the means of whole columns of voxels along z.
  const bool slices_last = together || options.model == Model::branchless_dd;
  const auto cut = [&] {
    for (std::size_t a = 0; a < 3; ++a) t.tile[a] = part_of(grid.size[a], parts[a]);
    return memory == 0 || working_bytes(device, grid, scan, options, t) <= room;
  };
  while (!cut()) {
    // Slabs as long as there are slices, then parts of slices; or the other way round.
    const bool slabs = slices_last ? t.tile[1] == 1 && !together : t.tile[2] > 1;
    const std::size_t axis = slabs ? 2 : 1;
    if (t.tile[axis] == 1)
      throw InputError("--gpu-memory",
                       fmt::format("{} is too little: {} views of {} x {} pixels and one row of voxels take {}",
                                   byte_size_text(memory), t.rows, scan.detector.columns, scan.detector.rows,
                                   byte_size_text(2 * working_bytes(device, grid, scan, options, t))),
                       "give more");
    parts[axis] = std::min(grid.size[axis], std::max(parts[axis] + 1, parts[axis] + parts[axis] / 8));
  }
  for (std::size_t a = 0; a < 3; ++a) parts[a] = even_parts(grid.size[a], parts[a]);
  cut();
  return t;
}

std::optional<Tiling> find_tiling_in_slabs(const Backend& device, const VolumeGrid& grid, const Scan& scan,
                                           const CtOptions& options, std::int64_t memory, std::int64_t rows) {
  try {
    const Tiling t = find_tiling(device, grid, scan, options, memory, rows);
    if (t.tile[0] == grid.size[0] && t.tile[1] == grid.size[1]) return t;
  } catch (const InputError&) {
  }
  return {};
}

}  // namespace backlit
