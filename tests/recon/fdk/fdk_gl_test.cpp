// FDK from end to end on OpenGL.
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_support.hpp"
#include "support/recon/water.hpp"

namespace backlit::gl {

TEST_CASE("A water cylinder comes back from every kind of scan on OpenGL") {
  GlBackend backend(test_context());
  const Detector wide{128, 9, 4, 4}, line{128, 1, 4, 4};
  Detector curved = wide;
  curved.shape = Detector::Shape::curved;
  auto scans = test::half_fan_scans();
  scans.push_back({"full", {wide, circular_views(wide, equal_angles(180), 600, 1200)}});
  scans.push_back({"short", {wide, circular_views(wide, equal_angles(140, 17, 220), 600, 1200)}});
  scans.push_back({"curved", {curved, circular_views(curved, equal_angles(180), 600, 1200)}});
  scans.push_back({"fan", {line, circular_views(line, equal_angles(180), 600, 1200)}});
  scans.push_back({"parallel", {line, parallel_views(line, equal_angles(120, 5, 180))}});
  for (const auto& [name, scan] : scans) {
    INFO(name);
    CHECK(test::water_error(backend, scan, scan.detector.rows > 1 ? 3 : 1) < 0.005);
  }
  backend.context().check();
}

}  // namespace backlit::gl
