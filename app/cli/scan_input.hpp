// From a scan file to line integrals, ready to be reconstructed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/correction.hpp>
#include "command.hpp"

namespace CLI {
class App;
}

namespace backlit::cli {

struct InputOptions {
  std::string center;        ///< "find", a column, or empty for the scan file's own
  std::string views;         ///< "FIRST:END:STEP", or empty for all
  std::int64_t stripes = 0;  ///< window of the stripe removal in columns; 0 leaves it out

  void add_flags(CLI::App&);
};

struct ScanInput {
  ScanFile file;                                    ///< with the centre that was asked for
  std::shared_ptr<ProjectionSource> source;         ///< line integrals; null when the file has no data
  double center_px = 0;                             ///< column on which the axis projects
  std::shared_ptr<const CorrectionReport> repairs;  ///< of counts, grows as views are read; null for line integrals
};

/// Opens the file; counts become line integrals, the centre is found or set, stripes are removed. Nothing else is read.
/// Shows how far it is, tells `console` what it found. Throws InputError, and Cancelled on Ctrl-C.
ScanInput open_scan(const std::filesystem::path&, const InputOptions&, const Console&);

/// The same; throws InputError when the file has no [data].
ScanInput open_scan_with_data(const std::filesystem::path&, const InputOptions&, const Console&);

/// Tells what the correction of raw counts had to repair in the views that were read so far.
void warn_of_repairs(const ScanInput&, const Console&);

}  // namespace backlit::cli
