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

/// Weights of backprojection. `fdk` multiplies a point's backprojected value by (R / depth)^2; such an operator has no
/// forward().
enum class Weighting { none, fdk };

/// The part of the graphics pipeline in use: drawn polygons and points (vertex and fragment shaders), or compute
/// shaders. `automatic` takes the pipeline that measured fastest on the device.
enum class Pipeline { automatic, fragment, compute };

/// The stage that maps drawn slices of voxel_driven to the detector. `ag`: the corners of a polygon, the rasteriser
/// interpolates between them (AG-GPU, Xu and Mueller 2007). `mp`: every fragment (MP-GPU).
enum class Shader { automatic, ag, mp };

/// The sum over drawn passes. `blend`: the blend unit adds to the target. `ping_pong`: a pass reads the sum of earlier
/// passes from one texture and writes to another.
enum class Accumulation { automatic, blend, ping_pong };

/// Sampling of a view by voxel_driven.
enum class Interpolation { linear, nearest };

/// The stack of slices that joseph samples along a ray. `ray`: the stack of the ray's own main axis. `view`: for all
/// rays of a view, the stack whose slices are most parallel to the detector. `automatic`: `view` where quarter turns
/// are packed, else `ray`.
enum class StackChoice { automatic, ray, view };

/// A projector takes model, precision, packing and weighting, and the further choices that its descriptor lists
/// (ProjectorInfo::options). make_ct() refuses other choices that differ from their defaults.
struct CtOptions {
  Model model = Model::voxel_driven;
  Precision precision = Precision::fast;
  Packing packing = Packing::automatic;
  Weighting weighting = Weighting::none;
  /// Name of a variant that a study has registered. bench and study set it; empty otherwise.
  std::string variant{};
  double step = 0.5;  ///< raycast: mm between samples, as a share of the smallest voxel spacing
  Pipeline pipeline = Pipeline::automatic;
  Shader shader = Shader::automatic;
  Accumulation accumulate = Accumulation::automatic;
  bool early_kill = false;  ///< drawn voxel_driven: skip fragments outside the field of view before their shader runs
  Interpolation interpolation = Interpolation::linear;
  StackChoice stack = StackChoice::automatic;

  friend bool operator==(const CtOptions&, const CtOptions&) = default;
};

/// Declares the choices that only some projectors have: `step` to `stack`.
Parameters describe(CtOptions&);
Parameter pipeline_parameter(Pipeline&);  ///< for options with this choice alone

const char* name(Precision);
const char* name(Packing);
Precision precision_from(const std::string& name);  ///< throws InputError listing the names
Packing packing_from(const std::string& name);      ///< throws InputError listing the names; "auto" is automatic

}  // namespace backlit
