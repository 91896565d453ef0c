// Measured scans reconstructed from raw counts with nothing but a scan file, as a user would.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "io/scan_file.hpp"
#include "phantom/phantom.hpp"
#include "preprocess/correction.hpp"
#include "preprocess/rotation_center.hpp"
#include "recon/reconstruction.hpp"
#include "support/real_data.hpp"
#include "support/skip.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

struct Result {
  double center_px;
  CorrectionReport report;
  Volume volume;
};

/// Line integrals whose axis is where they say.
Projections centered(ProjectionSource& source, double center_px) {
  Projections all = read_all(source);
  return {with_center(all.scan, center_px), std::move(all.values)};
}

Volume fdk(Projections data, const VolumeGrid& grid) {
  const auto backend = make_backend("cpu");
  const auto recon = make_reconstruction(*backend, std::make_shared<MemorySource>(std::move(data)), grid, {});
  while (recon->step() != Reconstruction::Status::finished) continue;
  return recon->download();
}

Result reconstruct(const fs::path& scan_file, const VolumeGrid& grid) {
  const ScanFile file = load_scan(scan_file);
  const auto report = std::make_shared<CorrectionReport>();
  const auto source = correct_counts(file.projections, file.flats, file.darks, report);
  const double center = find_center(*source).center_px;
  Volume volume = fdk(centered(*source, center), grid);
  return {center, *report, std::move(volume)};
}

/// Mean over the voxels of slice k whose distance from (x, y) mm lies in [from, to).
double ring_mean(const Volume& v, std::int64_t k, double x, double y, double from, double to) {
  double sum = 0, count = 0;
  for (std::int64_t j = 0; j < v.grid.size[1]; ++j)
    for (std::int64_t i = 0; i < v.grid.size[0]; ++i) {
      const Vec3 p = v.grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
      const double r = std::hypot(p.x - x, p.y - y);
      if (r >= from && r < to) sum += v.at(i, j, k), ++count;
    }
  return sum / count;
}

}  // namespace
}  // namespace backlit
