// FDK on OpenGL from host memory to host memory: the card copies views and volume by itself, from and to buffers that
// stay mapped, while the host fills the next ones.
#pragma once

#include <memory>

#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include "device/gl/gl_backend_class.hpp"

namespace backlit::gl {

/// Null for what the ordinary path must do: counts, some of the slices, filters of the host, volumes of more than one
/// texture, and what does not fit the memory budget.
std::unique_ptr<FdkPipeline> make_fdk_pipeline(GlBackend&, const Scan&, const VolumeGrid&, const FdkPipelineOptions&);

}  // namespace backlit::gl
