// The views of a scan in the form of shaders' data.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "gl/context.hpp"
#include "gl/handles.hpp"
#include "gl/shader_text.hpp"

namespace backlit::gl {

/// Units of positions on the detector.
enum class PositionUnit {
  pixel,    ///< column and row, centres at integers
  fraction  ///< 0 to 1 from edge to edge of the detector: texture coordinates
};

/// Struct ViewRows of shaders/shared/views.glsl for every view of a scan, on voxel indices of one grid.
struct ViewTable {
  Buffer views;
  bool parallel = false;
  bool curved = false;
  bool source_inside = false;  ///< in some view, some voxel lies at or behind the source

  /// The files of shaders/shared/beam and shaders/shared/source for these views.
  Choices choices() const { return choices(parallel, curved, source_inside); }
  static Choices choices(bool parallel, bool curved, bool source_inside);

  /// Throws Unsupported for curved detectors that are not focused on the source, InputError for FDK weights of a source
  /// on the axis; both name the view.
  static ViewTable make(const VolumeGrid&, const Scan&, Weighting, PositionUnit);
};

/// Throws what ViewTable::make() throws for detectors, and Unsupported for slices or views larger than a texture.
void require_textures(const Context&, const VolumeGrid&, const Scan&);

}  // namespace backlit::gl
