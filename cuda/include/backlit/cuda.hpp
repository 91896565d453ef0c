// The one call that makes the CUDA backend known to make_backend(); app/ and tests/ make it.
#pragma once

namespace backlit {

void register_cuda_backend();

}  // namespace backlit
