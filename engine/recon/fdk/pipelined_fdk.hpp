// FDK on backends that overlap reading, filtering, backprojection and download.
#pragma once

#include <backlit/recon/methods/fdk.hpp>
#include <backlit/recon/reconstruction.hpp>

namespace backlit {

/// Null where the backend has no pipeline for this scan, grid and options: FdkReconstruction then does the work.
std::unique_ptr<Reconstruction> make_pipelined_fdk(const ReconInput&, const FdkOptions&);

}  // namespace backlit
