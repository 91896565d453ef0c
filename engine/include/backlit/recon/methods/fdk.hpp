// FDK, filtered backprojection of cone, fan and parallel beams: Feldkamp, Davis, Kress, J. Opt. Soc. Am. A 1 (1984)
// 612.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct FdkOptions : FilteredOptions {};

}  // namespace backlit
