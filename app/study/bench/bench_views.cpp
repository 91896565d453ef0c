#include "study/bench/bench_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "render/gl/d2vr.hpp"
#include "render/gl/finisher.hpp"
#include "render/gl/slicer.hpp"
#include "study/bench/bench_camera.hpp"
#include "study/view_reference.hpp"

namespace backlit {
namespace {

constexpr std::int64_t frames = 20;  // between two waits for the device
constexpr std::int64_t sampled_pixels = 2000;

gl::GlBackend& gl_backend(Backend& backend) {
  if (auto* gl = dynamic_cast<gl::GlBackend*>(&backend.innermost())) return *gl;
  throw Unsupported(backend.name(), "only the gl backend draws from views", "add --backend gl");
}

gl::ResidentViews resident(gl::GlBackend& backend, const BenchCase& c, const BenchData& data,
                           const gl::ResidentOptions& options) {
  const ArrayPtr array = backend.make_array(shape_of(c.scan.detector, c.scan.view_count()));
  backend.upload(data.views.span(), *array);
  gl::ResidentViews views(backend, c.scan, options);
  views.load(gl::as_gl(*array));
  return views;
}

CutPlane oblique(const VolumeGrid& grid) {
  CutPlane plane = oriented_plane({0.3, -0.2, 1}, {0, 1, 0}, "bench");
  plane.center = grid.center;
  plane.pixel = (grid.upper() - grid.lower()).x / static_cast<double>(plane.width);
  return plane;
}

/// HU against double precision, at random pixels.
double slice_error(const BenchCase& c, const BenchData& data, const CutPlane& plane,
                   const std::vector<float>& picture) {
  const PointReconstruction exact(c.scan, data.views.span());
  std::vector<float> random(sampled_pixels);
  fill_random(random);
  return 1000 / water *
         std::sqrt(parallel_sum(
                       sampled_pixels,
                       [&](std::int64_t begin, std::int64_t end) {
                         double sum = 0;
                         for (std::int64_t n = begin; n < end; ++n) {
                           const double share = 0.5 * (1 + static_cast<double>(random[static_cast<std::size_t>(n)]));
                           const auto pixel =
                               static_cast<std::int64_t>(share * static_cast<double>(picture.size() - 1));
                           const double value = exact.value(plane.point(static_cast<double>(pixel % plane.width),
                                                                        static_cast<double>(pixel / plane.width)));
                           sum += std::pow(value - static_cast<double>(picture[static_cast<std::size_t>(pixel)]), 2);
                         }
                         return sum;
                       },
                       100) /
                   static_cast<double>(sampled_pixels));
}

/// Percentage of the pixels that leaps changed. For a surface: another hit, or a distance that differs by more than 0.5
/// mm. Otherwise: a value or colour that differs by more than 1 % of the largest.
double changed(const std::vector<float>& picture, const std::vector<float>& all_samples, bool surface) {
  const double largest = static_cast<double>(*std::ranges::max_element(all_samples));
  std::int64_t n = 0;
  for (std::size_t i = 0; i < picture.size(); i += 4) {
    const auto off = [&](std::size_t k) { return std::abs(static_cast<double>(picture[i + k] - all_samples[i + k])); };
    const auto hit = [&](const std::vector<float>& p) { return p[i] != 0 || p[i + 1] != 0 || p[i + 2] != 0; };
    n += surface ? hit(picture) != hit(all_samples) || off(3) > 0.5
                 : std::max({off(0), off(1), off(2), off(3)}) > 0.01 * largest;
  }
  return 400 * static_cast<double>(n) / static_cast<double>(picture.size());
}

/// Times one mode with one variant, with and without leaps.
struct D2vrTimer {
  gl::GlBackend& backend;
  const BenchCase& c;
  Classifier bone;
  CameraRays rays;
  gl::Texture found;
  std::int64_t repeats;

  BenchRow time(gl::D2vr& d2vr, Precision precision, VolumeRenderOptions options, const std::string& mode) const {
    BenchRow row{
        c.name,
        "d2vr " + mode,
        fmt::format("{},{}{}", d2vr.variant().name(), name(precision), options.skip_empty ? "" : ",all samples"),
        time_repeatedly([&] { d2vr.render(rays, options, bone, found); }, [&] { backend.finish(); }, repeats, 0.2),
        0,
        "frames/s",
        {}};
    row.rate = 1 / row.seconds.median;
    return row;
  }
};

/// Objects for one kind of picture.
struct D2vrScene {
  D2vrScene(Backend& any, const BenchCase& c, const BenchData& data, const CtOptions& ct, VolumeMode mode,
            std::int64_t side, bool skip)
      : backend(gl_backend(any)),
        views(resident(backend, c, data, {ct.precision, true})),
        d2vr(backend, views, c.grid, gl::D2vrVariant::parse(ct.variant)),
        bone(bone_of(c.grid)),
        rays(camera_rays(camera_filling(c.grid, 0.7), c.grid, side, side)),
        options(options_of(mode, skip)),
        found(gl::make_found(side, side)) {}

