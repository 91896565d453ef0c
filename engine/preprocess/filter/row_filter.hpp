// The convolution for the rows of a scan.
#pragma once

#include <memory>

#include <backlit/geometry/view.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include "preprocess/filter/row_convolution.hpp"

namespace backlit {

/// Null for views that are filtered already. Throws InputError when rows would be continued too far.
std::unique_ptr<RowConvolution> make_row_filter(const Scan&, const FilterOptions&);

}  // namespace backlit
