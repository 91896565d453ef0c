#include "study/gl_probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "backend/gl/dispatch.hpp"
#include "backend/gl/draw_state.hpp"
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

/// How many invocations do how much: enough to fill a device, little enough for a CPU.
struct Load {
  std::int64_t side, count;
};
Load load_of(const Limits& limits) { return limits.software ? Load{256, 16} : Load{2048, 64}; }

/// A program over side x side invocations, drawn or computed, with what it reads and writes.
class Probe {
 public:
  Probe(Context& context, bool computes, const Defines& what, std::int64_t side)
      : context_(context),
        side_(side),
        program_("probe", computes ? stages_computed : stages_drawn, what),
        target_("probed", GL_TEXTURE_2D, GL_R32F, side, side),
        computes_(computes) {
    framebuffer_ = Framebuffer("probed");
    framebuffer_.attach(target_);
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
      glDispatchCompute(groups(side_, 16), groups(side_, 16), 1);
      glMemoryBarrier(everything_that_reads);
      glBindSampler(0, 0);
    } else {
      const DrawState state(mode_);
      framebuffer_.use();
      glBindVertexArray(no_vertices_.id());
      glDrawArrays(GL_TRIANGLES, 0, 3);
    }
  }

  std::vector<float> result() {
    std::vector<float> values(static_cast<std::size_t>(side_ * side_));
    glGetTextureImage(target_.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * values.size()), values.data());
    return values;
  }

 private:
  static inline const std::vector<std::string> stages_drawn{"shared/screen.vert", "study/probe.frag"},
      stages_computed{"study/probe.comp"};

  Context& context_;
  std::int64_t side_;
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
      : context_(context), load_(load_of(context.limits())), copied_bytes_(copied_bytes), list_(list) {}

  void add_all() {
    for (const bool computes : {false, true}) {
      for (const Texel& t : texels) {
        for (const double between : {0.5, 1.0, 2.5}) {
          const std::string step = between > 0.5 ? fmt::format(", step {:g}", between) : "";
          add_fetches(computes, fmt::format("bilinear {}{}", t.name, step), "BILINEAR", t, GL_LINEAR, between);
        }
        add_fetches(computes, fmt::format("nearest {}", t.name), "NEAREST", t, GL_NEAREST, 0.5);
      }
      add_fetches(computes, "gather r32f", "GATHER", texels[0], GL_NEAREST, 0.5);
      add_fetches(computes, "trilinear r32f", "TRILINEAR", texels[0], GL_LINEAR, 0.5);
      add_arithmetic(computes);
      add_copy(computes);
    }
    add_blend();
  }

 private:
  std::shared_ptr<Probe> make(bool computes, Defines what, std::int64_t side) {
    what.emplace_back("COUNT", std::to_string(load_.count));
    auto probe = std::make_shared<Probe>(context_, computes, what, side);
    probe->program().set("size", static_cast<float>(image_side));
    return probe;
  }

  void add(bool computes, std::string name, const char* unit, double work, std::shared_ptr<Probe> probe) {
    list_.push_back({std::move(name), computes ? "compute" : "fragment", unit, 1e-9 * work, [probe] { probe->run(); }});
  }

  double invocations() const { return static_cast<double>(load_.side * load_.side); }

  void add_fetches(bool computes, const std::string& name, const char* kind, const Texel& t, GLenum filter,
                   double between) {
    auto probe = make(computes, {{kind, ""}, {"CHANNELS", std::to_string(t.channels)}}, load_.side);
    const bool is_3d = std::string(kind) == "TRILINEAR";
    const std::int64_t side = is_3d ? 128 : image_side;
    probe->program().set("between", static_cast<float>(between));
    probe->program().set("drift", 0.125f);
    probe->program().set("size", static_cast<float>(side));
    probe->reads(Texture("probe", is_3d ? GL_TEXTURE_3D : GL_TEXTURE_2D_ARRAY, t.format, side, side,
                         is_3d ? side : image_layers),
                 filter);
    add(computes, name, "G fetches/s", invocations() * static_cast<double>(load_.count), std::move(probe));
  }

  void add_arithmetic(bool computes) {
    auto probe = make(computes, {{"FMA", ""}}, load_.side);
    probe->program().set("between", 0.99f);
    probe->program().set("drift", 0.01f);
    add(computes, "fma", "GFLOP/s", 16 * invocations() * static_cast<double>(load_.count), std::move(probe));
  }

  std::int64_t copied_side() const {
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(copied_bytes_) / 4));
    return std::clamp<std::int64_t>(side / 16 * 16, 64, std::min<std::int64_t>(8192, context_.limits().texture_size));
  }
  double copied(std::int64_t side) const { return 8 * static_cast<double>(side * side); }

  void add_copy(bool computes) {
    const std::int64_t side = copied_side();
    auto probe = make(computes, {{"COPY", ""}}, side);
    probe->program().set("drift", 0.5f);
    probe->reads(Texture("copied", GL_TEXTURE_2D_ARRAY, GL_R32F, side, side, 1), GL_NEAREST);
    add(computes, "copy", "GB/s", copied(side), std::move(probe));
  }

  void add_blend() {
    const std::int64_t side = copied_side();
    auto probe = make(false, {{"BLEND", ""}}, side);
    probe->blends();
    add(false, "blend", "GB/s", copied(side), std::move(probe));
  }

  Context& context_;
  Load load_;
  std::int64_t copied_bytes_;
  std::vector<DeviceProbe>& list_;
};

/// How many multiprocessors take part; none where the driver does not tell.
std::string processors(Context& context, bool computes) {
  if (!glewIsSupported("GL_NV_shader_thread_group")) return {};
  Probe probe(context, computes, {{"WHERE", ""}, {"COUNT", "1"}}, 2048);
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