  static Classifier bone_of(const VolumeGrid& grid) {
    return {load_transfer_function("bone"), {{0, 0.036}, water, (grid.upper() - grid.lower()).x}};
  }
  static VolumeRenderOptions options_of(VolumeMode mode, bool skip) {
    VolumeRenderOptions options;
    options.mode = mode;
    options.iso = 0.03;  // bone
    options.skip_empty = skip;
    return options;
  }

  gl::GlBackend& backend;
  gl::ResidentViews views;
  gl::D2vr d2vr;
  Classifier bone;
  CameraRays rays;
  VolumeRenderOptions options;
  gl::Texture found;
};

}  // namespace

Trial d2vr_trial(Backend& backend, const BenchCase& c, const BenchData& data, const CtOptions& options, VolumeMode mode,
                 std::int64_t side, bool skip) {
  const auto scene = std::make_shared<D2vrScene>(backend, c, data, options, mode, side, skip);
  return {scene->d2vr.variant().name(), 1, "frames/s",
          [scene] { scene->d2vr.render(scene->rays, scene->options, scene->bone, scene->found); },
          [scene] {
            const std::vector<float> found = gl::read_found(scene->found);
            HostArray<float> picture(static_cast<std::int64_t>(found.size()));
            std::ranges::copy(found, picture.begin());
            return picture;
          }};
}

std::vector<float> d2vr_truth(const BenchCase& c, const BenchData& data, VolumeMode mode, std::int64_t side) {
  const auto picture = render_reference(PointReconstruction(c.scan, data.views.span()), c.grid,
                                        camera_rays(camera_filling(c.grid, 0.7), c.grid, side, side),
                                        D2vrScene::options_of(mode, false), D2vrScene::bone_of(c.grid));
  return {picture.begin(), picture.end()};
}

BenchRow bench_slice(Backend& any, const BenchCase& c, const CtOptions& options, const BenchData& data,
                     std::int64_t repeats) {
  gl::GlBackend& backend = gl_backend(any);
  const auto variant = gl::SliceVariant::parse(options.variant);
  const gl::ResidentViews views = resident(backend, c, data, {options.precision, false});
  gl::ViewSlicer slicer(backend, views, variant);
  const CutPlane plane = oblique(c.grid);
  const gl::Texture target("slice", GL_TEXTURE_2D, GL_R32F, plane.width, plane.height);
  BenchRow row{c.name, "slice", fmt::format("{},{}", variant.name(), name(options.precision)), {}, 0, "GUPS", {}};
  row.seconds = time_repeatedly(
      [&] {
        for (std::int64_t n = 0; n < frames; ++n) slicer.render(plane, target);
      },
      [&] { backend.finish(); }, repeats, 0.2);
  for (double* t : {&row.seconds.median, &row.seconds.min, &row.seconds.max}) *t /= static_cast<double>(frames);
  row.rate = static_cast<double>(plane.width * plane.height * c.scan.view_count()) / 1e9 / row.seconds.median;
  if (!data.middle.voxels.empty()) {
    std::vector<float> picture(static_cast<std::size_t>(plane.width * plane.height));
    glGetTextureImage(target.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * picture.size()), picture.data());
    row.rmse = slice_error(c, data, plane, picture);
  }
  return row;
}

void bench_d2vr(Backend& any, const BenchCase& c, const std::vector<CtOptions>& list, const std::string& mode,
                std::int64_t side, std::int64_t repeats, const std::function<void(const BenchRow&)>& report) {
  gl::GlBackend& backend = gl_backend(any);
  const BenchData data = head_views(c);
  const D2vrTimer timer{backend,
                        c,
                        D2vrScene::bone_of(c.grid),
                        camera_rays(camera_filling(c.grid, 0.7), c.grid, side, side),
                        gl::make_found(side, side),
                        repeats};
  std::map<std::string, std::vector<float>> all_samples;  // by mode
  for (const CtOptions& ct : list) {
    if (ct.packing == Packing::orbit || ct.precision == Precision::exact) continue;
    const gl::ResidentViews views = resident(backend, c, data, {ct.precision, true});
    gl::D2vr d2vr(backend, views, c.grid, gl::D2vrVariant::parse(ct.variant));
    for (const std::string& name : volume_mode_names()) {
      if (name == "average" || (!mode.empty() && mode != name)) continue;
      VolumeRenderOptions options = D2vrScene::options_of(volume_mode_from(name), true);
      if (!all_samples.contains(name)) {  // only once, since it takes long
        options.skip_empty = false;
        report(timer.time(d2vr, ct.precision, options, name));
        all_samples[name] = gl::read_found(timer.found);
      }
      if (name == "drr") continue;  // it takes all samples in any case
      options.skip_empty = true;
      BenchRow row = timer.time(d2vr, ct.precision, options, name);
      row.variant += fmt::format(", {:.2g} % changed", changed(gl::read_found(timer.found), all_samples[name],
                                                               options.mode == VolumeMode::iso));
      report(row);
    }
  }
}

}  // namespace backlit
