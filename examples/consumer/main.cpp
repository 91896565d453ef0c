// Reconstructs a scan and saves the volume: consumer [FILE.mha [cpu|gl|auto [SCAN.scan.toml]]]. Without a scan file it
// simulates a small cone-beam scan of a head.
#include <backlit/backlit.hpp>

#include <cstdio>

namespace {

std::shared_ptr<backlit::ProjectionSource> simulated_head() {
  const backlit::Detector detector{.columns = 64, .rows = 48, .pixel_u = 6, .pixel_v = 6};  // mm
  const auto angles = backlit::equal_angles(90);
  const backlit::Scan scan{detector, backlit::circular_views(detector, angles, 1000, 1500)};
  backlit::Projections projections(scan);
  backlit::project_phantom(backlit::load_phantom("forbild-head"), scan, 0, scan.view_count(), 1,
                           projections.values.span());
  return std::make_shared<backlit::MemorySource>(std::move(projections));
}

}  // namespace

int main(int argc, char** argv) try {
  backlit::SessionOptions options;
  options.device.backend = argc > 2 ? argv[2] : "cpu";
  auto session = argc > 3 ? backlit::Session::open(argv[3], options) : backlit::Session(simulated_head(), options);

  backlit::FdkOptions fdk;
  fdk.filter.cutoff = 0.9;
  const backlit::SessionResult result = session.run(fdk);
  backlit::save_volume(result.volume, argc > 1 ? argv[1] : "head.mha");
  for (const auto& [name, text] : backlit::run_lines(result.report))
    std::printf("%s: %s\n", name.c_str(), text.c_str());
  std::printf("Backlit %s on %s\n", backlit::version(), result.report.device.c_str());
} catch (const backlit::Error& error) {
  std::fprintf(stderr, "consumer: %s\n", error.what());
  return error.exit_code();
}
