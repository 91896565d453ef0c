// The viewer's model as a whole: open, reconstruct, steer, without a window.
#include "viewer_support.hpp"

#include "core/error.hpp"

using namespace backlit;
using namespace backlit::viewer;
using test::Windowless;

TEST_CASE("An example opens, reconstructs itself and shows the phantom's values") {
  Windowless w;
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  const Status& s = w.model.status();
  INFO((s.errors.empty() ? "" : s.errors.back()));
  REQUIRE(s.errors.empty());
  REQUIRE(s.source);
  CHECK(s.source->scan.view_count() == 60);
  CHECK(s.runs == 1);
  CHECK(s.generation > 2);  // it appeared while it was made
  CHECK(s.finished.complete);
  REQUIRE(s.histogram);
  CHECK(w.model.state().display.low < w.model.state().display.high);
  CHECK(w.model.value_at(Vec3(0)) > 0.005f);
  CHECK(std::isnan(w.model.value_at(Vec3(1e4))));
}
