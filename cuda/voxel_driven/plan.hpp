// Chooses the kernel for a scan, and its parameters: on the host, before anything runs.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "cuda/voxel_driven/kernels.hpp"

namespace backlit::cuda {

/// One kernel's data of the scan. Lists hold all views (groups); a launch takes a part.
struct GeneralPlan {
  std::vector<GeneralView> views;
  bool behind = false;
};
struct ColumnPlan {
  std::vector<ColumnView> views;
  ColumnDetector detector{};
};
struct OrbitPlan {
  OrbitScan scan{};
  QuarterTurns turns;
  decltype(&backproject_orbit) launch = backproject_orbit;
  bool exact_weights = false;  ///< the kernel interpolates, not the texture
};

struct BackprojectionPlan {
  std::variant<GeneralPlan, ColumnPlan, OrbitPlan> kernel;
  Texel texel = Texel::r32f;
  std::string variant;  ///< "orbit rgba16f", "columns r32f", ...
};

/// options.variant decides; without one, geometry, precision and packing decide, and precision exact has packed plans
/// only ("orbit_fine"). Throws Unsupported with the reason when a choice asked for by name does not fit the scan.
BackprojectionPlan plan_backprojection(const VolumeGrid&, const Scan&, const CtOptions&);

/// Whether precision exact can use such a plan: it is asked for, or the choice is free and the scan allows it.
bool can_plan_exactly(const VolumeGrid&, const Scan&, const CtOptions&);

/// Whether precision exact uses it: it is asked for, or it is faster than interpolation view by view (slices close
/// together).
bool plans_exactly(const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::cuda
