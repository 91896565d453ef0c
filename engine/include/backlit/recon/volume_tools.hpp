// Reconstruction and projection for corrections and calibrations that look at the volume.
#pragma once

#include <memory>

#include <backlit/device/backend.hpp>
#include <backlit/preprocess/volume_tools.hpp>

namespace backlit {

/// FDK and Joseph's method on this backend, which they share. A grid is default_grid() of the scan, with voxels so
/// large that a slice has at most `most` x `most`. Throw as make_reconstruction() and make_ct() do, Cancelled.
VolumeTools make_volume_tools(std::shared_ptr<Backend>, const Watch&, std::int64_t most = 256);

}  // namespace backlit
