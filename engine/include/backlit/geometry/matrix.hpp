// Views as projection matrices and back, and as the 4x4 matrices of a camera that looks from the source.
#pragma once

#include <backlit/geometry/view.hpp>

namespace backlit {

/// Three rows, four columns (GLM counts columns first): (x, y, z, 1) in mm -> (column w, row w, w).
using ProjectionMatrix = glm::dmat4x3;

/// The matrix of a view. In the third row the first three numbers have length 1, and w > 0 in front of the source. So w
/// is the depth in mm along the detector's normal. Parallel: the third row is 0 0 0 1. Throws Unsupported for curved
/// detectors.
ProjectionMatrix projection_matrix(const Detector&, const View&);

/// The view of a matrix of any scale and sign. A matrix leaves the distance to the detector free: `pixel_u` (mm) fixes
/// it. The sign is chosen so that the world's origin lies in front of the source. The view is parallel when the first
/// three numbers of the third row are 0. Then pixel sizes come from the matrix, the detector is perpendicular to the
/// rays, and the source is on the side to which u x v points. Throws InputError when the matrix is singular or not
/// finite.
View view_from_matrix(const ProjectionMatrix&, const Detector&, double pixel_u);

/// The same, with the distance from source to detector along its normal (mm) in place of the pixel size.
View view_from_matrix_at(const ProjectionMatrix&, const Detector&, double source_to_detector);

/// Matrices of a camera at the source. window * projection * model_view maps (x, y, z, 1) to homogeneous coordinates.
/// Their (x, y, w) are (column w, row w, w) of projection_matrix(). Their z runs from 0 at `near` to w at `far`
/// (OpenGL: glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE)). An offset detector gives an off-axis frustum. A parallel
/// beam's camera is at the detector's centre; its near and far are mm behind the detector's plane along the normal and
/// may be negative. When u x v points away from the source, the projection mirrors rows and reverses the orientation of
/// triangles. Throws Unsupported for curved detectors and for u and v that are not orthogonal, InputError for near >=
/// far.
struct CameraMatrices {
  glm::dmat4 model_view;  ///< rigid; world mm -> source at the origin, +x along u, looking down -z (OpenGL's eye space)
  glm::dmat4 projection;  ///< eye -> clip, the detector's outline (pixel edges) at -1 and +1
  glm::dmat4 window;      ///< normalised device coordinates -> (column, row, depth in [0,1])
};
CameraMatrices camera_matrices(const Detector&, const View&, double near_mm, double far_mm);

}  // namespace backlit
