// FDK's overlapped pipeline on several devices: each computes a slab of slices from all views.
#pragma once

#include <memory>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>

namespace backlit {

class Backend;

/// Every view is uploaded to every device, over the device's own bus, and filtered there. Slabs are downloaded in
/// parallel. Null where some device has no pipeline for its share. The backends must outlive the pipeline and belong to
/// the thread that made it.
std::unique_ptr<FdkPipeline> make_split_fdk(const std::vector<Backend*>&, const Scan&, const VolumeGrid&,
                                            const FdkPipelineOptions&);

}  // namespace backlit
