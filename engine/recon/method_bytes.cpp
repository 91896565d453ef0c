#include "recon/method_bytes.hpp"

#include <algorithm>

#include <backlit/projectors/projector.hpp>
#include "projectors/emission/make_plane_stack.hpp"

namespace backlit {
namespace {

constexpr std::int64_t float_bytes = sizeof(float);
/// A method's volumes and sets of views: x, a correction, column sums, ...; data, residuals, row sums.
constexpr std::int64_t volumes_of_a_method = 6, views_of_a_method = 4;
/// Volumes and sets of views of the largest plan: stacks along two axes and one stack of four copies, and groups of
/// views; or activity and attenuation with copies of both along two axes.
constexpr std::int64_t volumes_of_a_plan = 6, views_of_a_plan = 2;
/// Images that emission needs for a view at work: three of values, two of values and variances.
constexpr std::int64_t images_of_a_view = 7;

}  // namespace

std::int64_t working_bytes(const Backend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                           std::int64_t views) {
  return device.plan_bytes(grid, scan, options, views) +
         2 * float_bytes * (grid.voxels() + views * scan.detector.pixels());
}

std::int64_t bytes_of_a_method(const Backend& device, const VolumeGrid& grid, const Scan& scan,
                               const CtOptions& options) {
  const std::int64_t views = scan.view_count(), pixels = views * scan.detector.pixels();
  std::int64_t plan = 0;
  for (const Packing packing : {options.packing, Packing::automatic})
    for (const ProjectorInfo* projector : projectors_on(device.name()))
      plan = std::max(plan, device.plan_bytes(grid, scan, {projector->model, options.precision, packing}, views));
  return plan + float_bytes * (volumes_of_a_method * grid.voxels() + views_of_a_method * pixels);
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
  const std::int64_t pixels = scan.detector.pixels(),
                     at_work = std::min(most_emission_views, scan.view_count()) * pixels;
  return float_bytes *
         ((volumes_of_a_method + volumes_of_a_plan) * grid.voxels() + views_of_a_method * scan.view_count() * pixels +
          images_of_a_view * at_work + std::min(most_emission_values, planes * at_work));
}

}  // namespace backlit
