// FDK on the device with upload, filter, backprojection and download overlapped.
#pragma once

#include <memory>
#include <span>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include "cuda/voxel_driven/plan.hpp"
#include "preprocess/filter/filter_tables.hpp"
#include "recon/fdk/fdk_schedule.hpp"

namespace backlit::cuda {

class CudaBackend;

/// Null for what the ordinary path must do: precision exact where views cannot be packed, scans that the device cannot
/// filter, and what does not fit the memory budget however it is cut.
std::unique_ptr<FdkPipeline> make_fdk_pipeline(CudaBackend&, const Scan&, const VolumeGrid&, const FdkPipelineOptions&);

/// The slices that a pipeline computes.
Run slices_of(const VolumeGrid&, const FdkPipelineOptions&);
/// Throws Failure unless the host's volume is of the right size.
void require_size(std::span<const float> host, std::int64_t voxels);

/// The volume on the device once, all views in textures.
std::unique_ptr<FdkPipeline> make_resident_pipeline(PassClock*, const Scan&, const VolumeGrid&,
                                                    const FdkPipelineOptions&, BackprojectionPlan, const FilterTables&);

/// How a pipeline whose volume or views exceed a budget is cut.
struct StreamedCuts {
  std::int64_t resident = 0;  ///< texture layers at a time; 0: the budget is too small
  std::int64_t slices = 0;    ///< of each of the two slabs on the device
};
StreamedCuts streamed_cuts(const Scan&, const VolumeGrid&, const FdkPipelineOptions&, const BackprojectionPlan&,
                           std::int64_t memory_bytes);

/// As many views as fit in textures; the volume lies on the host and passes through two slabs on the device, once for
/// each such set of views (Zinsser and Keck, Fully3D 2013, who had half of the views resident and slabs of 256 MiB).
std::unique_ptr<FdkPipeline> make_streamed_pipeline(PassClock*, const Scan&, const VolumeGrid&,
                                                    const FdkPipelineOptions&, BackprojectionPlan, const FilterTables&,
                                                    const StreamedCuts&);

}  // namespace backlit::cuda
