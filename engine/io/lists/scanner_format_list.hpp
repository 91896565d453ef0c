// The table of formats that load_scanner() and save_scanner() use.
#pragma once

#include <backlit/io/lists/scanner_format.hpp>
#include "io/format_list.hpp"

namespace backlit {

FormatList<ScannerFormat>& scanner_format_list();

}  // namespace backlit
