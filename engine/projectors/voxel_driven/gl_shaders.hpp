// The files of shaders/voxel_driven for the programs of each variant.
#pragma once

#include <string>
#include <vector>

#include "gl/limits.hpp"
#include "gl/shader_text.hpp"
#include "projectors/shared/gl/view_table.hpp"
#include "projectors/voxel_driven/gl_variant.hpp"

namespace backlit::gl {

enum class SliceWork {
  sum,         ///< sums views, one slice a layer
  sum_packed,  ///< the same, four slices a texel
  relax,       ///< SART's correction
  mark         ///< marks the fragments that early fragment kill leaves
};

/// The stages that draw slices. `geometry`: a geometry shader chooses the layer.
std::vector<std::string> slice_stages(SliceWork, BackprojectionVariant::Transform, bool geometry);

/// The files chosen for a plan's views, weights, interpolation (`exact`: in software) and output to the volume.
Choices slice_choices(const BackprojectionVariant&, const ViewTable&, Weighting, bool exact, bool packs, const Limits&);

/// The stages that draw orbits (voxels of four quarter turns in one texel), and the files chosen for them.
std::vector<std::string> orbit_stages(SliceWork, BackprojectionVariant::Transform, bool geometry);
Choices orbit_choices(bool parallel, Weighting, const Limits&);

}  // namespace backlit::gl
