// Prepares views for the arithmetic of view_map.hpp.
#pragma once

#include <backlit/geometry/view.hpp>
#include "geometry/view_map.hpp"

namespace backlit {

/// The map of one view, in double; any beam, any detector, u and v need not be orthogonal. Throws Unsupported for a
/// curved detector in a parallel beam that is not perpendicular to the cylinder's axis.
ViewMap<double> make_view_map(const Detector&, const View&);

/// in_voxels() takes (i, j, k) voxel indices in place of mm: x = origin + spacing * index. to_float() converts to
/// single precision. Call in_voxels() first: then single precision is exact to a few ulp. With 2048 columns the errors
/// of column and row are below 1e-3 (flat) and 5e-3 (curved) pixels (tests/unit/view_map_test).
ViewMap<double> in_voxels(const ViewMap<double>&, const Vec3& origin, const Vec3& spacing);
ViewMap<float> to_float(const ViewMap<double>&);

/// R of the FDK formula, -(e_x S_x + e_y S_y): mm from the source to the axis along the detector's normal. FDK weighs a
/// point by (R / depth)^2. Parallel beams: 1, with depth 1.
double axis_distance(const View&);

}  // namespace backlit
