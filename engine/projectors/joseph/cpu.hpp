// Joseph's method in double precision, by either of two ways to the same numbers.
#pragma once

#include <memory>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// Ray by ray, for all scans: the definition. `axes` = [view] the axis of the view's stack; empty: each ray's main
/// axis.
std::unique_ptr<LinearOperator> joseph_by_rays(const VolumeGrid&, const Scan&, std::vector<int> axes);

/// Column by column, in a fifth of the time. For scans that column_rays_refusal() does not refuse.
std::unique_ptr<LinearOperator> joseph_by_columns(const VolumeGrid&, const Scan&, std::vector<int> axes);

}  // namespace backlit
