// The iterative methods on the device against the same methods on the CPU reference.
#include <catch2/catch.hpp>
#include <cmath>

#include "geometry/trajectory.hpp"
#include "phantom/phantom.hpp"
#include "recon/reconstruction.hpp"
#include "support/cuda.hpp"

using namespace backlit;

namespace {

struct Result {
  std::vector<float> volume;
  std::vector<double> residuals;
};

Result run(Backend& backend, const std::string& method) {
  const Detector d{39, 27, 7, 7};
  Projections views({d, circular_views(d, equal_angles(20, 5), 600, 900)});
  project_phantom(load_phantom("shepp-logan-3d"), views.scan, 0, 20, 1, views.values.span());
  const VolumeGrid grid{{25, 23, 15}, {8, 8, 8}, {0, 0, 0}};
  ReconOptions options;
  options.method = method;
  options.precision = "exact";
  options.iterations = 4;
  options.subsets = method == "ossart" || method == "osem" ? 5 : 1;
  const auto recon = make_reconstruction(backend, std::make_shared<MemorySource>(std::move(views)), grid, options);
  while (recon->step() != Reconstruction::Status::finished) {
  }
  const Volume volume = recon->download();
  return {{volume.values.begin(), volume.values.end()}, {recon->residuals().begin(), recon->residuals().end()}};
}

}  // namespace

TEST_CASE("iterative methods on the device follow the reference") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  for (const std::string& method : recon_methods()) {
    if (method == "fdk") continue;
    INFO(method);
    const Result expected = run(*cpu, method), result = run(*backend, method), again = run(*backend, method);
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.volume.size(); ++i) {
      difference += std::pow(double{expected.volume[i]} - double{result.volume[i]}, 2);
      norm += std::pow(double{expected.volume[i]}, 2);
    }
    CHECK(std::sqrt(difference / norm) < 1e-4);
    REQUIRE(result.residuals.size() == expected.residuals.size());
    for (std::size_t i = 0; i < result.residuals.size(); ++i)
      CHECK(result.residuals[i] == Approx(expected.residuals[i]).epsilon(1e-3));
    CHECK(result.volume == again.volume);  // no atomics anywhere: bit for bit
  }
}
