#include "study/probes/gl_probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "gl/program.hpp"

namespace backlit {
namespace {

using namespace gl;

constexpr std::int64_t image_side = 512, image_layers = 4;

struct Texel {
  const char* name;
  GLenum format;
  int channels;
};
constexpr Texel texels[] = {
    {"r32f", GL_R32F, 1}, {"r16f", GL_R16F, 1}, {"rgba32f", GL_RGBA32F, 4}, {"rgba16f", GL_RGBA16F, 4}};

/// Size of a run: invocations, work of each, and repetitions. It fills a device and hides the cost of starting a run,
/// but is small enough for a CPU. Some devices run fragments only on few of their processors.
struct Load {
  std::int64_t side, count, rounds;
};
Load load_of(const Limits& limits, bool computes) {
  return limits.software ? Load{256, 16, 1} : Load{2048, 64, computes ? 8 : 1};
}

/// Shape of the drawing: one image by a triangle, or all layers by a quad each, like slices of volumes.
struct Shape {
  std::int64_t side, layers = 1, draws = 1;

  double texels() const { return static_cast<double>(side * side * layers * draws); }
};

/// A program over a shape, drawn or computed, with its input and output textures.
class Probe {
 public:
  Probe(Context& context, bool computes, Defines what, const Shape& shape, GLenum format = GL_R32F)
      : context_(context),
        shape_(shape),
        layered_(shape.layers > 1),
        program_("probe", stages(computes, what), what, {layer_choice()}),
        target_("probed", layered_ ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D, format, shape.side, shape.side, shape.layers),
        computes_(computes) {
    framebuffer_ = Framebuffer("probed");
    framebuffer_.attach(target_);
    target_.clear(0);
    no_vertices_ = VertexArray("no vertices");
  }

  Program& program() { return program_; }
  void reads(Texture image, GLenum filter) {
    image.clear(1);
    image_ = std::move(image);
    sampler_ = Sampler("probed", filter);
  }
  void blends() { mode_ = DrawState::Mode::add; }

  void run() {
    context_.make_current();
    if (image_) {
      image_.bind(0);
      sampler_.bind(0);
    }
    program_.use();
    if (computes_) {
      target_.bind_image(0, GL_WRITE_ONLY);
      glDispatchCompute(groups(shape_.side, 16), groups(shape_.side, 16), 1);
      glMemoryBarrier(everything_that_reads);
      glBindSampler(0, 0);
    } else {
      const DrawState state(mode_);
      framebuffer_.use();
      glBindVertexArray(no_vertices_.id());
      for (std::int64_t n = 0; n < shape_.draws; ++n)
        if (layered_)
          glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(shape_.layers));
        else
          glDrawArrays(GL_TRIANGLES, 0, 3);
    }
  }

  std::vector<float> result() {
    std::vector<float> values(static_cast<std::size_t>(shape_.side * shape_.side));
    glGetTextureImage(target_.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * values.size()), values.data());
    return values;
  }

 private:
  /// Layers are chosen like slices of a backprojected volume, by the same shaders.
  std::vector<std::string> stages(bool computes, Defines& what) const {
    if (computes) return {"study/probe.comp"};
    if (!layered_) return {"shared/screen.vert", "study/probe.frag"};
    what.emplace_back("LAYERS", "");
    if (!context_.limits().layer_from_vertex_shader)
      return {"shared/slice.vert", "shared/slice.geom", "study/probe.frag"};
    return {"shared/slice.vert", "study/probe.frag"};
  }
  const char* layer_choice() const {
    return context_.limits().layer_from_vertex_shader ? "shared/layer/from_vertex.glsl"
                                                      : "shared/layer/from_geometry.glsl";
  }

  Context& context_;
  Shape shape_;
  bool layered_;
  Program program_;
  Texture target_, image_;
  Sampler sampler_;
  Framebuffer framebuffer_;
  VertexArray no_vertices_;
  DrawState::Mode mode_ = DrawState::Mode::replace;
  bool computes_;
};

class ProbeList {
 public:
  ProbeList(Context& context, std::int64_t copied_bytes, std::vector<DeviceProbe>& list)
      : context_(context), copied_bytes_(copied_bytes), list_(list) {}

  void add_all() {
    for (const bool computes : {false, true}) {
      load_ = load_of(context_.limits(), computes);
      for (const Texel& t : texels) {
        for (const double between : {0.5, 1.0, 2.5}) {
          const std::string step = between > 0.5 ? fmt::format(", step {:g}", between) : "";
          add_fetches(computes, fmt::format("bilinear {}{}", t.name, step), "BILINEAR", t, GL_LINEAR, between);
        }
        add_fetches(computes, fmt::format("nearest {}", t.name), "NEAREST", t, GL_NEAREST, 0.5);
      }
      add_fetches(computes, "gather r32f", "GATHER", texels[0], GL_NEAREST, 0.5);
      add_fetches(computes, "trilinear r32f", "TRILINEAR", texels[0], GL_LINEAR, 0.5);
      add_arithmetic(computes, 2);
      add_arithmetic(computes, 4);
      add_memory(computes, "copy", "COPY", texels[0], image(texels[0]));
    }
    for (const Texel& t : {texels[0], texels[2]}) {
      const std::string blend = fmt::format("blend {}", t.name);
      add_memory(false, fmt::format("copy, layers of {}", t.name), "COPY", t, layers(t));
      add_memory(false, blend, "BLEND", t, layers(t));
      add_memory(false, blend + ", one image", "BLEND", t, image(t));
      add_memory(false, blend + ", in cache", "BLEND", t, cached(t));
      add_memory(false, fmt::format("zeros added to {}", t.name), "BLEND", t, layers(t), 0);
    }
  }

