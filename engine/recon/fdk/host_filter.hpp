// FDK's filter on the host.
#pragma once

#include <memory>

#include <backlit/core/index_range.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>

namespace backlit {

class Backend;

/// FdkFilter, then an upload, for views that come as these rows alone; the first has an even number. The backend must
/// outlive the filter.
std::unique_ptr<ProjectionFilter> make_host_filter(Backend&, const Scan&, const FilterOptions&, const IndexRange& rows);

}  // namespace backlit
