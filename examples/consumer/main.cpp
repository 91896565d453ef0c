// Simulates a small cone-beam scan of a head, reconstructs it and saves the volume: consumer [FILE.mha [cpu|gl|auto]]
#include <backlit/backlit.hpp>

#include <cstdio>

int main(int argc, char** argv) try {
  const backlit::Detector detector{.columns = 64, .rows = 48, .pixel_u = 6, .pixel_v = 6};  // mm
  const auto angles = backlit::equal_angles(90);
  const backlit::Scan scan{detector, backlit::circular_views(detector, angles, 1000, 1500)};
  backlit::Projections projections(scan);
  backlit::project_phantom(backlit::load_phantom("forbild-head"), scan, 0, scan.view_count(), 1,
                           projections.values.span());

  const auto backend = backlit::make_backend(argc > 2 ? argv[2] : "cpu");
  const auto source = std::make_shared<backlit::MemorySource>(std::move(projections));
  backlit::FdkOptions options;
  options.filter.cutoff = 0.9;
  const auto recon = backlit::make_reconstruction(*backend, source, backlit::default_grid(scan), options);
  while (recon->step() != backlit::Reconstruction::Status::finished) {
  }
  backlit::save_volume(recon->download(), argc > 1 ? argv[1] : "head.mha");
  std::printf("Backlit %s on %s\n", backlit::version(), backend->device().c_str());
} catch (const backlit::Error& error) {
  std::fprintf(stderr, "consumer: %s\n", error.what());
  return error.exit_code();
}
