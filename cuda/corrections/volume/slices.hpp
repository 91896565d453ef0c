// Reconstructions of views on the device, for corrections that look at the volume.
#pragma once

#include <memory>

#include <backlit/data/volume.hpp>
#include "cuda/corrections/views.hpp"

namespace backlit {
class Reconstruction;
}

namespace backlit::cuda {

/// A finished run of FDK on the tools' device, which holds the views.
std::unique_ptr<Reconstruction> reconstruct(CudaViews&, const CorrectionInput&, const VolumeGrid&, const Watch&);

/// The same on the host: for a single slice.
Volume slice_of(CudaViews&, const CorrectionInput&, const VolumeGrid&, const Watch&);

}  // namespace backlit::cuda
