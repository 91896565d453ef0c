#include "study/bench_render.hpp"

#include <fmt/format.h>

#include "backend/gl/gl_backend_class.hpp"
#include "core/error.hpp"
#include "phantom/phantom.hpp"
#include "render/gl/volume_renderer.hpp"
#include "study/bench_camera.hpp"

namespace backlit {
namespace {

constexpr std::int64_t frames_a_run = 8;  // so that waiting for the device does not count

struct Looks {
  const char* name;
  bool skip;
  double opaque;
};
constexpr Looks ways[] = {{"all samples", false, 1}, {"ending early", false, 0.995}, {"leaping", true, 0.995}};

}  // namespace

void bench_rendering(Backend& backend, const BenchCase& c, const std::string& mode, std::int64_t side,
                     std::int64_t repeats, const std::function<void(const BenchRow&)>& report) {
  auto* const ours = dynamic_cast<gl::GlBackend*>(&backend.innermost());
  if (!ours) throw Unsupported("render", "pictures are made by the gl backend", "add --backend gl");
  const auto context = ours->shared_context();
  const Volume head = voxelize(load_phantom("forbild-head-plain"), c.grid, 1);
  const auto array = backend.make_array(shape_of(c.grid));
  backend.upload(head.values.span(), *array);
  const ValueScale scale{{0, 0.036}, 0.02, glm::length(Vec3(c.grid.upper().x - c.grid.lower().x, 0, 0))};
  const Classifier bone(load_transfer_function("bone"), scale);
  const CameraRays rays = camera_rays(camera_filling(c.grid, 0.7), c.grid, side, side);
  const gl::Texture shown = gl::make_shown(side, side);
  for (const GLenum format : {GL_R32F, GL_R16F}) {
    gl::GlDisplayVolume display(context, format);
    display.publish(*array, c.grid);
    for (const gl::RenderPath path : {gl::RenderPath::compute, gl::RenderPath::fragment}) {
      gl::VolumeRenderer renderer(context, path);
      for (const std::string& name : volume_mode_names()) {
        if (!mode.empty() && mode != name) continue;
        VolumeRenderOptions options;
        options.mode = volume_mode_from(name);
        options.iso = 0.03;  // bone
        for (const Looks& way : ways) {
          const bool is_dvr = options.mode == VolumeMode::dvr;
          if (way.opaque < 1 && !way.skip && !is_dvr) continue;  // nothing ends early
          options.skip_empty = way.skip;
          options.opaque = way.opaque;
          const auto frames = [&] {
            for (std::int64_t i = 0; i < frames_a_run; ++i) {
              renderer.render(display.front(), rays, options, bone);
              renderer.show({{0, 0.036}}, shown);
            }
          };
          BenchRow row{c.name,
                       "render " + name,
                       fmt::format("{}, {}, {}", path == gl::RenderPath::compute ? "compute" : "fragment",
                                   format == GL_R32F ? "r32f" : "r16f", way.name),
                       time_repeatedly(
                           frames, [&] { backend.finish(); }, repeats, 0.3),
                       0,
                       "frames/s",
                       {}};
          for (double* s : {&row.seconds.median, &row.seconds.min, &row.seconds.max})
            *s /= static_cast<double>(frames_a_run);
          row.rate = 1 / row.seconds.median;
          report(row);
        }
      }
    }
  }
}

}  // namespace backlit
