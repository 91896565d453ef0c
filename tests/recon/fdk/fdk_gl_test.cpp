// FDK from end to end on OpenGL.
#include "device/gl/gl_backend_class.hpp"
#include "recon/fdk/filtered_backprojection.hpp"
#include "support/gl/gl_support.hpp"
#include "support/recon/water.hpp"
#include "support/relative_l2.hpp"

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

TEST_CASE("FDK gives the same bits where views are added in the same portions, and rounds otherwise in others") {
  GlBackend backend(test_context());
  const Detector d{47, 31, 1.4, 1.7};
  const Scan scan{d, circular_views(d, equal_angles(26), 150, 220)};
  const VolumeGrid grid{{29, 23, 19}, {1.1, 1.3, 1.2}, {0, 0, 0}};
  const auto views = random_values(scan.view_count() * d.pixels(), 3);
  for (const Precision precision : {Precision::exact, Precision::fast, Precision::half}) {
    const auto sum = [&](std::initializer_list<std::int64_t> portions) {
      StageSeconds seconds;
      FilteredBackprojection fdk(backend, scan, grid, {.model = Model::voxel_driven, .precision = precision}, {},
                                 seconds);
      for (const std::int64_t count : portions)
        fdk.add(std::span(views).subspan(static_cast<std::size_t>(fdk.done() * d.pixels()),
                                         static_cast<std::size_t>(count * d.pixels())));
      REQUIRE(fdk.complete());
      std::vector<float> values(static_cast<std::size_t>(grid.voxels()));
      backend.download(fdk.volume(), values);
      return values;
    };
    INFO(name(precision));
    const auto grown = sum({4, 8, 14});  // as steps grow on a device that has nothing else to do
    for (int again = 0; again < 3; ++again) CHECK(sum({4, 8, 14}) == grown);
    CHECK(test::relative_l2(sum({4, 4, 8, 4, 6}), grown) < 1e-6);
  }
  backend.context().check();
}

}  // namespace backlit::gl
