#include "backend/gl/slice_projection.hpp"

#include <algorithm>

#include "backend/gl/dispatch.hpp"
#include "backend/gl/draw_state.hpp"

namespace backlit::gl {
namespace {

/// Views that back() takes at once: fewer passes over the volume for little memory.
constexpr std::int64_t batch = 16;

int whole(std::int64_t n) { return static_cast<int>(n); }
float real(std::int64_t n) { return static_cast<float>(n); }

}  // namespace

SliceProjection::SliceProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                                 const Scan& scan, const CtOptions& options)
    : context_(std::move(context)),
      timings_(timings),
      grid_(grid),
      detector_(scan.detector),
      variant_(ProjectionVariant::parse(options.variant)),
      exact_(options.precision == Precision::exact),
      layer_from_vertex_(context_->limits().layer_from_vertex_shader),
      rays_(RayTable::make(grid, scan)),
      pixels_(ViewTable::make(grid, scan, Weighting::none, PositionUnit::pixel)),
      stacks_(context_, timings, shape_of(grid), rays_.axes, options.precision == Precision::half ? GL_R16F : GL_R32F),
      weighed_(context_, "weighed views",
               shape_of(detector_, std::min({batch, scan.view_count(), context_->limits().array_layers}))),
      sampler_("slices", exact_ ? GL_NEAREST : GL_LINEAR),
      framebuffer_("projections"),
      no_vertices_("no vertices") {
  if (variant_.draw == Draw::slices) fractions_ = ViewTable::make(grid, scan, Weighting::none, PositionUnit::fraction);
  const bool compute = variant_.draw == Draw::compute;
  project_ = compute                         ? make_program("project", {"project/rays.comp"})
             : variant_.draw == Draw::slices ? make_program("project", {"project/view.vert", "project/slice.frag"})
                                             : make_program("project", {"project/view.vert", "project/rays.frag"});
  weigh_ = make_program("weigh views", {"project/view.vert", "project/weigh.frag"});
  gather_ = compute ? make_program("gather", {"project/gather.comp"})
                    : make_program("gather", {"backproject/slice.vert", "project/gather.frag"});
}

Program SliceProjection::make_program(const char* name, std::vector<std::string> stages) const {
  if (stages.size() > 1 && !layer_from_vertex_) stages.push_back(stages[0].substr(0, stages[0].rfind('.')) + ".geom");
  Defines d;
  const auto add = [&](bool wanted, const char* define) {
    if (wanted) d.emplace_back(define, "");
  };
  add(layer_from_vertex_, "LAYER_FROM_VERTEX");
  add(pixels_.parallel, "PARALLEL");
  add(pixels_.curved, "CURVED");
  add(rays_.source_inside, "SOURCE_INSIDE");
  add(exact_, "SAMPLE_EXACT");
  add(std::ranges::find(stages, "project/slice.frag") != stages.end(), "DRAW_SLICES");
  Program p(name, stages, d);
  p.set("middle", static_cast<float>(detector_.middle_column()), static_cast<float>(detector_.middle_row()));
  p.set("size", real(grid_.size[0]), real(grid_.size[1]));
  p.set("middle_voxel", 0.5f * real(grid_.size[0] - 1), 0.5f * real(grid_.size[1] - 1), 0.5f * real(grid_.size[2] - 1));
  return p;
}

void SliceProjection::set_axis(Program& p, std::size_t axis) const {
  const std::size_t u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  const auto mm = [&](std::size_t i) { return static_cast<float>(grid_.spacing[static_cast<int>(i)]); };
  p.set("axis", static_cast<int>(axis));
  p.set("first_ray", static_cast<int>(axis) * whole(rays_.views));
  p.set("spacing", mm(u), mm(v), mm(axis));
  p.set("slice_size", real(grid_.size[u]), real(grid_.size[v]));
  p.set("middle_slice", 0.5f * real(grid_.size[axis] - 1));
}

void SliceProjection::set_views(Program& p, const ViewRun& run) const {
  p.set("first_view", whole(run.first_view));
  p.set("view_stride", whole(run.view_stride));
  p.set("view_count", whole(run.count));
}

