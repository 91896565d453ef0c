// The backends that the viewer reconstructs on.
#pragma once

#include <memory>
#include <string>

#include <backlit/device/backend.hpp>
#include "gl/context.hpp"

namespace backlit::viewer {

/// "gl" works in `context`, which shares textures with the window; others have their own devices. Cuts volumes that
/// exceed the device's memory. Throws InputError for an unknown name, Failure if the backend does not start.
std::unique_ptr<Backend> make_viewer_backend(const std::string& name, const std::shared_ptr<gl::Context>& context,
                                             std::int64_t memory_bytes);

}  // namespace backlit::viewer
