// Converts the direction matrices of medical image formats to an axis-aligned grid of the engine's world.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit {

/// Sets spacing, centre, pixel_mm, middle_mm and the reversed axes of `layout`, whose sizes are known. `steps[a]` is
/// the step of one voxel along axis a, mm. `first_voxel` is the centre of voxel (0,0,0) in the file's order, mm; absent
/// when the file lacks it. Both are LPS. Throws InputError(where) when an axis is not parallel to the world's.
void set_frame(RawLayout& layout, const std::array<Vec3, 3>& steps, const std::optional<Vec3>& first_voxel,
               const std::string& where);

/// LPS to RAS and back.
inline Vec3 swap_lps_ras(const Vec3& p) { return {-p.x, -p.y, p.z}; }

}  // namespace backlit
