// The content of a file in physical units, as `backlit info` prints it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/geometry/types.hpp>
#include <backlit/io/scans/scan_file.hpp>

namespace backlit {

struct FileInfo {
  std::string path;
  std::string kind;     ///< "volume", "projections", "scan", or "stack" where the file does not say
  std::string format;   ///< FileFormat::name of its VolumeFormat or ScanFormat
  std::string type{};   ///< StackInfo::type of the stored numbers; empty when there are none
  Size3 size{0, 0, 0};  ///< x, y, z of a volume; columns, rows, images (views) otherwise
  std::optional<Vec3> spacing_mm{};
  std::optional<Vec3> center_mm{};
  std::optional<std::int64_t> views{};  ///< for projections and scans

  // Statistics of all finite values as stored; absent when there are none.
  std::optional<double> min{}, max{}, mean{};
  std::int64_t not_finite = 0;  ///< NaN and infinite values

  std::map<std::string, std::string> more{};  ///< other facts: "trajectory", "pixel_mm", "matrices", ...

  std::vector<ScanFact> facts{};      ///< values of the header that are understood; of several files, the first one's
  std::vector<std::string> unused{};  ///< its other fields: "Name = value"
};

/// Describes anything that open_stack() or load_scan() opens. Reads the whole file once, a few images at a time. Throws
/// InputError when it cannot be read.
FileInfo describe_file(const std::string& spec, const Watch& = {});

/// The same for a scan that is open already.
FileInfo describe_scan(const ScanFile&, const Watch& = {});

}  // namespace backlit
