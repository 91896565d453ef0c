#include <backlit/recon/methods/fdk.hpp>

#include "recon/fdk/fdk.hpp"
#include "recon/fdk/grouped_fdk.hpp"
#include "recon/fdk/pipelined_fdk.hpp"
#include "recon/fdk/slabs_in_turn.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {
namespace {

std::unique_ptr<Reconstruction> make_fdk(const ReconInput& input, const FdkOptions& options) {
  if (auto pipelined = make_pipelined_fdk(input, options)) return pipelined;
  return std::make_unique<FdkReconstruction>(input, options);
}

}  // namespace

MethodInfo fdk_method() {
  return announce<FdkOptions>(
      {.name = "fdk",
       .title = "Filtered backprojection",
       .paper = "Feldkamp, Davis, Kress, J. Opt. Soc. Am. A 1 (1984) 612",
       .about = "One pass over the views of a cone, fan or parallel beam; needs many views and little noise.",
       .usual = {"filter", "cutoff"}},
      [](const ReconInput& input, const FdkOptions& options) -> std::unique_ptr<Reconstruction> {
        if (auto slabs = make_slabs_in_turn(input, options, make_fdk)) return slabs;
        if (auto grouped = make_grouped_fdk(input, options, make_fdk)) return grouped;
        return make_fdk(input, options);
      });
}

}  // namespace backlit
