// A scan whose file knows nothing of where the detector really was.
#pragma once

#include <filesystem>
#include <string>

#include <backlit/calibration/geometry_correction.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit::test {

struct MisalignedScan {
  static constexpr GeometryCorrection truth{.column_offset = 2.6, .in_plane = 1.2};
  Projections views;

  MisalignedScan() {
    const Detector detector{.columns = 64, .rows = 48, .pixel_u = 7.5, .pixel_v = 7.5};
    const Scan said{detector, circular_views(detector, equal_angles(32), 1000, 1500)};
    Projections measured(corrected(said, truth));
    project_phantom(load_phantom("forbild-head"), measured.scan, 0, said.view_count(), 1, measured.values.span());
    views = Projections(said, std::move(measured.values));
  }
  /// Writes scan.scan.toml, whose volume is small, and its values.
  std::string save(const std::filesystem::path& folder) const {
    save_projections(views, folder / "scan.npy");
    ScanWriteOptions options;
    options.projections = "scan.npy";
    options.volume = VolumeGrid{{32, 32, 26}, Vec3(8.5), Vec3(0)};
    save_scan(views.scan, options, folder / "scan.scan.toml");
    return (folder / "scan.scan.toml").string();
  }
};

}  // namespace backlit::test
