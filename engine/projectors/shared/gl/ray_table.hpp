// The rays of a scan in the form of shaders' data: where they meet slices perpendicular to each axis of the volume.
#pragma once

#include <array>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "gl/handles.hpp"
#include "projectors/joseph/main_axes.hpp"

namespace backlit::gl {

/// Struct RayRows of shaders/shared/rays.glsl for every axis and view: [axis][view].
struct RayTable {
  Buffer rays;
  std::int64_t views = 0;
  std::array<bool, 3> axes{};       ///< some ray goes through the stack along this axis
  std::vector<unsigned> view_axes;  ///< [view]; bit m: some ray of the view goes through the stack along axis m
  bool source_inside = false;       ///< in some view, some slice reaches to or behind the source

  /// Throws as view_axes() does.
  static RayTable make(const VolumeGrid&, const Scan&, StackChoice);
};

}  // namespace backlit::gl
