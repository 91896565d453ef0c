// From the direction matrices of medical image formats to an axis-aligned grid of the engine's world.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit {

/// Sets spacing, centre, pixel_mm, middle_mm and the reversed axes of `layout`, whose sizes are known, from world steps
/// in mm: `steps[a]` is how far one voxel along axis a goes, `first_voxel` the centre of voxel (0,0,0) in the file's
/// order (none: the file does not say). Both are LPS. Throws InputError(where) when an axis is turned away from the
/// world's.
void set_frame(RawLayout& layout, const std::array<Vec3, 3>& steps, const std::optional<Vec3>& first_voxel,
               const std::string& where);

/// LPS to RAS and back.
inline Vec3 swap_lps_ras(const Vec3& p) { return {-p.x, -p.y, p.z}; }

}  // namespace backlit
