// For builds without libwebsockets or libjpeg-turbo.
#include <backlit/core/error.hpp>
#include "window/surface.hpp"

namespace backlit::viewer {

std::unique_ptr<Surface> make_served(const SurfaceOptions&) {
  throw InputError("--serve", "this backlit-view was built without the server",
                   "apt-get install libwebsockets-dev libturbojpeg0-dev, and build again");
}

}  // namespace backlit::viewer
