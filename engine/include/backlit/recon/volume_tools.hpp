// Reconstruction and projection for corrections and calibrations that look at the volume.
#pragma once

#include <memory>

#include <backlit/device/backend.hpp>
#include <backlit/preprocess/volume_tools.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/reconstruction.hpp>

namespace backlit {

/// FDK and Joseph's method on this backend, which they share. A grid is default_grid() of the scan, with voxels so
/// large that a slice has at most `most` x `most`. Throw as make_reconstruction() and make_ct() do, Cancelled.
VolumeTools make_volume_tools(std::shared_ptr<Backend>, const Watch&, std::int64_t most = 256);

// The same where views and volumes stay on the device.

/// A finished run of FDK. Throws as make_reconstruction() does, Cancelled.
std::unique_ptr<Reconstruction> reconstruct_there(Backend&, std::shared_ptr<ProjectionSource>, const VolumeGrid&,
                                                  const Watch&);
/// Throws as make_ct() does.
std::unique_ptr<LinearOperator> make_projector(Backend&, const VolumeGrid&, const Scan&);

}  // namespace backlit
