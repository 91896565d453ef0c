#include "study/tumour_profile.hpp"

#include <fmt/format.h>

#include <cmath>

#include <backlit/phantom/phantom.hpp>

namespace backlit {
namespace {

constexpr double row_mm = -0.605 * 116;  // y of the phantom's tumours in the plane z = 0
constexpr double reach_mm = 25;

/// The voxel along an axis whose centre is nearest to `mm`.
std::int64_t nearest(const VolumeGrid& grid, int axis, double mm) {
  return std::llround((mm - grid.first_voxel()[axis]) / grid.spacing[axis]);
}

}  // namespace

TumourProfile::TumourProfile(const BenchCase& c) {
  const Phantom phantom = load_phantom("shepp-logan-tumours");
  const std::int64_t j = nearest(c.grid, 1, row_mm), k = nearest(c.grid, 2, 0.1 * c.grid.spacing.z);
  for (std::int64_t i = nearest(c.grid, 0, -reach_mm); i <= nearest(c.grid, 0, reach_mm); ++i) {
    const Vec3 at = c.grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
    voxels_.push_back((k * c.grid.size[1] + j) * c.grid.size[0] + i);
    position_mm_.push_back(at.x);
    truth_.push_back(value_at(phantom, at));
  }
  title_ = fmt::format("FDK through the small tumours, {} x {} views", c.name, c.scan.view_count());
}

StudyProfile TumourProfile::of(const std::string& architecture, std::span<const float> volume) const {
  std::vector<double> values;
  for (const std::int64_t voxel : voxels_)
    values.push_back(static_cast<double>(volume[static_cast<std::size_t>(voxel)]));
  return of_values(architecture, std::move(values));
}

StudyProfile TumourProfile::of_values(const std::string& architecture, std::vector<double> values) const {
  return {title_, architecture, position_mm_, std::move(values), truth_};
}

}  // namespace backlit
