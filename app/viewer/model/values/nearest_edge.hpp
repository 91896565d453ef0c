// The edge of an object nearest to a point of a slice.
#pragma once

#include <optional>

#include <backlit/render/cut_plane.hpp>
#include "model/values/visible_point.hpp"

namespace backlit::viewer {

/// The point of the plane within `reach` mm of `at` (in the plane, too) where values change most. A change at
/// distance `reach` counts half. Finer than the samples, which are `apart` mm from each other. Nothing where no
/// change is as much as `least` a mm.
std::optional<Vec3> nearest_edge(const CutPlane&, const Vec3& at, double reach, double apart, double least,
                                 const ValuesAt&);

}  // namespace backlit::viewer
