// What views hold at the sides of the detector: air, or an object that is cut off.
#pragma once

#include <span>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Values of a view at its outermost columns, as shares of its largest value.
struct ViewEdges {
  double left = 0, right = 0;
};

ViewEdges edges_of(std::span<const float> view, const Detector&);

/// Edges of up to 16 views of line integrals, spread over the scan.
std::vector<ViewEdges> edges_of_views(ProjectionSource&);

/// Shares of the views that are cut off.
struct CutOffShares {
  double left = 0, right = 0, any = 0;
};

/// The short side of a displaced detector lies inside the object by design and does not count. `center_px` is the
/// column on which the axis projects.
CutOffShares cut_off_shares(const Detector&, const std::vector<ViewEdges>&, double center_px);

}  // namespace backlit
