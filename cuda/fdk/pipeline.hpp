// FDK on the device, with upload, filter, backprojection and download overlapped.
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

/// Null where the ordinary functions must do the work: precision exact where views cannot be packed, scans that the
/// device cannot filter, and whatever does not fit the memory budget in any cut.
std::unique_ptr<FdkPipeline> make_fdk_pipeline(CudaBackend&, const Scan&, const VolumeGrid&, const FdkPipelineOptions&);

/// The slices that a pipeline computes; counted in the grid.
Run slices_of(const VolumeGrid&, const FdkPipelineOptions&);
/// Throws Failure unless the host's volume has `voxels` values.
void require_size(std::span<const float> host, std::int64_t voxels);

/// The whole volume on the device, all views in textures.
std::unique_ptr<FdkPipeline> make_resident_pipeline(PassClock*, const Scan&, const VolumeGrid&,
                                                    const FdkPipelineOptions&, BackprojectionPlan, const FilterTables&);

/// The cut of a pipeline whose volume or views exceed a budget.
struct StreamedCuts {
  std::int64_t resident = 0;  ///< texture layers on the device at a time; 0: the budget is too small
  std::int64_t slices = 0;    ///< per slab; two slabs are on the device
};
StreamedCuts streamed_cuts(const Scan&, const VolumeGrid&, const FdkPipelineOptions&, const BackprojectionPlan&,
                           std::int64_t memory_bytes);

/// Holds as many views in textures as fit. The volume lies on the host and passes through two slabs on the device, once
/// for each such set of views. (Zinsser and Keck, Fully3D 2013, had half of the views resident and slabs of 256 MiB.)
std::unique_ptr<FdkPipeline> make_streamed_pipeline(PassClock*, const Scan&, const VolumeGrid&,
                                                    const FdkPipelineOptions&, BackprojectionPlan, const FilterTables&,
                                                    const StreamedCuts&);

}  // namespace backlit::cuda
