// Views along the grid's axes, some rays of which step sideways by cos(90 degrees), 6e-17 and not 0, a slice: quotients
// by that kept a driver's loops from ending.
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/gl/projection_pair.hpp"

namespace backlit::gl {
namespace {

TEST_CASE("Rays along the axes of the grid end where it ends, whatever the model") {
  const Detector d{33, 11, 1.53, 2.1};  // no ray on a border between voxels
  const auto angles = equal_angles(4, 0, 360);
  const VolumeGrid grid{{23, 21, 9}, {2, 2, 2}, {0, 0, 0}};
  const Case scans[] = {{"parallel", grid, {d, parallel_views(d, angles)}},
                        {"cone", grid, {d, circular_views(d, angles, 100, 150)}}};
  GlBackend backend(test_context());
  for (const Case& c : scans)
    for (const Model model : {Model::joseph, Model::raycast, Model::siddon, Model::blob}) {
      const Pair truth = reference(c, model);
      for (const char* draw : {"draw=compute", "draw=rays"}) {
        INFO(c.name << ", " << name(model) << ", " << draw);
        Pair p = random_pair(c);
        apply(backend, c, {.model = model, .precision = Precision::exact, .variant = draw}, p);
        CHECK(relative_l2(p.forward, truth.forward) < 1e-5);
        CHECK(mismatch(p) < 1e-4);
      }
    }
  backend.context().check();
}

}  // namespace
}  // namespace backlit::gl
