#include "backend/gl/backprojection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backend/gl/dispatch.hpp"
#include "backend/gl/draw_state.hpp"
#include "core/error.hpp"

namespace backlit::gl {
namespace {

/// More views a pass mean less traffic of the volume, until registers run out.
constexpr std::int64_t best_views = 16;

/// Components that drivers count besides ours: gl_Position, gl_Layer and what NVIDIA adds ("C5041" at link time).
constexpr std::int64_t spare_varyings = 8;

/// The largest power of two up to n: whatever is left of a subset is made of few programs.
std::int64_t power_of_two(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
}

}  // namespace

Backprojection::Backprojection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                               const Scan& scan, const CtOptions& options)
    : context_(std::move(context)),
      timings_(timings),
      grid_(grid),
      detector_(scan.detector),
      variant_(BackprojectionVariant::parse(options.variant)),
      exact_(options.precision == Precision::exact),
      fdk_(options.weighting == Weighting::fdk),
      layer_from_vertex_(context_->limits().layer_from_vertex_shader) {
  context_->make_current();
  table_ = ViewTable::make(grid, scan, options.weighting, exact_ ? PositionUnit::pixel : PositionUnit::fraction);
  sampler_ = Sampler("projections", exact_ ? GL_NEAREST : GL_LINEAR);
  framebuffer_ = Framebuffer("slices");
  no_vertices_ = VertexArray("no vertices");
  if (computes()) {
    program(0);
    return;
  }
  if (variant_.views == 0) variant_.views = best_views;
  if (ping_pong()) scratch_.emplace(context_, "volume (ping-pong)", shape_of(grid));
  if (variant_.transform == BackprojectionVariant::Transform::vertex)
    fit_varyings();
  else
    program(loops() ? 0 : variant_.views);
}

void Backprojection::fit_varyings() {
  const Limits& limits = context_->limits();
  const std::int64_t components = layer_from_vertex_ ? limits.varying_components : limits.geometry_output_components;
  const std::int64_t most = (components - spare_varyings) / (table_.parallel ? 2 : 3);
  if (most < variant_.views) {
    variant_.views = std::max<std::int64_t>(1, most);
    limited_by_ = fmt::format(",varyings={}", components);
  }
  // Drivers may count a position as four components, or more for themselves than is written anywhere.
  for (;; variant_.views /= 2) try {
      program(variant_.views);
      return;
    } catch (const Failure&) {
      if (variant_.views == 1) throw;
      context_->debug().take();  // what the driver said of it is dealt with
      limited_by_ = fmt::format(",varyings={}", components);
    }
}

Defines Backprojection::defines(std::int64_t views) const {
  Defines d{{"VIEWS", views > 0 ? std::to_string(views) : "view_count"}};
  d.emplace_back("SLICES", std::to_string(slices_per_invocation));
  d.emplace_back("RELAXED", std::to_string(slices_relaxed));
  const auto add = [&](bool wanted, const char* name) {
    if (wanted) d.emplace_back(name, "");
  };
  add(layer_from_vertex_, "LAYER_FROM_VERTEX");
  add(variant_.transform == BackprojectionVariant::Transform::vertex, "TRANSFORM_VERTEX");
  add(ping_pong(), "PING_PONG");
  add(table_.parallel, "PARALLEL");
  add(table_.curved, "CURVED");
  add(table_.source_inside, "SOURCE_INSIDE");
  add(fdk_, "WEIGHT_FDK");
  add(exact_, "SAMPLE_EXACT");
  return d;
}

Program& Backprojection::program(std::int64_t views) {
  auto found = programs_.find(views);
  if (found != programs_.end()) return found->second;
  std::vector<std::string> stages{"backproject/slice.vert", "backproject/slice.frag"};
  if (computes())
    stages = {"backproject/column.comp"};
  else if (!layer_from_vertex_)
    stages.emplace_back("backproject/slice.geom");
  return programs_.emplace(views, make_program("backproject " + std::to_string(views), stages, views)).first->second;
}

