#include <backlit/recon/reconstruction.hpp>

#include <algorithm>

#include "recon/conjugate_gradients.hpp"
#include "recon/expectation_maximization.hpp"
#include "recon/fdk/fdk.hpp"
#include "recon/fdk/helical_fdk.hpp"
#include "recon/fdk/iterative_fdk.hpp"
#include "recon/fdk/pipelined_fdk.hpp"
#include "recon/fista.hpp"
#include "recon/given_options.hpp"
#include "recon/operator_options.hpp"
#include "recon/ordered_surrogates.hpp"
#include "recon/penalized_least_squares.hpp"
#include "recon/subset_relaxation.hpp"
#include "recon/view_sart.hpp"

namespace backlit {

CtOptions operator_options(const ReconOptions& options, Model automatic) {
  CtOptions ct;
  ct.model = options.model == "auto" ? automatic : model_from(options.model);
  ct.precision = precision_from(options.precision);
  ct.packing = packing_from(options.packing);
  ct.variant = options.variant;
  return ct;
}

std::unique_ptr<Reconstruction> make_reconstruction(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                    const VolumeGrid& grid, const ReconOptions& options) {
  check(options);
  const Scan& scan = source->scan();
  scan.check("scan");
  grid.check("volume");
  const std::string& m = options.method;
  if (m == "fdk") {
    if (auto pipelined = make_pipelined_fdk(backend, source, grid, options)) return pipelined;
    return std::make_unique<FdkReconstruction>(backend, std::move(source), grid, options);
  }
  if (m == "hfdk") return std::make_unique<HelicalFdk>(backend, std::move(source), grid, options);
  if (m == "ifdk") return std::make_unique<IterativeFdk>(backend, std::move(source), grid, options);
  if (m == "cgls" || m == "pcg")
    return std::make_unique<ConjugateGradients>(backend, std::move(source), grid, options,
                                                m == "pcg" && options.preconditioner == "diagonal");
  if (takes_surrogates(options)) return std::make_unique<OrderedSurrogates>(backend, std::move(source), grid, options);
  if (m == "pwls") return std::make_unique<PenalizedLeastSquares>(backend, std::move(source), grid, options);
  if (m == "mlem" || m == "osem")
    return std::make_unique<ExpectationMaximization>(backend, std::move(source), grid, options, options.subsets);
  if (m == "fista") return std::make_unique<Fista>(backend, std::move(source), grid, options, options.subsets);
  const auto in_place = backend.view_sart_variants();
  if (m == "sart" && std::find(in_place.begin(), in_place.end(), options.variant) != in_place.end())
    return std::make_unique<ViewSartReconstruction>(backend, std::move(source), grid, options);
  const std::int64_t subsets = m == "sart" ? scan.view_count() : options.subsets;
  return std::make_unique<SubsetRelaxation>(backend, std::move(source), grid, options, subsets);
}

}  // namespace backlit
