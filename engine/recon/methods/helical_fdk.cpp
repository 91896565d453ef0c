#include <backlit/recon/methods/helical_fdk.hpp>

#include "recon/fdk/helical_fdk.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

MethodInfo helical_fdk_method() {
  return announce<HelicalFdkOptions>(
      {.name = "hfdk",
       .title = "Helical filtered backprojection",
       .paper = "Wang, Lin, Cheng, Shinozaki, IEEE Trans. Med. Imaging 12 (1993) 486",
       .about = "FDK along a helix, slice by slice; an approximation, and a start for iterations.",
       .usual = {"filter", "cutoff"}},
      [](const ReconInput& input, const HelicalFdkOptions& options) {
        return std::make_unique<HelicalFdk>(input, options);
      });
}

}  // namespace backlit