void SliceProjection::forward(const GlArray& volume, GlArray& projections, Layers layers, const Subset& subset,
                              Write write) {
  context_->make_current();
  const DrawState state(DrawState::Mode::add);
  glBindVertexArray(no_vertices_.id());
  rays_.rays.bind_storage(1);
  if (fractions_.views) fractions_.views.bind_storage(0);
  std::vector<Texture>& images = projections.textures();
  const auto for_runs = [&](auto&& f) {
    for (std::int64_t done = 0; done < subset.count;) {
      const ViewRun run = next_run(projections, layers, subset, done, subset.count);
      f(run);
      done += run.count;
    }
  };
  if (write == Write::overwrite)
    for_runs([&](const ViewRun& run) {
      if (run.layer_stride == 1) return images[run.texture].clear_layers(0, run.first_layer, run.count);
      for (std::int64_t i = 0; i < run.count; ++i)
        images[run.texture].clear_layers(0, run.first_layer + i * run.layer_stride, 1);
    });
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!rays_.axes[axis]) continue;
    const GlArray& stack = stacks_.along(axis, volume);
    sampler_.bind(0);
    set_axis(project_, axis);
    for_runs([&](const ViewRun& run) { project(axis, stack, images[run.texture], run); });
  }
}

void SliceProjection::project(std::size_t axis, const GlArray& stack, const Texture& images, const ViewRun& run) {
  const Pass pass(timings_, axis == 0 ? "project along x" : axis == 1 ? "project along y" : "project along z");
  set_views(project_, run);
  project_.set("first_layer", whole(run.first_layer));
  project_.set("layer_stride", whole(run.layer_stride));
  project_.use();
  if (variant_.draw == Draw::compute) {
    images.bind_image(0, GL_READ_WRITE);
  } else {
    framebuffer_.attach(images);
    framebuffer_.use();
  }
  std::int64_t first_slice = 0;
  for (const Texture& slices : stack.textures()) {
    slices.bind(0);
    project_.set("first_slice", whole(first_slice));
    project_.set("slice_count", whole(slices.depth()));
    first_slice += slices.depth();
    if (variant_.draw == Draw::compute) {
      glDispatchCompute(groups(detector_.columns, 8), groups(detector_.rows, 8), static_cast<GLuint>(run.count));
      glMemoryBarrier(everything_that_reads);
    } else {
      const std::int64_t instances = run.count * (variant_.draw == Draw::slices ? slices.depth() : 1);
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(instances));
    }
  }
}

void SliceProjection::back(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                           Write write) {
  context_->make_current();
  DrawState state(DrawState::Mode::add);
  glBindVertexArray(no_vertices_.id());
  rays_.rays.bind_storage(1);
  pixels_.views.bind_storage(0);
  if (write == Write::overwrite)
    for (Texture& t : volume.textures()) t.clear(0);
  for (std::int64_t done = 0; done < subset.count;) {
    const ViewRun run = next_run(projections, layers, subset, done, weighed_.shape().n2);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!rays_.axes[axis]) continue;
      state.set(DrawState::Mode::replace);
      weigh(axis, projections.textures()[run.texture], run);
      state.set(DrawState::Mode::add);
      gather(axis, run, volume);
    }
    done += run.count;
  }
}

void SliceProjection::weigh(std::size_t axis, const Texture& projections, const ViewRun& run) {
  const Pass pass(timings_, "weigh views");
  set_axis(weigh_, axis);
  set_views(weigh_, run);
  weigh_.set("first_layer", 0);
  weigh_.set("layer_stride", 1);
  weigh_.set("projection", whole(run.first_layer));
  weigh_.set("projection_stride", whole(run.layer_stride));
  weigh_.use();
  projections.bind(0);
  framebuffer_.attach(weighed_.textures()[0]);
  framebuffer_.use();
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(run.count));
}

void SliceProjection::gather(std::size_t axis, const ViewRun& run, GlArray& volume) {
  const Pass pass(timings_, "gather");
  set_axis(gather_, axis);
  set_views(gather_, run);
  gather_.set("first_layer", 0);
  gather_.use();
  weighed_.textures()[0].bind(0);
  std::int64_t first_slice = 0;
  for (const Texture& slices : volume.textures()) {
    gather_.set("first_slice", whole(first_slice));
    first_slice += slices.depth();
    if (variant_.draw == Draw::compute) {
      slices.bind_image(0, GL_READ_WRITE);
      glDispatchCompute(groups(slices.width(), 8), groups(slices.height(), 8), static_cast<GLuint>(slices.depth()));
      glMemoryBarrier(everything_that_reads);
    } else {
      framebuffer_.attach(slices);
      framebuffer_.use();
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(slices.depth()));
    }
  }
}

}  // namespace backlit::gl
