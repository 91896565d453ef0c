// The noise that views show.
#include <catch2/catch.hpp>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/noise_level.hpp>
#include "support/recon/penalties.hpp"

using namespace backlit;

namespace {

/// Of the FORBILD head, with noise of a standard deviation that falls from one side of the detector to the other.
double level(const Detector& d, float most, float least) {
  Projections views({d, circular_views(d, equal_angles(23), 1000, 1500)});
  project_phantom(load_phantom("forbild-head-plain"), views.scan, 0, 23, 1, views.values.span());
  const auto noise = test::normal_noise(views.values.size(), 7);
  for (std::int64_t n = 0; n < views.values.size(); ++n) {
    const float at = static_cast<float>(n % d.columns) / static_cast<float>(d.columns - 1);
    views.values.data()[n] += (most + at * (least - most)) * noise[static_cast<std::size_t>(n)];
  }
  MemorySource source(std::move(views));
  return noise_level(source);
}

}  // namespace

TEST_CASE("Noise of views: its root mean square, whatever the head beneath, on areas and on single rows") {
  for (const Detector& d : {Detector{157, 93, 3, 3}, Detector{311, 1, 1.5, 1.5}}) {
    INFO(d.rows << " rows");
    CHECK(level(d, 0.02f, 0.02f) == Approx(0.02).epsilon(0.15));
    CHECK(level(d, 0.04f, 0.01f) == Approx(0.02646).epsilon(0.15));  // sqrt of the mean of squares
    CHECK(level(d, 0, 0) < 0.01);
  }
  CHECK(level({2, 5, 100, 100}, 1, 1) == 0);  // nothing to be seen
}
