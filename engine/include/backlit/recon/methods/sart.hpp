// SART, one view after the other: Andersen and Kak, Ultrasonic Imaging 6 (1984) 81.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct SartOptions : BackModelOptions, RelaxationOptions {
  SubsetOrder subset_order = SubsetOrder::bit_reversed;  ///< order of the views

  Parameters parameters() override;
};

}  // namespace backlit
