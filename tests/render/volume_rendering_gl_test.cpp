// Volume rendering by shaders against the same in double precision on the CPU.
#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "render/gl/volume_renderer.hpp"
#include "support/gl/gl_support.hpp"
#include "support/render_scene.hpp"

using Catch::Matchers::Contains;

namespace backlit::gl {
namespace {

using Mode = VolumeMode;

/// A volume on the device, and what renders it.
struct Scene {
  explicit Scene(const Volume& v, std::int64_t texture_side = 0, RenderPath path = RenderPath::compute)
      : volume(v), context(test_context()), backend(context), display(context), renderer(context, path) {
    if (texture_side > 0) {
      Limits small = context->limits();
      small.texture_3d_size = texture_side;
      context->mask(small);
    }
    publish(v);
  }

  void publish(const Volume& v) {
    const auto array = backend.make_array(shape_of(v.grid));
    backend.upload(v.values.span(), *array);
    display.publish(*array, v.grid);
  }

  std::vector<float> picture(const CameraRays& rays, const VolumeRenderOptions& options) {
    renderer.render(display.front(), rays, options, classifier);
    context->check();
    return read_found(renderer.found());
  }

  const Volume& volume;
  std::shared_ptr<Context> context;
  GlBackend backend;
  GlDisplayVolume display;
  VolumeRenderer renderer;
  Classifier classifier{test::warm(), {}};
};

VolumeRenderOptions with(Mode mode) {
  VolumeRenderOptions o;
  o.mode = mode;
  o.iso = 0.3;
  return o;
}

constexpr Mode all_modes[] = {Mode::mip, Mode::average, Mode::drr, Mode::iso, Mode::dvr};

/// Rays that graze a surface may miss it for a rounding: so many pixels of those that hit may be different things.
void check_surfaces(const std::vector<float>& a, const std::vector<double>& b, double depth_offset_free) {
  std::int64_t hits = 0, different = 0;
  double normals = 0;
  for (std::size_t i = 0; i < b.size(); i += 4) {
    const Vec3 na(a[i], a[i + 1], a[i + 2]), nb(b[i], b[i + 1], b[i + 2]);
    const bool hit_a = glm::length(na) > 0, hit_b = glm::length(nb) > 0;
    hits += hit_b;
    if (hit_a != hit_b)
      ++different;
    else if (hit_b)
      normals += glm::length(na - nb);
  }
  INFO(hits << " hits, " << different << " differ, normals by " << normals / static_cast<double>(hits));
  CHECK(hits > 30);
  CHECK(different <= hits / 100);
  CHECK(normals / static_cast<double>(hits) < depth_offset_free);
}

/// Pictures of the same volume made in two ways.
void check_same(Mode mode, const std::vector<float>& found, const std::vector<float>& expected) {
  if (mode == Mode::iso)
    check_surfaces(found, {expected.begin(), expected.end()}, 1e-3);
  else
    CHECK(relative_l2(found, expected) < 1e-4);
}

void check_against_reference(Scene& scene, const CameraRays& rays, const VolumeRenderOptions& options) {
  INFO("mode " << volume_mode_names()[static_cast<std::size_t>(options.mode)]);
  const auto found = scene.picture(rays, options);
  const auto expected = render_reference(scene.volume, rays, options, scene.classifier);
  if (options.mode == Mode::iso)
    check_surfaces(found, expected, 5e-3);
  else
    CHECK(relative_l2(found, expected) < 2e-3);
}

TEST_CASE("Every mode is the reference's picture, drawn and computed, seen from anywhere") {
  const Volume volume = test::blobs();
  const Detector d{45, 39, 2, 2};
  const auto views = circular_views(d, {70}, 200, 300);
  for (const RenderPath path : {RenderPath::compute, RenderPath::fragment}) {
    Scene scene(volume, 0, path);
    for (const Mode mode : all_modes) {
      check_against_reference(scene, camera_rays({.azimuth = 25, .elevation = 15}, volume.grid, 49, 35), with(mode));
      check_against_reference(scene, camera_rays({.azimuth = -90, .elevation = 90, .fov = 0}, volume.grid, 33, 41),
                              with(mode));
      check_against_reference(scene, camera_rays(d, views[0], 45, 39), with(mode));
    }
  }
}

TEST_CASE("Crop box, clip planes, jitter and short steps are the reference's") {
  const Volume volume = test::blobs();
  Scene scene(volume);
  const CameraRays rays = camera_rays({.azimuth = 200, .elevation = -25, .fov = 50}, volume.grid, 40, 40);
  for (const Mode mode : all_modes) {
    VolumeRenderOptions o = with(mode);
    o.step = 0.6;
    o.jitter = true;
    o.crop_low = volume.grid.center - Vec3(20, 12, 30);
    o.crop_high = volume.grid.center + Vec3(18, 40, 11);
    o.clips = {{volume.grid.center + Vec3(3, 0, 0), {1, 0.4, -0.2}}, {volume.grid.center, {0, -0.5, -3}}};
    o.shaded = mode == Mode::dvr;
    check_against_reference(scene, rays, o);
  }
}

/// Shadows, occlusion and opacity by gradients, cut by a box and a plane.
VolumeRenderOptions with_light(Mode mode, const VolumeGrid& grid) {
  VolumeRenderOptions o = with(mode);
  o.gradient_opacity = 0.6;
  o.shadows = 0.7;
  o.occlusion = 0.8;
  o.light_cells = 24;
  o.crop_high = grid.center + Vec3(18, 40, 15);
  o.clips = {{grid.center + Vec3(3, 0, 0), {1, 0.4, -0.2}}};
  return o;
}

TEST_CASE("Shadows, occlusion and opacity by gradients are the reference's") {
  const Volume volume = test::blobs();
  const CameraRays cameras[] = {camera_rays({.azimuth = 25, .elevation = 15}, volume.grid, 40, 40),
                                camera_rays({.azimuth = 190, .elevation = 70, .fov = 0}, volume.grid, 40, 40)};
  for (const RenderPath path : {RenderPath::compute, RenderPath::fragment}) {
    Scene scene(volume, 0, path);
    for (const Mode mode : {Mode::iso, Mode::dvr})
      for (const CameraRays& rays : cameras) {
        VolumeRenderOptions o = with_light(mode, volume.grid);
        const auto dark = scene.picture(rays, o);
        check_against_reference(scene, rays, o);
        o.shadows = o.occlusion = o.gradient_opacity = 0;
        CHECK(relative_l2(dark, scene.picture(rays, o)) > 1e-3);  // of iso most are depths
        check_against_reference(scene, rays, o);
      }
  }
}

TEST_CASE("Boxes of value and gradient are the reference's") {
  const Volume volume = test::blobs();
  Scene scene(volume);
  const CameraRays rays = camera_rays({.azimuth = 25, .elevation = 15}, volume.grid, 40, 40);
  const auto without = scene.picture(rays, with(Mode::dvr));
  TransferFunction f = test::warm();
  const double from = f.points.front().value, to = f.points.back().value, steep = 0.3 * (to - from);
  f.boxes = {{from, to, 0, 0.1 * steep, {0, 1, 0}, 0.3}, {0.5 * (from + to), to, 0.2 * steep, steep, {0, 0, 1}, 0.9}};
  for (const bool alone : {false, true}) {
    if (alone) f.points.clear();
    scene.classifier = Classifier(f, {});
    CHECK(relative_l2(without, scene.picture(rays, with(Mode::dvr))) > 0.05);
    check_against_reference(scene, rays, with(Mode::dvr));
    check_against_reference(scene, rays, with_light(Mode::dvr, volume.grid));
  }
}

TEST_CASE("A volume of several textures has the light of the whole one") {
  const Volume volume = test::blobs();
  const CameraRays rays = camera_rays({.azimuth = 25, .elevation = 15}, volume.grid, 49, 35);
  for (const Mode mode : {Mode::iso, Mode::dvr}) {
    Scene whole(volume), tiled(volume, 24);
    const VolumeRenderOptions o = with_light(mode, volume.grid);
    check_same(mode, tiled.picture(rays, o), whole.picture(rays, o));
  }
}

TEST_CASE("Light follows what changes: the light's direction, values, transfer function") {
  const Volume volume = test::blobs();
  Volume half = test::blobs();
  for (float& v : half.values.span()) v *= 0.5f;
  Scene scene(volume);
  VolumeRenderOptions o = with_light(Mode::dvr, volume.grid);
  check_against_reference(scene, camera_rays({.azimuth = 25, .elevation = 15}, volume.grid, 33, 33), o);
  const CameraRays rays = camera_rays({.azimuth = 140, .elevation = -30}, volume.grid, 33, 33);
  check_against_reference(scene, rays, o);
  TransferFunction faint = test::warm();
  faint.points[0].value = 0.02;
  scene.classifier = Classifier(faint, {});
  check_against_reference(scene, rays, o);
  o.clips.clear();
  check_against_reference(scene, rays, o);
  scene.publish(half);
  CHECK(relative_l2(scene.picture(rays, o), render_reference(half, rays, o, scene.classifier)) < 2e-3);
}

TEST_CASE("Leaping over empty bricks changes no picture") {
  const Volume volume = test::blobs({77, 70, 65});
  Scene scene(volume);
  for (const double fov : {0.0, 45.0})
    for (const Mode mode : all_modes) {
      INFO("mode " << volume_mode_names()[static_cast<std::size_t>(mode)] << ", fov " << fov);
      const CameraRays rays = camera_rays({.azimuth = 130, .elevation = 33, .fov = fov}, volume.grid, 61, 47);
      VolumeRenderOptions o = with(mode);
      o.jitter = fov > 0;
      const auto leaping = scene.picture(rays, o);
      o.skip_empty = false;
      const auto all = scene.picture(rays, o);
      // The compiler may fuse differently in the two ways through the loop.
      CHECK(relative_l2(leaping, all) < 1e-6);
    }
}

TEST_CASE("A volume larger than a 3-D texture gives the same pictures from several") {
  const Volume volume = test::blobs();
  const CameraRays cameras[] = {camera_rays({.azimuth = 25, .elevation = 15}, volume.grid, 49, 35),
                                camera_rays({.azimuth = 205, .elevation = -40, .fov = 0}, volume.grid, 35, 49)};
  for (const RenderPath path : {RenderPath::compute, RenderPath::fragment})
    for (const CameraRays& rays : cameras)
      for (const Mode mode : all_modes) {
        INFO("mode " << volume_mode_names()[static_cast<std::size_t>(mode)]);
        Scene whole(volume, 0, path);
        const auto expected = whole.picture(rays, with(mode));
        Scene tiled(volume, 24, path);
        REQUIRE(tiled.display.front().tiles->size() == 4 * 3 * 3);
        CHECK(tiled.display.front().values == nullptr);
        check_same(mode, tiled.picture(rays, with(mode)), expected);
      }
}

TEST_CASE("What is newly published is seen, though it was empty there before") {
  const Volume volume = test::blobs();
  Volume empty(volume.grid);
  Scene scene(empty);
  const CameraRays rays = camera_rays(Turntable{}, volume.grid, 32, 32);
  for (const Mode mode : {Mode::iso, Mode::dvr, Mode::drr}) {
    scene.publish(empty);
    const auto before = scene.picture(rays, with(mode));
    if (mode != Mode::drr) CHECK(std::ranges::count(before, 0.0f) == 4 * 32 * 32);
    scene.publish(volume);
    const auto after = scene.picture(rays, with(mode));
    const auto expected = render_reference(volume, rays, with(mode), scene.classifier);
    CHECK(std::ranges::count_if(after, [](float v) { return v != 0 && v != 1; }) > 100);
    if (mode != Mode::iso) CHECK(relative_l2(after, expected) < 2e-3);
  }
}

TEST_CASE("Another transfer function or iso value needs no new publish") {
  const Volume volume = test::blobs();
  Scene scene(volume);
  const CameraRays rays = camera_rays(Turntable{}, volume.grid, 32, 32);
  scene.picture(rays, with(Mode::dvr));
  TransferFunction faint = test::warm();
  faint.points[0].value = 0.02;
  scene.classifier = Classifier(faint, {});
  CHECK(relative_l2(scene.picture(rays, with(Mode::dvr)),
                    render_reference(volume, rays, with(Mode::dvr), scene.classifier)) < 2e-3);
  VolumeRenderOptions iso = with(Mode::iso);
  scene.picture(rays, iso);
  iso.iso = 0.1;
  check_surfaces(scene.picture(rays, iso), render_reference(volume, rays, iso, scene.classifier), 5e-3);
}

TEST_CASE("Line integrals are those of the forward projector") {
  const Volume volume = test::blobs({40, 40, 40}, {1, 1, 1});
  const Detector d{48, 44, 1.7, 1.7};
  const Scan scan{d, circular_views(d, {10, 100, 215}, 200, 300)};
  Scene scene(volume);
  const auto op = scene.backend.make_ct(volume.grid, scan, CtOptions{.model = Model::joseph});
  const auto x = op->make_domain(), y = op->make_range(3);
  scene.backend.upload(volume.values.span(), *x);
  op->forward(*x, *y, op->all(), Write::overwrite);
  Projections projected(scan);
  scene.backend.download(*y, projected.values.span());
  for (std::int64_t view = 0; view < 3; ++view) {
    VolumeRenderOptions o = with(Mode::drr);
    o.step = 0.5;
    const auto found = scene.picture(camera_rays(d, scan.views[static_cast<std::size_t>(view)], 48, 44), o);
    std::vector<float> integrals, expected;
    for (std::int64_t row = 0; row < 44; ++row)
      for (std::int64_t column = 0; column < 48; ++column) {
        integrals.push_back(found[static_cast<std::size_t>(4 * ((43 - row) * 48 + column))]);
        expected.push_back(projected.at(view, row, column));
      }
    CHECK(relative_l2(integrals, expected) < 3e-3);
  }
}

TEST_CASE("A far source and small voxels lose no precision") {
  const Volume volume = test::blobs({33, 33, 33}, {1e-3, 1e-3, 1e-3});
  Scene scene(volume);
  const Detector d{30, 30, 2e-3, 2e-3};
  auto views = circular_views(d, {30}, 1e5, 1e5 + 1);
  views[0].center += volume.grid.center;
  views[0].source += volume.grid.center;
  check_against_reference(scene, camera_rays(d, views[0], 30, 30), with(Mode::drr));
}

TEST_CASE("Found values, colours and surfaces become pictures") {
  const auto context = test_context();
  const Volume volume = test::blobs();
  Scene scene(volume);
  const CameraRays rays = camera_rays(Turntable{.zoom = 2}, volume.grid, 40, 30);
  const Texture shown = make_shown(40, 30);
  const Rgb paper{10, 20, 30};
  const auto show = [&](Mode mode, const Finish& finish) {
    const auto found = scene.picture(rays, with(mode));
    scene.renderer.show(finish, shown);
    return std::pair(found, read_shown(shown));
  };
  const Finish finish{{0.1, 0.7}, "viridis", paper, {200, 100, 50}};
  const auto [values, mip] = show(Mode::mip, finish);
  const auto [colors, dvr] = show(Mode::dvr, finish);
  const auto [surfaces, iso] = show(Mode::iso, finish);
  // Each as the host would show it, a little rounding aside; and all of it is there to be seen.
  for (const auto& [mode, found, picture] :
       {std::tuple(Mode::mip, values, mip), {Mode::dvr, colors, dvr}, {Mode::iso, surfaces, iso}}) {
    const std::vector<double> exact(found.begin(), found.end());
    const Image expected = finish_picture(exact, picture_kind(mode), rays, finish);
    std::int64_t near = 0, paper_pixels = 0;
    for (std::size_t i = 0; i < expected.pixels.size(); ++i) {
      const Rgb a = picture.pixels[i], b = expected.pixels[i];
      near += std::abs(a.r - b.r) <= 2 && std::abs(a.g - b.g) <= 2 && std::abs(a.b - b.b) <= 2;
      paper_pixels += b == paper;
    }
    CHECK(near == 1200);
    CHECK(paper_pixels > 0);
    CHECK(paper_pixels < 1100);
  }
  CHECK_THROWS_WITH(VolumeRenderer(context).show(finish, shown), Contains("there is no picture to show"));
  CHECK_THROWS_WITH(VolumeRenderer(context).render({}, rays, {}, {}), Contains("no volume has been published"));
}

}  // namespace
}  // namespace backlit::gl
