#include <backlit/device/resident_views.hpp>

namespace backlit {

DeviceArray* resident_views(ProjectionSource& source, Backend& backend) {
  for (ProjectionSource* at = &source; at; at = at->placed())
    if (auto* const resident = dynamic_cast<ResidentViews*>(at)) return resident->views_on(backend);
  return nullptr;
}

}  // namespace backlit
