// Runs SIRT with a projector of its own on the CPU and, where there is one, on OpenGL: own_projector [FILE.mha]
#include <cmath>
#include <cstdio>
#include <string>

#include "footprint.hpp"

using namespace backlit;

namespace {

/// Exact line integrals of a head, parallel beams over half a turn.
std::shared_ptr<ProjectionSource> head_views() {
  const Detector detector{.columns = 65, .rows = 21, .pixel_u = 5, .pixel_v = 9};  // mm
  Projections views(Scan{detector, parallel_views(detector, equal_angles(60, 0, 180))});
  project_phantom(load_phantom("forbild-head"), views.scan, 0, views.scan.view_count(), 2, views.values.span());
  return std::make_shared<MemorySource>(std::move(views));
}

/// Eight iterations; prints how well the volume explains the views.
Volume reconstruct(const std::string& device, const std::shared_ptr<ProjectionSource>& views, const VolumeGrid& grid) {
  const auto backend = make_backend(device);
  SirtOptions options;
  options.model = "footprint";  // a name like those of the engine
  options.precision = Precision::exact;
  options.iterations = 8;
  options.nonnegative = true;
  const auto sirt = make_reconstruction(*backend, views, grid, options);
  while (sirt->step() != Reconstruction::Status::finished) continue;
  std::printf("%-4s %s: %.2f %% of the data are left\n", device.c_str(), sirt->variant().c_str(),
              100 * sirt->residuals().back());
  return sirt->download();
}

double rmse(const Volume& a, const Volume& b) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.values.size(); ++i) {
    const double off = static_cast<double>(a.values.data()[i]) - static_cast<double>(b.values.data()[i]);
    sum += off * off;
  }
  return std::sqrt(sum / static_cast<double>(a.values.size()));
}

bool has_opengl() {
  try {
    make_backend("gl");
    return true;
  } catch (const Error& error) {
    std::printf("gl   left out: %s\n", error.what());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  register_projector(footprint_on_cpu());
  register_projector(footprint_on_gl());
  const auto views = head_views();
  const VolumeGrid grid{{57, 63, 21}, {4.5, 4.5, 9}, {0, 0, 0}};
  const Volume truth = voxelize(load_phantom("forbild-head"), grid, 3);
  const Volume head = reconstruct("cpu", views, grid);
  const double error = rmse(head, truth), without = rmse(Volume(grid), truth);
  std::printf("error %.5f/mm r.m.s., of an empty volume %.5f/mm\n", error, without);
  double between = 0;
  if (has_opengl()) {
    between = rmse(reconstruct("gl", views, grid), head);
    std::printf("the devices differ by %.2g/mm r.m.s.\n", between);
  }
  if (argc > 1) save_volume(head, argv[1]);
  const bool right = error < 0.4 * without && between < 1e-6;
  if (!right) std::fprintf(stderr, "own_projector: that is too far off\n");
  return right ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "own_projector: %s\n", error.what());
  return error.exit_code();
}
