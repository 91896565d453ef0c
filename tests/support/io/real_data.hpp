// Measured scans and files of other toolkits: their paths, and helpers.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include <backlit/core/error.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include "support/io/damage.hpp"
#include "support/io/scan_folder.hpp"
#include "support/paths.hpp"
#include "support/recon/recon_options.hpp"

namespace backlit::test {

/// A scan file of assets/scans beside a link to its data, since it names files in its own folder.
inline std::filesystem::path beside_data(const ScanFolder& folder, const std::string& name) {
  namespace fs = std::filesystem;
  for (const auto& entry : fs::directory_iterator(data_dir() / name))
    fs::create_symlink(fs::absolute(entry.path()), folder / entry.path().filename().string());
  const std::string file = name + ".scan.toml";
  return folder.write(file, file_bytes(test::source_dir() / "assets/scans" / file));
}

inline Volume fdk(std::shared_ptr<ProjectionSource> source, const VolumeGrid& grid, const std::string& backend_name) {
  const auto backend = make_backend(backend_name);
  const auto recon = make_reconstruction(*backend, std::move(source), grid, Method("fdk"));
  while (recon->step() != Reconstruction::Status::finished) continue;
  return recon->download();
}

struct Fit {
  double correlation, slope;  ///< b against a; the line passes through the origin
};

inline Fit fit(std::span<const float> a, std::span<const float> b) {
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  const double n = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    sa += x, sb += y, saa += x * x, sbb += y * y, sab += x * y;
  }
  return {(sab - sa * sb / n) / std::sqrt((saa - sa * sa / n) * (sbb - sb * sb / n)), sab / saa};
}

}  // namespace backlit::test
