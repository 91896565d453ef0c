// Joseph's method in double precision, by either of two ways to the same numbers.
#pragma once

#include <memory>

#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// Ray by ray, for all scans: the definition.
std::unique_ptr<LinearOperator> joseph_by_rays(const VolumeGrid&, const Scan&, StackChoice);

/// Column by column, in a quarter of the time. For scans that column_rays_refusal() does not refuse.
std::unique_ptr<LinearOperator> joseph_by_columns(const VolumeGrid&, const Scan&, StackChoice);

}  // namespace backlit
