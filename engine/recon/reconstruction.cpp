#include <backlit/recon/reconstruction.hpp>

namespace backlit {

std::unique_ptr<Reconstruction> make_reconstruction(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                    const VolumeGrid& grid, const Method& method) {
  check(method);
  source->scan().check("scan");
  grid.check("volume");
  return method.info().make({backend, std::move(source), grid, method.name()}, method.options());
}

}  // namespace backlit
