// The value of a reconstruction at any point, straight from filtered projections: filtered backprojection without a
// grid (Rautek, Csebfalvi, Grimm, Bruckner, Groeller: D2VR, EuroVis 2006). In double precision on the host: the
// reference of what the device does.
#pragma once

#include <span>
#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/render/cut_plane.hpp>
#include <backlit/render/plane.hpp>
#include "geometry/view_map.hpp"

namespace backlit {

class PointReconstruction {
 public:
  /// `views`: filtered and weighted by FdkFilter, [view][row][column] of `scan` (its ProjectionFilter's, where that is
  /// wider than the one measured). Not copied: it must outlive this. Throws InputError for a source on the axis.
  PointReconstruction(const Scan& scan, std::span<const float> views);

  struct Sample {
    double value = 0;  ///< 1/mm
    Vec3 gradient{0};  ///< 1/mm^2
  };

  /// Sum over views of (R / depth)^2 times the bilinear sample; mm, anywhere in space.
  double value(const Vec3& point) const;
  /// With the gradient of it, for which derivatives along columns and rows are central differences, interpolated like
  /// the values. Throws Unsupported for detectors curved about another axis than the source's.
  Sample sample(const Vec3& point) const;

 private:
  struct PlacedView {
    ViewMap<double> map;
    double axis_distance;
    const float* values;
  };
  Detector detector_;
  std::vector<PlacedView> views_;
};

/// Values at the pixels of a plane, row by row from the top left; width x height, overwritten.
void cut_views(const PointReconstruction&, const CutPlane&, std::span<float> values);

}  // namespace backlit
