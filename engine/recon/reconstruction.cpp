#include "recon/reconstruction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "recon/fdk.hpp"
#include "recon/operator_options.hpp"

namespace backlit {

CtOptions operator_options(const ReconOptions& options, Model automatic) {
  CtOptions ct;
  ct.model = options.model == "auto" ? automatic : model_from(options.model);
  ct.precision = precision_from(options.precision);
  ct.packing = packing_from(options.packing);
  ct.variant = options.variant;
  return ct;
}

const std::vector<std::string>& recon_methods() {
  static const std::vector<std::string> methods{"fdk"};
  return methods;
}

Parameters describe(ReconOptions& o) {
  Parameters list{
      {"method", &o.method, "reconstruction method", "", 0, 0, recon_methods()},
      {"model",
       &o.model,
       "how voxels and rays meet; auto takes what suits the method",
       "",
       0,
       0,
       {"auto", "voxel_driven", "slice_interpolated", "raycast", "distance_driven", "branchless_dd"}},
      {"precision",
       &o.precision,
       "exact: interpolation in software; fast: in hardware; half: fp16 storage",
       "",
       0,
       0,
       {"exact", "fast", "half"}},
      {"packing", &o.packing, "how values share a texel", "", 0, 0, {"auto", "none", "slices", "orbit"}},
      {"variant", &o.variant, "the backend's own name for a variant; empty lets it choose"},
      {"iterations", &o.iterations, "iterations of an iterative method", "", 1, 1e6},
      {"subsets", &o.subsets, "subsets of the views an iteration goes through (ossart, osem)", "", 1, 1e6},
      {"subset_order",
       &o.subset_order,
       "the order in which subsets are taken",
       "",
       0,
       0,
       {"bit_reversed", "sequential"}},
      {"relaxation", &o.relaxation, "share of each update that is applied (sirt, sart, ossart)", "", 1e-6, 2},
      {"nonnegative", &o.nonnegative, "set negative values to zero after each update (sirt, sart, ossart)"},
  };
  for (Parameter& p : describe(o.filter)) list.push_back(std::move(p));
  return list;
}

std::unique_ptr<Reconstruction> make_reconstruction(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                    const VolumeGrid& grid, const ReconOptions& options) {
  ReconOptions checked = options;
  for (const Parameter& p : describe(checked)) p.check("reconstruction");
  source->scan().check("scan");
  grid.check("volume");
  return std::make_unique<FdkReconstruction>(backend, std::move(source), grid, options);
}

}  // namespace backlit
