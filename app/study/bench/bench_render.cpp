#include "study/bench/bench_render.hpp"

#include <fmt/format.h>

#include <map>

#include <backlit/core/error.hpp>
#include <backlit/phantom/phantom.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "render/gl/volume_renderer.hpp"
#include "study/bench/bench_camera.hpp"

namespace backlit {
namespace {

constexpr std::int64_t frames_a_run = 8;  // so that the wait for the device is negligible

struct Looks {
  const char* name;
  bool skip;
  double opaque, shadows = 0, occlusion = 0;
  bool turning = false;
};
constexpr Looks looks_of_bench[] = {{"all samples", false, 1},
                                    {"ending early", false, 0.995},
                                    {"leaping", true, 0.995},
                                    {"shadows", true, 0.995, 0.7, 0},
                                    {"occlusion", true, 0.995, 0, 0.9},
                                    {"shadows and occlusion", true, 0.995, 0.7, 0.9},
                                    {"turning, no light", true, 0.995, 0, 0, true},
                                    {"turning, shadows and occlusion", true, 0.995, 0.7, 0.9, true}};

/// Whether a combination is worth a row.
bool is_measured(const Looks& looks, VolumeMode mode, bool compute, bool half) {
  const bool lit = mode == VolumeMode::dvr || mode == VolumeMode::iso;
  if (looks.shadows > 0 || looks.occlusion > 0 || looks.turning) return lit && compute && !half;
  return looks.opaque == 1 || looks.skip || mode == VolumeMode::dvr;  // in other modes no ray ends early
}

gl::GlBackend& picture_backend(Backend& backend) {
  if (auto* ours = dynamic_cast<gl::GlBackend*>(&backend.innermost())) return *ours;
  throw Unsupported("render", "pictures are made by the gl backend", "add --backend gl");
}

VolumeRenderOptions options_of(const RenderVariant& variant) {
  VolumeRenderOptions options;
  options.mode = variant.mode;
  options.iso = 0.03;  // bone
  options.skip_empty = variant.skip;
  options.opaque = variant.opaque;
  options.shadows = variant.shadows;
  options.occlusion = variant.occlusion;
  return options;
}

}  // namespace

struct RenderBench::Parts {
  Parts(Backend& backend, const BenchCase& c, std::int64_t side)
      : context(picture_backend(backend).shared_context()),
        head(voxelize(load_phantom("forbild-head-plain"), c.grid, 1)),
        array(backend.make_array(shape_of(c.grid))),
        bone(load_transfer_function("bone"),
             {{0, 0.036}, 0.02, glm::length(Vec3(c.grid.upper().x - c.grid.lower().x, 0, 0))}),
        rays(rays_of(c.grid, side, 0)),
        turned(rays_of(c.grid, side, 1)),
        shown(gl::make_shown(side, side)) {
    backend.upload(head.values.span(), *array);
  }

  static CameraRays rays_of(const VolumeGrid& grid, std::int64_t side, double degrees) {
    Turntable camera = camera_filling(grid, 0.7);
    orbit(camera, degrees, 0);
    return camera_rays(camera, grid, side, side);
  }

  gl::GlDisplayVolume& display(bool half) {
    auto& made = displays[half];
    if (!made) {
      made = std::make_unique<gl::GlDisplayVolume>(context, half ? GL_R16F : GL_R32F);
      made->publish(*array, head.grid);
    }
    return *made;
  }
  gl::VolumeRenderer& renderer(bool compute) {
    auto& made = renderers[compute];
    if (!made)
      made =
          std::make_unique<gl::VolumeRenderer>(context, compute ? gl::RenderPath::compute : gl::RenderPath::fragment);
    return *made;
  }

  std::shared_ptr<gl::Context> context;
  Volume head;
  ArrayPtr array;
  Classifier bone;
  CameraRays rays, turned;
  bool turns = false;  ///< the next frame of a camera that turns is that of `turned`
  gl::Texture shown;
  std::map<bool, std::unique_ptr<gl::GlDisplayVolume>> displays;
  std::map<bool, std::unique_ptr<gl::VolumeRenderer>> renderers;
};

RenderBench::RenderBench(Backend& backend, const BenchCase& c, std::int64_t side)
    : parts_(std::make_unique<Parts>(backend, c, side)) {}
RenderBench::~RenderBench() = default;

Trial RenderBench::trial(const RenderVariant& variant) {
  Parts& p = *parts_;
  gl::GlDisplayVolume& display = p.display(variant.half);
  gl::VolumeRenderer& renderer = p.renderer(variant.compute);
  Trial trial{fmt::format("{}, {}", variant.compute ? "compute" : "fragment", variant.half ? "r16f" : "r32f"),
              1,
              "frames/s",
              {},
              {}};
  trial.run = [&p, &display, &renderer, options = options_of(variant), turning = variant.turning] {
    p.turns = turning && !p.turns;
    renderer.render(display.front(), p.turns ? p.turned : p.rays, options, p.bone);
    renderer.show({{0, 0.036}}, p.shown);
  };
  trial.result = [&renderer] {
    const std::vector<float> found = gl::read_found(renderer.found());
    HostArray<float> picture(static_cast<std::int64_t>(found.size()));
    std::ranges::copy(found, picture.begin());
    return picture;
  };
  return trial;
}

std::vector<float> RenderBench::truth(VolumeMode mode) const {
  RenderVariant variant;
  variant.mode = mode;
  const auto picture = render_reference(parts_->head, parts_->rays, options_of(variant), parts_->bone);
  return {picture.begin(), picture.end()};
}

void bench_rendering(Backend& backend, const BenchCase& c, const std::string& mode, std::int64_t side,
                     std::int64_t repeats, const std::function<void(const BenchRow&)>& report) {
  RenderBench bench(backend, c, side);
  for (const bool half : {false, true})
    for (const bool compute : {true, false})
      for (const std::string& name : volume_mode_names()) {
        if (!mode.empty() && mode != name) continue;
        for (const Looks& looks : looks_of_bench) {
          const VolumeMode volume_mode = volume_mode_from(name);
          if (!is_measured(looks, volume_mode, compute, half)) continue;
          const Trial trial = bench.trial(
              {volume_mode, compute, half, looks.skip, looks.opaque, looks.shadows, looks.occlusion, looks.turning});
          const auto frames = [&] {
            for (std::int64_t i = 0; i < frames_a_run; ++i) trial.run();
          };
          BenchRow row{c.name,
                       "render " + name,
                       fmt::format("{}, {}", trial.variant, looks.name),
                       time_repeatedly(
                           frames, [&] { backend.finish(); }, repeats, 0.3),
                       0,
                       trial.unit,
                       {}};
          for (double* s : {&row.seconds.median, &row.seconds.min, &row.seconds.max})
            *s /= static_cast<double>(frames_a_run);
          row.rate = 1 / row.seconds.median;
          report(row);
        }
      }
}

}  // namespace backlit