Program Backprojection::make_program(const std::string& label, const std::vector<std::string>& stages,
                                     std::int64_t views) const {
  Program p(label, stages, defines(views));
  p.set("size", static_cast<float>(grid_.size[0]), static_cast<float>(grid_.size[1]));
  p.set("pixel_scale", static_cast<float>(1.0 / static_cast<double>(detector_.columns)),
        static_cast<float>(1.0 / static_cast<double>(detector_.rows)));
  return p;
}

ViewRun Backprojection::next_pass(const GlArray& projections, Layers layers, const Subset& subset,
                                  std::int64_t done) const {
  ViewRun pass = next_run(projections, layers, subset, done, loops() ? subset.count : variant_.views);
  if (!loops() && pass.count < variant_.views) pass.count = power_of_two(pass.count);
  return pass;
}

void Backprojection::run(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                         Write write) {
  context_->make_current();
  if (computes()) return run_compute(projections, layers, subset, volume, write);
  const DrawState state(ping_pong() ? DrawState::Mode::replace : DrawState::Mode::add);
  if (!ping_pong() && write == Write::overwrite)
    for (Texture& t : volume.textures()) t.clear(0);
  sampler_.bind(0);
  table_.views.bind_storage(0);
  glBindVertexArray(no_vertices_.id());
  for (std::size_t c = 0; c < volume.textures().size(); ++c) {
    Target target{static_cast<std::int64_t>(c) * volume.layers_per_texture(), &volume.textures()[c],
                  ping_pong() ? &scratch_->textures()[c] : nullptr};
    bool accumulate = write == Write::accumulate;
    if (!accumulate && subset.count == 0) target.volume->clear(0);
    for (std::int64_t done = 0; done < subset.count;) {
      const ViewRun pass = next_pass(projections, layers, subset, done);
      draw(program(loops() ? 0 : pass.count), projections.textures()[pass.texture], pass, target, accumulate);
      accumulate = true;
      done += pass.count;
    }
  }
}

void Backprojection::set_pass(Program& p, const ViewRun& views, std::int64_t first_slice, bool accumulate) {
  p.set("first_view", static_cast<int>(views.first_view));
  p.set("view_stride", static_cast<int>(views.view_stride));
  p.set("view_count", static_cast<int>(views.count));
  p.set("projection", static_cast<int>(views.first_layer));
  p.set("projection_stride", static_cast<int>(views.layer_stride));
  p.set("first_slice", static_cast<int>(first_slice));
  p.set("first_layer", 0);
  p.set("accumulate", accumulate ? 1 : 0);
}

void Backprojection::run_compute(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                                 Write write) {
  sampler_.bind(0);
  table_.views.bind_storage(0);
  bool accumulate = write == Write::accumulate;
  if (!accumulate && subset.count == 0)
    for (Texture& t : volume.textures()) t.clear(0);
  for (std::int64_t done = 0; done < subset.count; accumulate = true) {
    const ViewRun pass = next_run(projections, layers, subset, done, subset.count);
    projections.textures()[pass.texture].bind(0);
    std::int64_t first_slice = 0;
    for (const Texture& target : volume.textures()) {
      const Pass timed(timings_, "backproject");
      Program& p = program(0);
      set_pass(p, pass, first_slice, accumulate);
      p.use();
      target.bind_image(0, GL_READ_WRITE);
      glDispatchCompute(groups(target.width(), 16), groups(target.height(), 16),
                        groups(target.depth(), slices_per_invocation));
      first_slice += target.depth();
    }
    glMemoryBarrier(everything_that_reads);
    done += pass.count;
  }
  glBindSampler(0, 0);
}

void Backprojection::draw(Program& p, const Texture& projections, const ViewRun& views, Target& target,
                          bool accumulate) {
  const Pass pass(timings_, "backproject");
  set_pass(p, views, target.first_slice, accumulate);
  p.use();
  projections.bind(0);
  if (ping_pong()) target.volume->bind(1);
  framebuffer_.attach(ping_pong() ? *target.scratch : *target.volume);
  framebuffer_.use();
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(target.volume->depth()));
  if (ping_pong()) std::swap(*target.volume, *target.scratch);
}

}  // namespace backlit::gl
