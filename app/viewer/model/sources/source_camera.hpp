// The camera that looks from the source of a view.
#pragma once

#include <backlit/render/camera.hpp>

namespace backlit::viewer {

/// From the source (parallel beams: along the rays) at the whole detector. A curved one is seen as the flat one that
/// touches it in its middle and is as large as all of its rays need, those no steeper than 80 degrees.
CameraRays source_camera(const Detector&, const View&, std::int64_t width, std::int64_t height);

}  // namespace backlit::viewer
