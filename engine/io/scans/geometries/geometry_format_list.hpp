// The table of formats that read_geometry() and write_geometry() use.
#pragma once

#include <backlit/io/scans/geometry_format.hpp>
#include "io/format_list.hpp"

namespace backlit {

FormatList<GeometryFormat>& geometry_format_list();

}  // namespace backlit
