#include "recon/reconstruction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "recon/cgls.hpp"
#include "recon/expectation_maximization.hpp"
#include "recon/fdk.hpp"
#include "recon/operator_options.hpp"
#include "recon/subset_relaxation.hpp"

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
  static const std::vector<std::string> methods{"fdk", "sirt", "sart", "ossart", "cgls", "mlem", "osem"};
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
       {"auto", "voxel_driven", "slice_interpolated", "raycast", "distance_driven", "branchless_dd",
        "box_line_integrated", "splat"}},
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

namespace {

/// Options that a method would silently ignore are more likely a mistake.
void check_fit(const ReconOptions& o) {
  const bool subsets = o.method == "ossart" || o.method == "osem";
  const bool relaxed = o.method == "sirt" || o.method == "sart" || o.method == "ossart";
  if (o.subsets > 1 && !subsets)
    throw InputError("subsets", fmt::format("{} takes no number of subsets", o.method), "use ossart or osem");
  if (o.relaxation != 1 && !relaxed)
    throw InputError("relaxation", fmt::format("{} takes no relaxation", o.method), "use sirt, sart or ossart");
  if (o.nonnegative && (o.method == "fdk" || o.method == "cgls"))
    throw InputError("nonnegative", fmt::format("{} cannot keep values from being negative", o.method),
                     "use sirt, sart, ossart, mlem or osem");
}

}  // namespace

std::unique_ptr<Reconstruction> make_reconstruction(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                    const VolumeGrid& grid, const ReconOptions& options) {
  ReconOptions checked = options;
  for (const Parameter& p : describe(checked)) p.check("reconstruction");
  check_fit(options);
  const Scan& scan = source->scan();
  scan.check("scan");
  grid.check("volume");
  const std::string& m = options.method;
  if (m == "fdk") return std::make_unique<FdkReconstruction>(backend, std::move(source), grid, options);
  if (m == "cgls") return std::make_unique<Cgls>(backend, std::move(source), grid, options);
  if (m == "mlem" || m == "osem")
    return std::make_unique<ExpectationMaximization>(backend, std::move(source), grid, options, options.subsets);
  const std::int64_t subsets = m == "sart" ? scan.view_count() : options.subsets;
  return std::make_unique<SubsetRelaxation>(backend, std::move(source), grid, options, subsets);
}

}  // namespace backlit
