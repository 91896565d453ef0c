#include "projectors/shared/gl/line_projection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "device/gl/gl_backend_class.hpp"
#include "projectors/blob/blob.hpp"
#include "projectors/joseph/main_axes.hpp"
#include "projectors/shared/gl/half_unit.hpp"
#include "projectors/shared/gl/view_table.hpp"

namespace backlit::gl {
namespace {

/// Views that a pass of the transpose takes at once.
constexpr std::int64_t batch = 16;

void set_vector(Program& p, const char* name, const Size3& n) {
  p.set(name, static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2]));
}

std::string refusal(const Context& context, const VolumeGrid& grid, Model model, bool inside) {
  if (grid.size[2] > context.limits().array_layers)
    return fmt::format("{} slices are more than one texture array holds", grid.size[2]);
  if (model == Model::blob && inside) return "the source lies within the grid";
  return {};
}

/// Pixels of a quad: of a voxel in the grid's middle, in the view that is nearest to it.
double pixels_of_a_quad(const VolumeGrid& grid, const Scan& scan) {
  const double across = 2 * blob_radius * std::max({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  double most = 0;
  for (const View& v : scan.views) {
    const double magnified = v.beam == Beam::parallel
                                 ? across
                                 : across * glm::distance(v.source, v.center) / glm::distance(v.source, grid.center);
    most = std::max(most, (magnified / scan.detector.pixel_u + 1) * (magnified / scan.detector.pixel_v + 1));
  }
  return most;
}

}  // namespace

void require_line_projection(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const Context& context = current_gl(backend).context();
  require_textures(context, grid, scan);
  const std::string why = refusal(context, grid, options.model, source_inside(scan, grid));
  if (!why.empty()) throw Unsupported(fmt::format("model {}", backlit::name(options.model)), why, "choose joseph");
}

LineProjection::LineProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                               const Scan& scan, const CtOptions& options, const ProjectionVariant& variant)
    : plan_(context, timings, grid, scan, options, variant),
      ops_(timings),
      quad_pixels_(splats() ? pixels_of_a_quad(grid, scan) : 0),
      longest_(static_cast<float>(options.step * std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z}))),
      cost_of_step_(options.model == Model::raycast ? std::max(1.0, 0.5 / options.step) : 1),
      sampler_("volume", plan_.exact || splats() ? GL_NEAREST : GL_LINEAR),
      framebuffer_("lines"),
      no_vertices_("no vertices") {
  if (plan_.variant.fetch == ProjectionVariant::Fetch::texture3d)
    make_bricks();
  else
    bricks_.push_back({{{0, 0, 0}, grid.size}, {}});
  project_ = plan_.computes() ? make_program("project lines", {"shared/line.comp"})
             : splats() && plan_.draws_slices()
                 ? make_program("blob", {"blob/splat.vert", "blob/splat.frag"})
                 : make_program("project lines", {"joseph/view.vert", "shared/line.frag"});
  gather_ = plan_.computes() ? make_program("gather lines", {"shared/line_gather.comp"})
                             : make_program("gather lines", {"shared/slice.vert", "shared/line_gather.frag"});
}

/// Each brick is as large as a 3-D texture may be.
void LineProjection::make_bricks() {
  const GLenum format = plan_.half ? GL_R16F : GL_R32F;
  Defines d{{"FORMAT", plan_.half ? "r16f" : "r32f"}};
  if (plan_.half) d.emplace_back("HALF", "");
  fill_ = Program("fill 3-D texture", {"raycast/to_texture3d.comp"}, d);
  const std::int64_t most = plan_.context->limits().texture_3d_size;
  for (const Box& box : boxes_of(shape_of(plan_.grid), {most, most, most}))
    bricks_.push_back({box, Texture("volume", GL_TEXTURE_3D, format, box.size[0], box.size[1], box.size[2])});
}

Program LineProjection::make_program(const char* name, std::vector<std::string> stages) const {
  Program p = plan_.make_program(name, std::move(stages),
                                 {splats()                  ? "shared/line_sum/blob.glsl"
                                  : bricks_.front().texture ? "shared/line_sum/raycast_texture3d.glsl"
                                                            : "shared/line_sum/raycast_slices.glsl",
                                  splats() ? "shared/line_share/blob.glsl" : "shared/line_share/raycast.glsl"});
  p.set("skips_views", 0);
  const auto real = [](std::int64_t n) { return static_cast<float>(n); };
  const Vec3 mm = plan_.grid.spacing;
  p.set("view_total", whole(plan_.rays.views));
  p.set("voxel_mm", mm);
  p.set("grid_size", real(plan_.grid.size[0]), real(plan_.grid.size[1]), real(plan_.grid.size[2]));
  p.set("detector", real(plan_.detector.columns), real(plan_.detector.rows));
  p.set("longest", longest_);
  p.set("first_slice", 0);
  return p;
}

std::string LineProjection::name() const {
  return plan_.variant.name() + (bricks_.size() > 1 ? fmt::format(",bricks={}", bricks_.size()) : "");
}

