// Slices on demand on OpenGL against the double-precision reference.
#include "render/gl/slicer.hpp"

#include <backlit/core/error.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include "render/point_reconstruction.hpp"
#include "support/gl/gl_cases.hpp"

namespace backlit::gl::slicer_gl_test {
namespace {

CutPlane oblique() {
  CutPlane plane = parse_plane("center=0.4,-0.3,0.6 normal=0.3,-0.2,1", "plane");
  plane.pixel = 0.6;
  plane.width = 27;
  plane.height = 21;
  return plane;
}

std::vector<float> read(const Texture& t) {
  std::vector<float> values(static_cast<std::size_t>(t.width() * t.height()));
  glGetTextureImage(t.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(values.size() * sizeof(float)), values.data());
  return values;
}

ResidentViews resident(GlBackend& backend, const Scan& scan, const std::vector<float>& views,
                       const ResidentOptions& options) {
  ResidentViews r(backend, scan, options);
  GlArray array(test_context(), "filtered", shape_of(scan.detector, scan.view_count()));
  array.upload(views);
  r.load(array);
  return r;
}

std::vector<float> cut(GlBackend& backend, const ResidentViews& views, const CutPlane& plane,
                       const std::string& variant, std::int64_t stride = 1) {
  const Texture target("slice", GL_TEXTURE_2D, GL_R32F, plane.width, plane.height);
  ViewSlicer(backend, views, SliceVariant::parse(variant)).render(plane, target, stride);
  return read(target);
}

std::vector<float> reference(const Scan& scan, const std::vector<float>& views, const CutPlane& plane) {
  std::vector<float> values(static_cast<std::size_t>(plane.width * plane.height));
  cut_views(PointReconstruction(scan, views), plane, values);
  return values;
}

std::vector<float> random_views(const Scan& scan) {
  return random_values(scan.view_count() * scan.detector.pixels(), 3, -1, 1);
}

}  // namespace

TEST_CASE("An oblique slice from views is the reference's, for every geometry, precision and variant") {
  GlBackend backend(test_context());
  for (const Case& c : cases()) {
    if (c.name.find("laminography") != std::string::npos) continue;
    INFO(c.name);
    const auto views = random_views(c.scan);
    CutPlane plane = oblique();
    if (c.scan.detector.rows == 1) plane = {Vec3(0.5, 0, 0), {1, 0, 0}, {0, 1, 0}, 0.6, 27, 21};
    const auto expected = reference(c.scan, views, plane);
    const auto exact = resident(backend, c.scan, views, {Precision::exact, false});
    CHECK(relative_l2(cut(backend, exact, plane, ""), expected) < 2e-5);
    CHECK(relative_l2(cut(backend, exact, plane, "draw=fragment,table=uniform"), expected) < 2e-5);
    const auto fast = resident(backend, c.scan, views, {Precision::fast, true});
    CHECK(relative_l2(cut(backend, fast, plane, "table=uniform"), expected) < 1e-2);
    CHECK(relative_l2(cut(backend, fast, plane, "pixels=3"), expected) < 1e-2);
    const auto half = resident(backend, c.scan, views, {Precision::half, false});
    CHECK(relative_l2(cut(backend, half, plane, "draw=fragment"), expected) < 1e-2);
  }
  backend.context().check();
}

TEST_CASE("A slice from every third view is weighed up for the others") {
  GlBackend backend(test_context());
  const Case c = cases().front();
  const std::vector<float> ones(static_cast<std::size_t>(c.scan.view_count() * c.scan.detector.pixels()), 0.25f);
  const auto views = resident(backend, c.scan, ones, {Precision::exact, false});
  CutPlane plane = oblique();
  plane.width = plane.height = 3;  // near the axis, where all weights are 1
  const auto all = cut(backend, views, plane, ""), some = cut(backend, views, plane, "", 3);
  CHECK(all[4] == Approx(0.25 * static_cast<double>(views.count())).epsilon(0.01));
  CHECK(some[4] == Approx(all[4]).epsilon(0.01));
}

TEST_CASE("Views in any order, and views replaced by a stream, give the slice of the scan that they make") {
  GlBackend backend(test_context());
  const Case c = cases()[1];
  Scan shuffled = c.scan;
  std::reverse(shuffled.views.begin() + 3, shuffled.views.end());
  const auto views = random_views(shuffled), newer = random_values(2 * c.scan.detector.pixels(), 9, -1, 1);
  auto stream = resident(backend, shuffled, views, {Precision::exact, true});
  const CutPlane plane = oblique();
  CHECK(relative_l2(cut(backend, stream, plane, ""), reference(shuffled, views, plane)) < 2e-5);

  // Two more views, the first where the oldest was, the second elsewhere.
  Scan moved = shuffled;
  moved.views[1].source *= 1.02;
  std::vector<float> now = views;
  std::copy(newer.begin(), newer.end(), now.begin());
  const std::int64_t pixels = c.scan.detector.pixels();
  for (std::int64_t n = 0; n < 2; ++n) {
    GlArray one(test_context(), "one view", shape_of(c.scan.detector, 1));
    one.upload(std::span(newer).subspan(static_cast<std::size_t>(n * pixels), static_cast<std::size_t>(pixels)));
    const std::int64_t before = stream.generation();
    CHECK(stream.replace_oldest(moved.views[static_cast<std::size_t>(n)], one) == n);
    CHECK(stream.generation() == before + 1);
  }
  CHECK(relative_l2(cut(backend, stream, plane, ""), reference(moved, now, plane)) < 2e-5);

  View broken = moved.views[2];
  broken.u = Vec3(0);
  GlArray one(test_context(), "one view", shape_of(c.scan.detector, 1));
  CHECK_THROWS_AS(stream.replace_oldest(broken, one), InputError);
  CHECK(relative_l2(cut(backend, stream, plane, ""), reference(moved, now, plane)) < 2e-5);
}

TEST_CASE("Views are read, filtered and widened on their way to the device") {
  GlBackend backend(test_context());
  DetectorPlacement place;
  place.offset_u = 45;  // a half fan: the filter widens its detector
  const Detector d{128, 9, 4, 4};
  Projections data({d, circular_views(d, equal_angles(240, 7), 600, 1200, place)});
  project_phantom(load_phantom("water-cylinder"), data.scan, 0, data.scan.view_count(), 1, data.values.span());
  MemorySource source(std::move(data));
  const auto filter = backend.make_filter(source.scan(), {});
  const auto views = load_resident_views(backend, source, *filter, {Precision::half, false});
  CHECK(views.scan().detector.columns > 128);
  CutPlane plane;
  plane.pixel = 5;
  plane.width = plane.height = 25;
  double sum = 0;
  const auto values = cut(backend, views, plane, "");
  for (float v : values) sum += v;
  CHECK(sum / static_cast<double>(values.size()) == Approx(0.02).epsilon(0.005));
}

TEST_CASE("A slice from a display volume is the reference's") {
  GlBackend backend(test_context());
  const VolumeGrid grid{{19, 23, 13}, {1.0, 0.9, 1.3}, {3, -2, 1.5}};
  Volume volume(grid);
  const auto values = random_values(grid.voxels(), 4, -1, 1);
  std::copy(values.begin(), values.end(), volume.values.begin());
  const auto array = backend.make_array(shape_of(grid));
  backend.upload(values, *array);
  GlDisplayVolume display(test_context());
  VolumeSlicer slicer(backend);
  CutPlane plane = oblique();
  plane.center += grid.center;
  plane.pixel = 1.3;  // past the edges
  const Texture target("slice", GL_TEXTURE_2D, GL_R32F, plane.width, plane.height);
  CHECK_THROWS_WITH(slicer.render(display.front(), plane, target), Catch::Contains("there is no volume yet"));
  display.publish(*array, grid);
  slicer.render(display.front(), plane, target);
  std::vector<float> expected(values.size());
  expected.resize(static_cast<std::size_t>(plane.width * plane.height));
  cut_volume(volume, plane, expected);
  CHECK(relative_l2(read(target), expected) < 1e-2);
  backend.context().check();
}

TEST_CASE("A thick slice shows the largest, the smallest or the mean value across it") {
  const auto context = test_context();
  GlBackend backend(context);
  const VolumeGrid grid{{11, 9, 24}, {1.0, 1.2, 0.5}, {2, -1, 3}};
  const auto values = random_values(grid.voxels(), 5, 1, 2);
  const auto array = backend.make_array(shape_of(grid));
  backend.upload(values, *array);
  VolumeSlicer slicer(backend);
  CutPlane plane;  // across z, a pixel a voxel: samples lie a quarter of a voxel from the centres
  plane.center = grid.center;
  plane.pixel = 1.0;
  plane.width = 11;
  plane.height = 1;
  const Texture target("slab", GL_TEXTURE_2D, GL_R32F, plane.width, plane.height);
  const auto column = [&](std::int64_t i, auto&& add) {  // through the row of voxels in the middle
    for (std::int64_t k = 8; k < 16; ++k) add(values[static_cast<std::size_t>((k * 9 + 4) * 11 + i)]);
  };
  for (const bool tiled : {false, true}) {
    INFO(tiled);
    Limits low = context->limits();
    if (tiled) low.texture_3d_size = 14;
    context->mask(low);
    GlDisplayVolume display(context);
    display.publish(*array, grid);
    context->mask(query_limits());
    if (tiled) REQUIRE(display.front().tiles->size() > 1);
    const auto slab = [&](Slab::Show show, double thickness = 4) {
      slicer.render(display.front(), plane, target, {thickness, show});
      return read(target);
    };
    const auto largest = slab(Slab::Show::largest), smallest = slab(Slab::Show::smallest),
               mean = slab(Slab::Show::mean);
    for (std::int64_t i = 0; i < 11; ++i) {
      float most = 0, least = 9, sum = 0;
      column(i, [&](float v) {
        most = std::max(most, v);
        least = std::min(least, v);
        sum += v / 8;
      });
      const auto at = static_cast<std::size_t>(i);
      // Between centres values are interpolated: extremes are approached, not reached.
      CHECK(largest[at] <= most + 0.01f);
      CHECK(largest[at] > most - 0.26f);
      CHECK(smallest[at] >= least - 0.01f);
      CHECK(smallest[at] < least + 0.26f);
      CHECK(mean[at] == Approx(sum).margin(0.08));
    }
    // What lies outside the volume does not count; a slab that misses it is 0.
    const auto through = slab(Slab::Show::mean, 500);
    CHECK(*std::ranges::min_element(through) > 1);
    plane.center.z += 100;
    const auto beside = slab(Slab::Show::largest);
    CHECK(*std::ranges::max_element(beside) == 0);
    plane.center.z -= 100;
  }
  backend.context().check();
}

TEST_CASE("A slice of a volume in several textures is that of one") {
  const auto context = test_context();
  GlBackend backend(context);
  const VolumeGrid grid{{31, 19, 27}, {1.0, 0.9, 1.3}, {3, -2, 1.5}};
  const auto values = random_values(grid.voxels(), 4, -1, 1);
  const auto array = backend.make_array(shape_of(grid));
  backend.upload(values, *array);
  VolumeSlicer slicer(backend);
  CutPlane plane = oblique();
  plane.center += grid.center;
  plane.pixel = 1.1;
  const Texture target("slice", GL_TEXTURE_2D, GL_R32F, plane.width, plane.height);
  GlDisplayVolume whole(context);
  whole.publish(*array, grid);
  slicer.render(whole.front(), plane, target);
  const auto expected = read(target);
  Limits low = context->limits();
  low.texture_3d_size = 14;  // 6 voxels of its own a tile
  context->mask(low);
  GlDisplayVolume display(context);
  display.publish(*array, grid);
  context->mask(query_limits());
  REQUIRE(display.front().tiles->size() > 40);
  slicer.render(display.front(), plane, target);
  const auto tiled = read(target);
  // Hardware interpolates with 8 bits in between: places within different textures may round apart.
  CHECK(relative_l2(tiled, expected) < 5e-3);
  for (std::size_t i = 0; i < tiled.size(); ++i)
    if (std::abs(expected[i]) > 0.05f) REQUIRE(tiled[i] != 0);
  backend.context().check();
}

TEST_CASE("What a slicer cannot do it says") {
  GlBackend backend(test_context());
  CHECK_THROWS_WITH(SliceVariant::parse("draw=quill"),
                    "variant: unknown draw 'quill'; choose one of compute, fragment");
  CHECK_THROWS_WITH(SliceVariant::parse("pixels=0"), "variant: '0' pixels an invocation; give 1 to 8");
  CHECK_THROWS_WITH(SliceVariant::parse("size=3"), "variant: unknown key 'size'; there are draw, table and pixels");
  CHECK(SliceVariant::parse("pixels=4,table=uniform").name() == "draw=compute,table=uniform,pixels=4");
  Limits few = test_context()->limits();
  few.array_layers = 16;
  test_context()->mask(few);
  Context& masked = backend.context();
  masked.mask(few);
  CHECK_THROWS_WITH(
      ResidentViews(backend, cases().front().scan, {}),
      "views: 21 views are more than the 16 layers of this device's textures; leave out every second one");
  masked.mask(query_limits());
}

}  // namespace backlit::gl::slicer_gl_test
