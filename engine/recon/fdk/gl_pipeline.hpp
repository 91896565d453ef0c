// FDK on OpenGL from host memory to host memory. The card copies views and volume from and to mapped buffers, while the
// host fills the next buffers.
#pragma once

#include <memory>

#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include "device/gl/gl_backend_class.hpp"

namespace backlit::gl {

/// Null where the ordinary path must do the work: counts, a part of the slices, filters on the host, volumes of more
/// than one texture. Null too when the work exceeds the memory budget.
std::unique_ptr<FdkPipeline> make_fdk_pipeline(GlBackend&, const Scan&, const VolumeGrid&, const FdkPipelineOptions&);

}  // namespace backlit::gl
