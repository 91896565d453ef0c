// The backends that the viewer reconstructs on.
#pragma once

#include <memory>
#include <string>

#include <backlit/device/backend.hpp>
#include "gl/context.hpp"

namespace backlit::viewer {

/// "gl" works in `context`, whose textures the window sees; others have devices of their own. Larger volumes than the
/// device holds are cut. Throws InputError for an unknown name, Failure when it does not start.
std::unique_ptr<Backend> make_viewer_backend(const std::string& name, const std::shared_ptr<gl::Context>& context,
                                             std::int64_t memory_bytes);

}  // namespace backlit::viewer
