#include <backlit/recon/volume_tools.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <backlit/geometry/default_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/recon/methods/fdk.hpp>

namespace backlit {
namespace {

VolumeGrid coarse_grid(const Scan& scan, std::int64_t slices, std::int64_t most) {
  VolumeGrid grid = default_grid(scan);
  const double larger =
      std::max(1.0, static_cast<double>(std::max(grid.size[0], grid.size[1])) / static_cast<double>(most));
  for (std::size_t a = 0; a < 3; ++a)
    grid.size[a] = std::max<std::int64_t>(1, std::llround(static_cast<double>(grid.size[a]) / larger));
  grid.spacing *= larger;
  if (slices > 0) grid.size[2] = std::min(slices, grid.size[2]);
  return grid;
}

Volume reconstruct(Backend& backend, const Projections& p, const VolumeGrid& grid, const Watch& watch) {
  return reconstruct_there(backend, std::make_shared<MemorySource>(Projections(p.scan, p.values.clone())), grid, watch)
      ->download();
}

Projections project(Backend& backend, const Volume& volume, const Scan& scan) {
  const auto projector = make_projector(backend, volume.grid, scan);
  const ArrayPtr x = projector->make_domain();
  const ArrayPtr y = projector->make_range(scan.view_count());
  backend.upload(volume.values.span(), *x);
  projector->forward(*x, *y, projector->all(), Write::overwrite);
  Projections out(scan);
  backend.download(*y, out.values.span());
  return out;
}

}  // namespace

VolumeTools make_volume_tools(std::shared_ptr<Backend> backend, const Watch& watch, std::int64_t most) {
  return {[=](const Scan& scan, std::int64_t slices) { return coarse_grid(scan, slices, most); },
          [=](const Projections& p, const VolumeGrid& grid) { return reconstruct(*backend, p, grid, watch); },
          [=](const Volume& volume, const Scan& scan) { return project(*backend, volume, scan); }, std::move(backend)};
}

std::unique_ptr<Reconstruction> reconstruct_there(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                  const VolumeGrid& grid, const Watch& watch) {
  auto run = make_reconstruction(backend, std::move(source), grid, FdkOptions{});
  while (run->step() != Reconstruction::Status::finished) watch.advance(0);
  return run;
}

std::unique_ptr<LinearOperator> make_projector(Backend& backend, const VolumeGrid& grid, const Scan& scan) {
  CtOptions options;
  options.model = Model::joseph;
  return backend.make_ct(grid, scan, options);
}

}  // namespace backlit
