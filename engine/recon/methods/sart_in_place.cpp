#include <backlit/recon/methods/sart_in_place.hpp>

#include "recon/iterative/view_sart.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters SartInPlaceOptions::parameters() {
  Parameters list{iterations_parameter(iterations)};
  append(list, describe(static_cast<RelaxationOptions&>(*this)));
  list.push_back({"matched", &operation.matched,
                  "correct by the transpose of the projection; otherwise each voxel takes the bilinear value where it "
                  "is seen on the detector"});
  list.push_back(subset_order_parameter(subset_order));
  return list;
}

MethodInfo sart_in_place_method() {
  return announce<SartInPlaceOptions>({.name = "sart_in_place",
                                       .title = "SART with one volume on the device",
                                       .paper = "Keck et al., IEEE Nucl. Sci. Symp. Conf. Rec. (2009)",
                                       .about = "Volumes so large that the device holds one and no second.",
                                       .usual = {"iterations", "relaxation", "nonnegative"}},
                                      [](const ReconInput& input, const SartInPlaceOptions& options) {
                                        return std::make_unique<ViewSartReconstruction>(input, options);
                                      });
}

}  // namespace backlit
