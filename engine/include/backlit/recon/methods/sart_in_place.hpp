// SART that corrects the volume in place, so that the device holds one volume only: Keck, Hofmann, Scherl, Kowarschik,
// Hornegger, IEEE Nucl. Sci. Symp. Conf. Rec. (2009), doi 10.1109/nssmic.2009.5402433.
#pragma once

#include <backlit/projectors/sart_in_place/view_sart.hpp>
#include <backlit/recon/method_options.hpp>

namespace backlit {

/// Rays are sampled a voxel apart; there is no model, precision or packing to choose.
struct SartInPlaceOptions : MethodOptions, RelaxationOptions {
  std::int64_t iterations = 20;
  SubsetOrder subset_order = SubsetOrder::bit_reversed;  ///< order of the views
  ViewSartOptions operation{};

  Parameters parameters() override;
};

}  // namespace backlit