 private:
  void add(bool computes, std::string name, const char* unit, double work, std::shared_ptr<Probe> probe) {
    list_.push_back({std::move(name), computes ? "compute" : "fragment", unit, 1e-9 * work, [probe] { probe->run(); }});
  }

  std::shared_ptr<Probe> make_busy(bool computes, Defines what) {
    what.emplace_back("COUNT", std::to_string(load_.count));
    auto probe = std::make_shared<Probe>(context_, computes, what, Shape{load_.side});
    probe->program().set("rounds", static_cast<int>(load_.rounds));
    return probe;
  }

  /// Number of times that a run repeats the body of the shader, over all invocations.
  double repetitions() const { return static_cast<double>(load_.side * load_.side * load_.count * load_.rounds); }

  void add_fetches(bool computes, const std::string& name, const char* kind, const Texel& t, GLenum filter,
                   double between) {
    auto probe = make_busy(computes, {{kind, ""}, {"CHANNELS", std::to_string(t.channels)}});
    const bool is_3d = std::string(kind) == "TRILINEAR";
    const std::int64_t side = is_3d ? 128 : image_side;
    probe->program().set("between", static_cast<float>(between));
    probe->program().set("drift", 0.125f);
    probe->program().set("image_size", static_cast<float>(side));
    probe->reads(Texture("probe", is_3d ? GL_TEXTURE_3D : GL_TEXTURE_2D_ARRAY, t.format, side, side,
                         is_3d ? side : image_layers),
                 filter);
    add(computes, name, "G fetches/s", repetitions(), std::move(probe));
  }

  /// Independent chains hide an instruction's latency; the best number of chains varies.
  void add_arithmetic(bool computes, int fours) {
    auto probe = make_busy(computes, {{"FMA", std::to_string(fours)}});
    probe->program().set("between", 0.99f);
    probe->program().set("drift", 0.01f);
    add(computes, fours == 2 ? "fma" : fmt::format("fma, {} chains", 4 * fours), "GFLOP/s", 8 * fours * repetitions(),
        std::move(probe));
  }

  /// Shapes with the requested number of bytes: a large square, slices of a cube, and a few slices drawn repeatedly.
  /// Devices prefer different shapes: the best of them is the limit.
  Shape image(const Texel& t) const {
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(copied_bytes_) / (4 * t.channels)));
    return {std::clamp<std::int64_t>(side / 16 * 16, 64, std::min<std::int64_t>(8192, context_.limits().texture_size))};
  }
  Shape layers(const Texel& t) const {
    const Limits& limits = context_.limits();
    const auto cube =
        std::clamp<std::int64_t>(std::llround(std::cbrt(static_cast<double>(copied_bytes_) / 4)), 16,
                                 std::min({limits.array_layers, limits.framebuffer_layers, std::int64_t{512}}));
    return {t.channels == 4 ? cube / 2 : cube, cube};  // an orbit's texel holds four voxels
  }
  Shape cached(const Texel& t) const {
    Shape shape = layers(t);
    constexpr std::int64_t few = 8;
    shape.draws = std::max<std::int64_t>(1, shape.layers / few);
    shape.layers = few;
    return shape;
  }

  void add_memory(bool computes, const std::string& name, const char* kind, const Texel& t, const Shape& shape,
                  float added = 1) {
    auto probe = std::make_shared<Probe>(context_, computes,
                                         Defines{{kind, ""}, {"CHANNELS", std::to_string(t.channels)}, {"COUNT", "1"}},
                                         shape, t.format);
    probe->program().set("drift", 0.5f);
    if (std::string(kind) == "BLEND") {
      probe->program().set("between", added);
      probe->blends();
    } else {
      probe->reads(Texture("copied", GL_TEXTURE_2D_ARRAY, t.format, shape.side, shape.side, shape.layers), GL_NEAREST);
    }
    add(computes, name, "GB/s", 8 * t.channels * shape.texels(), std::move(probe));
  }

  Context& context_;
  Load load_{};
  std::int64_t copied_bytes_;
  std::vector<DeviceProbe>& list_;
};

/// Number of active multiprocessors; empty if the driver does not report it.
std::string processors(Context& context, bool computes) {
  if (!glewIsSupported("GL_NV_shader_thread_group")) return {};
  Probe probe(context, computes, {{"WHERE", ""}, {"COUNT", "1"}}, Shape{2048});
  probe.run();
  glFinish();
  const std::vector<float> numbers = probe.result();
  return std::to_string(std::set<float>(numbers.begin(), numbers.end()).size());
}

std::string text_of(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text ? text : "";
}

}  // namespace

std::vector<DeviceProbe> GlProbes::probes(std::int64_t copied_bytes) {
  backend_.context().make_current();
  std::vector<DeviceProbe> list;
  ProbeList(backend_.context(), copied_bytes, list).add_all();
  return list;
}

std::vector<std::pair<std::string, std::string>> GlProbes::facts() {
  Context& context = backend_.context();
  context.make_current();
  const Limits& limits = context.limits();
  std::vector<std::pair<std::string, std::string>> facts{
      {"OpenGL device", context.renderer()},
      {"OpenGL vendor", text_of(GL_VENDOR)},
      {"OpenGL version", context.version()},
      {"varying components", std::to_string(limits.varying_components)},
      {"array layers", std::to_string(limits.array_layers)}};
  if (const std::string n = processors(context, false); !n.empty()) {
    facts.emplace_back("multiprocessors that run fragments", n);
    facts.emplace_back("multiprocessors that run compute shaders", processors(context, true));
  }
  return facts;
}

}  // namespace backlit