void LineProjection::fill_bricks(const GlArray& volume) {
  if (!bricks_.front().texture || stamp_ == volume.stamp()) return;
  if (plan_.half) unit_ = half_unit(ops_, volume);
  const Pass pass(plan_.timings, "fill 3-D texture");
  fill_.set("per_unit", 1 / unit_);
  fill_.use();
  glBindSampler(0, 0);
  volume.textures().front().bind(0);
  for (const Brick& brick : bricks_) {
    const Texture& t = *brick.texture;
    set_vector(fill_, "first", brick.box.first);
    t.bind_image(0, GL_WRITE_ONLY);
    glDispatchCompute(groups(t.width(), 32), groups(t.height(), 8), static_cast<GLuint>(t.depth()));
  }
  glMemoryBarrier(everything_that_reads);
  stamp_ = volume.stamp();
}

void LineProjection::forward(const GlArray& volume, GlArray& projections, Layers layers, const Subset& subset,
                             Write write) {
  plan_.context->make_current();
  if (write == Write::overwrite) clear_views(projections, layers, subset);
  fill_bricks(volume);
  const DrawState state(DrawState::Mode::add);
  const Pass pass(plan_.timings, "project lines");
  glBindVertexArray(no_vertices_.id());
  plan_.rays.rays.bind_storage(1);
  plan_.pixels.views.bind_storage(0);
  sampler_.bind(0);
  project_.set("unit", unit_);
  project_.use();
  const auto [x, y, z] = plan_.grid.size;
  // A quarter of the views that slices take, because samples are more and slower.
  const std::int64_t most = most_views(static_cast<std::int64_t>(
      4 * cost_of_step_ * static_cast<double>(plan_.detector.pixels() * std::max({x, y, z}))));
  for (const Brick& brick : bricks_) {
    const Texture& box = brick.texture ? *brick.texture : volume.textures().front();
    box.bind(0);
    set_vector(project_, "brick_first", brick.box.first);
    set_vector(project_, "brick_size", brick.box.size);
    for_runs(projections, layers, subset, most,
             [&](const ViewRun& run) { project(box, projections.textures()[run.texture], run); });
  }
}

void LineProjection::project(const Texture& box, const Texture& images, const ViewRun& run) {
  plan_.set_views(project_, run);
  project_.set("first_layer", whole(run.first_layer));
  project_.set("layer_stride", whole(run.layer_stride));
  if (plan_.computes()) {
    images.bind_image(0, GL_READ_WRITE);
    glDispatchCompute(groups(plan_.detector.columns, 16), groups(plan_.detector.rows, 16),
                      static_cast<GLuint>(run.count));
    glMemoryBarrier(everything_that_reads);
  } else {
    framebuffer_.attach(images);
    framebuffer_.use();
    if (plan_.draws_slices()) return splat(box, run);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(run.count));
  }
  plan_.context->pace(cost_of_step_ * updates(box, run.count));
}

/// One draw per view and slice, because instances are counted in 32 bits.
void LineProjection::splat(const Texture& volume, const ViewRun& run) {
  constexpr double updates_a_pixel = 4;  // the blend unit adds 2.5 G pixels of quads a second on an H200
  const auto voxels = static_cast<GLsizei>(volume.width() * volume.height());
  for (std::int64_t i = 0; i < run.count; ++i) {
    project_.set("view", whole(run.first_view + i * run.view_stride));
    project_.set("first_layer", whole(run.first_layer + i * run.layer_stride));
    for (std::int64_t z = 0; z < volume.depth(); ++z) {
      project_.set("first_slice", whole(z));
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, voxels);
      plan_.context->pace(updates_a_pixel * quad_pixels_ * voxels);
    }
  }
}

void LineProjection::back(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                          Write write) {
  plan_.context->make_current();
  if (write == Write::overwrite)
    for (Texture& t : volume.textures()) t.clear(0);
  const Texture& target = volume.textures().front();
  const DrawState state(DrawState::Mode::add);
  const Pass pass(plan_.timings, "gather lines");
  glBindVertexArray(no_vertices_.id());
  plan_.rays.rays.bind_storage(1);
  plan_.pixels.views.bind_storage(0);
  gather_.use();
  const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(batch / cost_of_step_));
  for_runs(projections, layers, subset, most, [&](const ViewRun& run) {
    projections.textures()[run.texture].bind(0);
    plan_.set_views(gather_, run);
    gather_.set("projection", whole(run.first_layer));
    gather_.set("projection_stride", whole(run.layer_stride));
    gather_.set("first_layer", 0);
    if (plan_.computes()) {
      target.bind_image(0, GL_READ_WRITE);
      glDispatchCompute(groups(target.width(), 8), groups(target.height(), 8), static_cast<GLuint>(target.depth()));
      glMemoryBarrier(everything_that_reads);
    } else {
      framebuffer_.attach(target);
      framebuffer_.use();
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(target.depth()));
    }
    plan_.context->pace(cost_of_step_ * updates(target, run.count));
  });
}

}  // namespace backlit::gl
