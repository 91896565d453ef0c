#include <backlit/recon/methods/pcg.hpp>

#include "recon/iterative/conjugate_gradients.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters PcgOptions::parameters() {
  Parameters list = IterationOptions::parameters();
  list.push_back(choice("preconditioner", preconditioner,
                        "diagonal: 1 / (A' A 1), which evens out the coverage of voxels", {"diagonal", "none"}));
  return list;
}

MethodInfo pcg_method() {
  return announce<PcgOptions>({.name = "pcg",
                               .title = "Preconditioned conjugate gradients",
                               .paper = "Fessler, Booth, IEEE Trans. Image Process. 8 (1999) 688",
                               .about = "CGLS where voxels are seen unevenly, as with a source close to the object.",
                               .usual = {"iterations"}},
                              [](const ReconInput& input, const PcgOptions& options) {
                                const bool diagonal = options.preconditioner == PcgOptions::Preconditioner::diagonal;
                                return std::make_unique<ConjugateGradients>(input, options, diagonal);
                              });
}

}  // namespace backlit
