// The RabbitCT data set as a scan.
#pragma once

#include <filesystem>

#include <backlit/io/scans/scan_file.hpp>

namespace backlit {

/// Views from the file's matrices, on pixels of 0.32 mm. The images are filtered and weighted already, which the notes
/// say. Throws InputError naming the file or the first view whose matrix is of no use.
ScanFile load_rabbitct_scan(const std::filesystem::path&);

}  // namespace backlit
