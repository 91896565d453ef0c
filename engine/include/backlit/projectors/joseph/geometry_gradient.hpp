// Derivatives of line integrals by the positions of source and detector, for calibration and learned alignment.
#pragma once

#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// Derivatives by the twelve numbers of a View, per mm.
struct ViewGradient {
  Vec3 source{0};  ///< by View::source; parallel beams: by View::direction, kept at length 1 (perpendicular to it)
  Vec3 center{0}, u{0}, v{0};
};

/// One entry a view: the derivative of sum(weights * A x) by the view's numbers. A is `joseph` in double precision on
/// the CPU, x the volume [z][y][x], weights [view][row][column]. A weight of 1 in one pixel and 0 elsewhere gives that
/// pixel's derivative.
///
/// Joseph's value is piecewise smooth in the geometry. It has kinks where a ray meets a slice on a line through voxel
/// centres: there the result is the mean of both sides. It has small jumps where a ray changes its main axis: the
/// derivative ignores them. Throws Unsupported for curved detectors.
template <class Value>
std::vector<ViewGradient> geometry_gradient(const VolumeGrid&, const Scan&, const Value* volume, const double* weights);

extern template std::vector<ViewGradient> geometry_gradient(const VolumeGrid&, const Scan&, const float*,
                                                            const double*);
extern template std::vector<ViewGradient> geometry_gradient(const VolumeGrid&, const Scan&, const double*,
                                                            const double*);

}  // namespace backlit
