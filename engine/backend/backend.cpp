#include "backend/backend.hpp"

namespace backlit {

std::int64_t Backend::plan_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions&, std::int64_t views) const {
  return 2 * static_cast<std::int64_t>(sizeof(float)) * (grid.voxels() + views * scan.detector.pixels());
}

}  // namespace backlit
