// Reading scans: a `.scan.toml`, or a container that carries its own geometry.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "data/projections.hpp"
#include "geometry/default_grid.hpp"
#include "geometry/view.hpp"
#include "geometry/volume_grid.hpp"

namespace backlit {

/// What a scan file holds. Nothing of the projections is read until a source is asked for views.
struct ScanFile {
  enum class Kind { line_integrals, counts };

  std::filesystem::path path;
  Scan scan;
  std::vector<double> angles_deg;    ///< one a view where the trajectory has angles, else empty
  std::optional<VolumeGrid> volume;  ///< [volume], when given
  Kind kind = Kind::line_integrals;
  std::shared_ptr<ProjectionSource> projections;  ///< as stored; null when the file has no [data]
  std::shared_ptr<ProjectionSource> flats;        ///< counts with the beam on and no object; null when there are none
  std::shared_ptr<ProjectionSource> darks;        ///< counts with the beam off; null when there are none
};

/// Chooses by content, then by extension. Throws InputError naming file and key.
ScanFile load_scan(const std::filesystem::path&);

}  // namespace backlit
