// The table of formats that load_scan() and is_scan() use.
#pragma once

#include <backlit/io/scans/scan_format.hpp>
#include "io/format_list.hpp"

namespace backlit {

FormatList<ScanFormat>& scan_format_list();

}  // namespace backlit
