#include "cuda/voxel_driven/plan.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include <backlit/core/error.hpp>
#include "geometry/make_view_map.hpp"

namespace backlit::cuda {
namespace {

using Map = ViewMap<double>;

/// The view's affine functions of voxel indices, in units of R, so that 1 / depth^2 is FDK's weight.
Map scaled_map(const VolumeGrid& grid, const Scan& scan, std::size_t view) {
  Map m = in_voxels(make_view_map(scan.detector, scan.views[view]), grid.first_voxel(), grid.spacing);
  const double distance = std::abs(axis_distance(scan.views[view]));
  if (!m.parallel && distance > 0)
    for (int i = 0; i < 4; ++i) {
      m.a[i] /= distance;
      m.b[i] /= distance;
      m.w[i] /= distance;
    }
  return m;
}

/// Depth is affine, so its least value over the grid is at a corner.
bool reaches_behind(const Map& m, const VolumeGrid& grid) {
  double least = m.w[3];
  for (int i = 0; i < 3; ++i)
    least += std::min(0.0, m.w[i] * static_cast<double>(grid.size[static_cast<std::size_t>(i)] - 1));
  return least <= 1e-6;
}

GeneralPlan general_plan(const VolumeGrid& grid, const Scan& scan) {
  GeneralPlan plan;
  for (std::size_t n = 0; n < scan.views.size(); ++n) {
    const Map m = scaled_map(grid, scan, n);
    GeneralView& v = plan.views.emplace_back();
    for (int i = 0; i < 4; ++i) {
      v.a[i] = static_cast<float>(m.a[i] + 0.5 * m.w[i]);  // CUDA's texel centres lie at a half
      v.b[i] = static_cast<float>(m.b[i] + 0.5 * m.w[i]);
      v.w[i] = static_cast<float>(m.w[i]);
    }
    plan.behind = plan.behind || reaches_behind(m, grid);
  }
  return plan;
}

/// A view whose column and depth are the same for all z; otherwise nothing.
std::optional<ColumnView> column_view(const Map& m, const VolumeGrid& grid) {
  const double depth = std::abs(m.w[3]) + std::abs(m.w[0]) + std::abs(m.w[1]);
  if (std::abs(m.w[2]) > 1e-9 * depth || std::abs(m.a[2]) > 1e-9 * (std::abs(m.a[0]) + std::abs(m.a[1]))) return {};
  if (reaches_behind(m, grid)) return {};
  const bool flat = m.kind == DetectorKind::flat;
  double row0 = m.row0;
  if (flat) {  // b = row0 w + (a function of z alone) when the rows run along z
    const int steep = std::abs(m.w[0]) > std::abs(m.w[1]) ? 0 : 1;
    row0 = m.parallel ? 0 : m.b[steep] / m.w[steep];
  }
  const double base = flat ? row0 : 0, rows = flat ? 1 : m.rows_per_mm * m.radius;
  for (int i = 0; i < 2; ++i)
    if (std::abs(m.b[i] - base * m.w[i]) > 1e-9 * std::abs(m.b[2])) return {};
  ColumnView v{};
  const int from[] = {0, 1, 3};
  for (int i = 0; i < 3; ++i) {
    v.a[i] = static_cast<float>(m.a[from[i]]);
    v.w[i] = static_cast<float>(m.w[from[i]]);
  }
  v.b[0] = static_cast<float>(rows * m.b[2]);
  v.b[1] = static_cast<float>(rows * (m.b[3] - base * m.w[3]));
  v.row0 = static_cast<float>(row0 + 0.5);
  return v;
}

std::optional<ColumnPlan> column_plan(const VolumeGrid& grid, const Scan& scan) {
  ColumnPlan plan;
  for (std::size_t n = 0; n < scan.views.size(); ++n) {
    const Map m = scaled_map(grid, scan, n);
    if (m.kind == DetectorKind::cylinder) return {};
    const auto v = column_view(m, grid);
    if (!v) return {};
    plan.views.push_back(*v);
    const bool curved = m.kind == DetectorKind::focused;
    plan.detector = {static_cast<float>((curved ? m.column0 : 0) + 0.5),
                     static_cast<float>(curved ? m.columns_per_radian : 1), curved};
  }
  return plan;
}

/// Interpolation of a packed kernel.
enum class OrbitKernel {
  orbit,      ///< the texture filters
  orbit_fine  ///< with exact weights
};

OrbitPlan orbit_plan(const VolumeGrid& grid, QuarterTurns turns, OrbitKernel kernel) {
  OrbitPlan plan;
  plan.exact_weights = kernel == OrbitKernel::orbit_fine;
  plan.launch = plan.exact_weights ? backproject_orbit_fine : backproject_orbit;
  plan.scan.spacing = static_cast<float>(grid.spacing.x);
  plan.scan.z[0] = static_cast<float>(grid.spacing.z);
  plan.scan.z[1] = static_cast<float>(grid.first_voxel().z - turns.source_z);
  plan.scan.distance = static_cast<float>(turns.distance);
  plan.scan.column0 = static_cast<float>(turns.column0 + 0.5);
  plan.scan.columns = static_cast<float>(turns.columns);
  plan.scan.row0 = static_cast<float>(turns.row0 + 0.5);
  plan.scan.rows = static_cast<float>(turns.rows);
  plan.scan.parallel = turns.parallel;
  plan.turns = std::move(turns);
  return plan;
}

/// Largest distance of the grid from the axis, mm.
double reach_of(const VolumeGrid& grid) { return std::sqrt(0.5) * grid.spacing.x * static_cast<double>(grid.size[0]); }

/// Why packing by quarter turns is not possible; empty where it is. Every voxel of an orbit must lie in front of the
/// source.
std::string refusal_of(const VolumeGrid& grid, const QuarterTurns& turns, OrbitKernel kernel) {
  if (!turns.refusal.empty()) return turns.refusal;
  if (!turns.parallel && turns.distance <= reach_of(grid)) return "the source lies within the grid";
  if (kernel != OrbitKernel::orbit && (turns.parallel || !(turns.rows > 0)))
    return "exact weights take cone beams whose rows run along z";
  return {};
}

/// The variant's name decides; without one, packing and precision decide. Packing is faster in fp16 only: a filtered
/// fetch of RGBA32F costs as much as four of R32F.
std::optional<OrbitKernel> wanted_kernel(const CtOptions& options) {
  if (options.variant == "orbit") return OrbitKernel::orbit;
  if (options.variant == "orbit_fine") return OrbitKernel::orbit_fine;
  if (!options.variant.empty()) return {};
  if (options.precision == Precision::exact) return OrbitKernel::orbit_fine;
  if (options.packing == Packing::orbit ||
      (options.packing == Packing::automatic && options.precision == Precision::half))
    return OrbitKernel::orbit;
  return {};
}
const char* name(OrbitKernel k) { return k == OrbitKernel::orbit ? "orbit" : "orbit_fine"; }

/// Where slices are farther apart (in detector rows, at the axis), interpolation view by view is faster, because rows
/// are then fetched for one slice each. Measured: 1.25 rows 1,123 ms packed and 1,356 in software (rabbit1024), 2.5
/// rows 219 and 173 (rabbit512).
constexpr double most_rows_per_slice = 1.4;

const char* texel_name(Texel t) {
  constexpr const char* names[] = {"r32f", "r16f", "rgba32f", "rgba16f"};
  return names[static_cast<int>(t)];
}

}  // namespace

BackprojectionPlan plan_backprojection(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  BackprojectionPlan plan;
  const bool half = options.precision == Precision::half;
  const bool named_general = options.variant == "general", named_columns = options.variant == "columns";
  if (const auto kernel = wanted_kernel(options)) {
    QuarterTurns turns = find_quarter_turns(scan, grid);
    const std::string refusal = refusal_of(grid, turns, *kernel);
    if (refusal.empty()) {
      plan.kernel = orbit_plan(grid, std::move(turns), *kernel);
      plan.texel = half ? Texel::rgba16f : Texel::rgba32f;
      plan.variant = fmt::format("{} {}", name(*kernel), texel_name(plan.texel));
      return plan;
    }
    const bool fine = *kernel == OrbitKernel::orbit_fine;
    if (!options.variant.empty())
      throw Unsupported("variant " + options.variant, refusal, fine ? "use `variant` exact" : "use `variant` general");
    if (fine || options.packing == Packing::orbit)
      throw Unsupported("packing orbit", refusal, fine ? "use `packing` none" : "use `packing` auto");
  }
  plan.texel = half ? Texel::r16f : Texel::r32f;
  auto columns = named_general ? std::nullopt : column_plan(grid, scan);
  if (columns) {
    plan.kernel = std::move(*columns);
  } else if (named_columns) {
    throw Unsupported("variant columns", "the detector is tilted, or a voxel lies behind the source", "use general");
  } else if (scan.detector.shape == Detector::Shape::curved) {
    throw Unsupported("cuda", "curved detectors that are tilted or not focused on the source", "use `packing` auto");
  } else {
    plan.kernel = general_plan(grid, scan);
  }
  plan.variant = fmt::format("{} {}", columns ? "columns" : "general", texel_name(plan.texel));
  return plan;
}

bool can_plan_exactly(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  if (!options.variant.empty()) return options.variant == "orbit_fine";
  if (options.packing != Packing::automatic) return options.packing == Packing::orbit;
  return refusal_of(grid, find_quarter_turns(scan, grid), OrbitKernel::orbit_fine).empty();
}

bool plans_exactly(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  if (!can_plan_exactly(grid, scan, options)) return false;
  if (!options.variant.empty() || options.packing == Packing::orbit) return true;
  const QuarterTurns turns = find_quarter_turns(scan, grid);
  return turns.rows * grid.spacing.z / turns.distance < most_rows_per_slice;
}

}  // namespace backlit::cuda
