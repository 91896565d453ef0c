// The views of the smallest example, and the scan file that a scanner would send.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "model/sources/source.hpp"
#include "stream/socket.hpp"

namespace backlit::test {

struct DemoScan {
  Projections views;
  std::string toml;

  /// `size`: voxels of the volume along each axis.
  explicit DemoScan(std::int64_t size) {
    views = read_all(*viewer::open_source("demo:spheres", {}, {}).views());
    ScanWriteOptions options;
    options.volume = VolumeGrid{{size, size, size}, Vec3(192.0 / static_cast<double>(size)), Vec3(0)};
    toml = scan_text(views.scan, options, "demo");
  }
};

}  // namespace backlit::test
