// Weighted helical filtered backprojection: Wang, Lin, Cheng and Shinozaki, IEEE Trans. Med. Imaging 12 (1993) 486.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct HelicalFdkOptions : FilteredOptions {};

}  // namespace backlit
