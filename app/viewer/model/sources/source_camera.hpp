// A camera at the source of a view.
#pragma once

#include <backlit/render/camera.hpp>

namespace backlit::viewer {

/// Looks from the source (parallel beams: along the rays) at the whole detector. A curved detector is replaced by the
/// flat one that touches it in the middle and covers all of its rays. Rays steeper than 80 degrees are limited.
CameraRays source_camera(const Detector&, const View&, std::int64_t width, std::int64_t height);

}  // namespace backlit::viewer
