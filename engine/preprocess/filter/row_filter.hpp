// The convolution that a scan's rows go through.
#pragma once

#include <memory>

#include <backlit/geometry/view.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include "preprocess/filter/row_convolution.hpp"

namespace backlit {

/// None for views that are filtered already. Throws InputError where rows would be continued too far.
std::unique_ptr<RowConvolution> make_row_filter(const Scan&, const FilterOptions&);

}  // namespace backlit
