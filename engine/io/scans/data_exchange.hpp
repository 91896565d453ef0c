// HDF5 in Data Exchange layout (De Carlo et al., J. Synchrotron Rad. 21, 2014): parallel-beam scans of synchrotrons.
#pragma once

#include <filesystem>

#include <backlit/io/scans/scan_file.hpp>

namespace backlit {

/// exchange/data (views, rows, columns), data_white, data_dark (both optional), theta in degrees. The layout holds no
/// pixel size that can be relied on: 1 mm is taken, and noted. Throws InputError naming the data set that is missing or
/// does not fit.
ScanFile load_data_exchange(const std::filesystem::path&);

}  // namespace backlit
