// Options of a CT operator.
#pragma once

#include <cstdint>
#include <string>

#include <backlit/core/parameter.hpp>
#include <backlit/projectors/model.hpp>

namespace backlit {

enum class Precision {
  exact,  ///< fp32, interpolation in software
  fast,   ///< fp32, hardware filtering (8-bit weights)
  half    ///< fp16 storage, fp32 sums
};
enum class Packing { automatic, none, slices, orbit };

/// `fdk` multiplies a point's backprojected value by (R / depth)^2; such an operator has no forward().
enum class Weighting { none, fdk };

/// Which part of the graphics pipeline does the work: drawn polygons and points (vertex and fragment shaders), or
/// compute shaders. `automatic` takes what measured fastest on the device.
enum class Pipeline { automatic, fragment, compute };

/// Where the drawn slices of voxel_driven are mapped to the detector. `ag`: at the corners of a polygon, the rasteriser
/// interpolates (AG-GPU, Xu and Mueller 2007); `mp`: at every fragment (MP-GPU).
enum class Shader { automatic, ag, mp };

/// How drawn passes add up. `blend`: the blend unit adds to the target; `ping_pong`: a pass reads what earlier passes
/// left from one texture and writes another.
enum class Accumulation { automatic, blend, ping_pong };

/// How voxel_driven samples a view.
enum class Interpolation { linear, nearest };

/// Which stack of slices joseph follows a ray through. `ray`: that of the ray's own main axis; `view`: for all rays of
/// a view the one most parallel to the detector. `automatic`: `view` where quarter turns are packed, else `ray`.
enum class StackChoice { automatic, ray, view };

/// A projector takes model, precision, packing and weighting, and of the choices below those that its descriptor lists
/// (ProjectorInfo::options). make_ct() refuses the others where they differ from their defaults.
struct CtOptions {
  Model model = Model::voxel_driven;
  Precision precision = Precision::fast;
  Packing packing = Packing::automatic;
  Weighting weighting = Weighting::none;
  /// Name of a variant that a study has registered. bench and study set it; empty for everybody else.
  std::string variant{};
  double step = 0.5;  ///< raycast: mm between samples, as a share of the smallest voxel spacing
  Pipeline pipeline = Pipeline::automatic;
  Shader shader = Shader::automatic;
  Accumulation accumulate = Accumulation::automatic;
  bool early_kill = false;  ///< drawn voxel_driven: fragments outside the field of view die before their shader runs
  Interpolation interpolation = Interpolation::linear;
  StackChoice stack = StackChoice::automatic;

  friend bool operator==(const CtOptions&, const CtOptions&) = default;
};

/// Declares the choices that some projectors have: step to stack.
Parameters describe(CtOptions&);
Parameter pipeline_parameter(Pipeline&);  ///< for options that have this choice alone

const char* name(Precision);
const char* name(Packing);
Precision precision_from(const std::string& name);  ///< throws InputError listing the names
Packing packing_from(const std::string& name);      ///< throws InputError listing the names; "auto" is automatic

}  // namespace backlit
