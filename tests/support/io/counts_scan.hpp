// A scan in raw form: counts with flats, darks and dead pixels, with a wrong axis in the file.
#pragma once

#include <cmath>
#include <filesystem>
#include <string>

#include <backlit/core/atomic_file.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/rotation_center.hpp>

namespace backlit::test {

inline constexpr double counts_scan_center = 32.3;  ///< position of the axis; the file has 30
inline constexpr std::int64_t counts_scan_dead = 2, counts_scan_low = 3;

/// Writes "counts.scan.toml" and its data: 61 columns, 7 rows, 90 views of a head, 2 dead pixels and 3 single readings
/// at or below dark.
inline std::filesystem::path save_counts_scan(const std::filesystem::path& folder) {
  const Detector d{61, 7, 6, 6, Detector::Shape::flat, 0};
  const Scan nominal{d, circular_views(d, equal_angles(90), 600, 900)};
  const Scan scan = with_center(nominal, counts_scan_center);
  Projections counts(scan), flat(Scan{d, {scan.views[0]}}), dark(Scan{d, {scan.views[0]}});
  project_phantom(load_phantom("forbild-head"), scan, 0, 90, 1, counts.values.span());
  for (float& v : counts.values) v = 100 + 10000 * std::exp(-v);
  for (float& v : flat.values) v = 10100;
  for (float& v : dark.values) v = 100;
  for (std::int64_t i = 0; i < 90; ++i) counts.at(i, 3, 12) = counts.at(i, 5, 40) = 100;
  counts.at(7, 5, 20) = 90;
  counts.at(9, 1, 2) = 100;
  counts.at(60, 2, 30) = 0;
  save_projections(counts, folder / "counts.npy");
  save_projections(flat, folder / "flat.npy");
  save_projections(dark, folder / "dark.npy");
  write_text(folder / "counts.scan.toml",
             "[detector]\npixel_mm = 6\n[trajectory]\nkind = \"circular\"\nsource_to_axis_mm = 600\n"
             "source_to_detector_mm = 900\n[data]\nprojections = \"counts.npy\"\nkind = \"counts\"\n"
             "flats = \"flat.npy\"\ndarks = \"dark.npy\"\n");
  return folder / "counts.scan.toml";
}

}  // namespace backlit::test
