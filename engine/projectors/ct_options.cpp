#include <backlit/projectors/ct_options.hpp>

#include <array>

#include "core/find_name.hpp"

namespace backlit {
namespace {

constexpr std::array precisions{"exact", "fast", "half"};
constexpr std::array packings{"auto", "none", "slices", "orbit"};

}  // namespace

const char* name(Precision p) { return precisions[static_cast<std::size_t>(p)]; }
const char* name(Packing p) { return packings[static_cast<std::size_t>(p)]; }
Precision precision_from(const std::string& n) { return find_name<Precision>(precisions, n, "precision"); }
Packing packing_from(const std::string& n) { return find_name<Packing>(packings, n, "packing"); }

Parameter pipeline_parameter(Pipeline& pipeline) {
  return choice("pipeline", pipeline,
                "gl: drawn (vertex and fragment shaders) or compute shaders; auto: the faster one, as measured",
                {"auto", "fragment", "compute"});
}

Parameters describe(CtOptions& o) {
  return {
      pipeline_parameter(o.pipeline),
      choice("shader", o.shader,
             "where drawn slices are mapped to the detector: ag at their corners (AG-GPU), mp at every fragment "
             "(MP-GPU)",
             {"auto", "ag", "mp"}),
      choice("accumulate", o.accumulate, "how drawn passes add up: in the blend unit, or between two textures",
             {"auto", "blend", "ping-pong"}),
      {"early_kill", &o.early_kill,
       "voxels outside the field of view are left out, and stay 0: their fragments die before the shader (AG-GPU+)"},
      choice("interpolation", o.interpolation, "of pixels, where a voxel samples a view", {"linear", "nearest"}),
      choice("stack", o.stack,
             "slices that a ray goes through: those of its own main axis, or one stack for all rays of a view",
             {"auto", "ray", "view"}),
      {"step", &o.step, "distance of samples along a ray, in voxels", "", 0.01, 2}};
}

}  // namespace backlit
