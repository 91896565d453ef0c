// Helices, and what is none.
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/geometry/helix.hpp>
#include <backlit/geometry/trajectory.hpp>

using namespace backlit;

namespace {

Scan helix(double pitch, std::int64_t views = 50, double arc = 720) {
  const Detector d{31, 5, 2, 2};
  return {d, helical_views(d, equal_angles(views, 0, arc), 200, 300, pitch, -5)};
}

}  // namespace

TEST_CASE("The turn, start and travel of a helix, up and down") {
  for (const double pitch : {5.0, -5.0}) {
    INFO(pitch);
    const Scan scan = helix(pitch);
    CHECK(is_helical(scan));
    CHECK(helix_problem(scan).empty());
    const Helix found = helix_of(scan);
    CHECK(found.turn == 25);
    CHECK(found.first_z == Approx(-5));
    CHECK(found.travel == Approx(pitch / 25));
  }
}

TEST_CASE("A circle and a small drift are not helical, nor are parallel beams") {
  CHECK_FALSE(is_helical(helix(0)));
  CHECK_FALSE(is_helical(helix(1.5)));  // 3 mm of 200
  const Detector d{31, 5, 2, 2};
  CHECK_FALSE(is_helical({d, parallel_views(d, equal_angles(10))}));
}

TEST_CASE("What is no helix says why") {
  CHECK(helix_problem(helix(5, 51)) == "a turn has 25.500 views");
  CHECK(helix_problem(helix(50, 20, 180)) == "there is less than a turn");
  Scan bent = helix(5);
  bent.views[7].center.z += 1;
  CHECK(is_helical(bent));
  CHECK(helix_problem(bent) == "view 7 leaves the helix of the others");
  CHECK_THROWS_AS(helix_of(bent), InputError);
  Scan still = helix(5);
  for (View& view : still.views) view.center = still.views[0].center, view.source = still.views[0].source;
  CHECK(helix_problem(still) == "there is less than a turn");
}
