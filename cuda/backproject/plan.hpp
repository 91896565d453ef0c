// Which kernel serves a scan, and its parameters: decided on the host, before anything runs.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "backend/ct_options.hpp"
#include "backproject/kernels.hpp"
#include "geometry/quarter_turns.hpp"

namespace backlit::cuda {

/// One kernel's view of the scan. Lists run over all views (groups); a launch takes a part.
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
  bool fine = false;  ///< interpolation with whole weights
};

struct BackprojectionPlan {
  std::variant<GeneralPlan, ColumnPlan, OrbitPlan> kernel;
  Texel texel = Texel::r32f;
  std::string variant;  ///< "orbit rgba16f", "columns r32f", ...
};

/// Chooses by geometry, precision and packing; precision exact has packed plans alone ("orbit_fine"). Throws
/// Unsupported naming the reason when what was asked for by name does not fit the scan.
BackprojectionPlan plan_backprojection(const VolumeGrid&, const Scan&, const CtOptions&);

/// Whether precision exact should take such a plan: it is asked for, or packing is left to us and the scan allows it.
bool plans_exactly(const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit::cuda
