// FDK on the device with upload, filter, backprojection and download overlapped.
#pragma once

#include <memory>

#include "backend/fdk_pipeline.hpp"
#include "geometry/view.hpp"
#include "geometry/volume_grid.hpp"

namespace backlit::cuda {

class CudaBackend;

/// Null for what the ordinary path must do: precision exact, scans that the device cannot filter, and what does not fit
/// the memory budget.
std::unique_ptr<FdkPipeline> make_fdk_pipeline(CudaBackend&, const Scan&, const VolumeGrid&, const FdkPipelineOptions&);

}  // namespace backlit::cuda
