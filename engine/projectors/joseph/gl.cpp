#include "projectors/joseph/gl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "projectors/joseph/main_axes.hpp"

namespace backlit::gl {
namespace {

/// Views that back() takes at once: fewer passes over the volume for little memory.
constexpr std::int64_t batch = 16;

/// On a CPU, gathering a view's rays for a voxel takes as long as this number of samples of a ray.
constexpr double gather_cost = 16;

/// The `axes` of column_rays().
std::vector<int> stack_axes(const ProjectionPlan& plan, const Scan& scan) {
  if (plan.variant.stack != StackChoice::view) return {};
  return view_axes(scan, plan.grid);
}

/// True where columns of the detector run along z, except for boxes or where fragments were asked for.
bool transposes_by_columns(const Context& context, const ProjectionPlan& plan, const Scan& scan,
                           const ProjectionVariant& asked) {
  using Draw = ProjectionVariant::Draw;
  if (plan.model != Model::joseph || (asked.draw != Draw::best && asked.draw != Draw::compute)) return false;
  if (!ColumnTranspose::fits(context.limits(), scan)) return false;
  return column_rays_refusal(scan, plan.grid, stack_axes(plan, scan)).empty();
}

}  // namespace

std::string SliceProjection::refusal(const Context& context, const QuarterTurns& turns, const VolumeGrid& grid,
                                     const Scan& scan) {
  if (!turns.refusal.empty()) return turns.refusal;
  const double reach = 0.5 * std::sqrt(2.0) * grid.spacing.x * static_cast<double>(grid.size[0]);
  if (!turns.parallel && turns.distance <= reach) return "the source lies within the grid";
  const std::int64_t most = context.limits().array_layers, views = scan.view_count();
  if (views > most) return fmt::format("{} views are more than one texture array holds", views);
  if (grid.size[0] > most) return fmt::format("{} slices are more than one texture array holds", grid.size[0]);
  const std::string steep = steep_view(scan, grid);
  return steep.empty() ? steep : "there is " + steep;
}

std::int64_t SliceProjection::packed_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions& o,
                                           std::int64_t views) {
  const bool half = o.precision == Precision::half;
  if (o.packing != Packing::orbit && (o.packing != Packing::automatic || !half)) return 0;
  // Stacks along x and y, and one whose texels hold four copies; groups are drawn apart, with two textures in
  // ping-pong.
  const std::int64_t texel = half ? 2 : 4;
  return 6 * texel * grid.voxels() + 2 * 4 * views * scan.detector.pixels();
}

std::string SliceProjection::rows_refusal(const Context& context, const VolumeGrid& grid, const Scan& scan,
                                          StackChoice stack) {
  if (grid.size[2] > context.limits().array_layers)
    return fmt::format("{} slices are more than one texture array holds", grid.size[2]);
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const Vec3& v = scan.views[i].v;
    if (std::hypot(v.x, v.y) > 1e-6 * std::abs(v.z))
      return fmt::format(
          "the columns of view {} are not parallel to z, so that its rows meet a slice at different places", i);
  }
  const RayTable rays = RayTable::make(grid, scan, stack);
  if (rays.axes[2]) return "some rays run along z rather than along x or y";
  return {};
}

SliceProjection::SliceProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                                 const Scan& scan, const CtOptions& options, const ProjectionVariant& variant,
                                 const QuarterTurns& turns)
    : plan_(context, timings, grid, scan, options, variant),
      rows_(options.packing == Packing::slices),
      stacks_(context, timings, shape_of(grid), plan_.rays.axes,
              rows_                  ? Packing::slices
              : turns.groups.empty() ? Packing::none
                                     : Packing::orbit,
              plan_.half),
      sampler_("slices", plan_.exact || plan_.model == Model::siddon ? GL_NEAREST : GL_LINEAR),
      framebuffer_("projections"),
      no_vertices_("no vertices"),
      partners_apart_(!turns.groups.empty() && !turns.in_order()) {
  const std::int64_t some = std::min({batch, scan.view_count(), context->limits().array_layers});
  const std::vector<std::string> stages = project_stages();
  const char* accumulate = plan_.ping_pong() ? "shared/accumulate/ping_pong.glsl" : "shared/accumulate/blend.glsl";
  Choices files{accumulate};
  if (rows_) files.insert(files.end(), {"joseph/sum/rows.glsl", "joseph/store/rows.glsl"});
  project_ = plan_.make_program("project", stages, files);
  project_.set("skips_views", plan_.ping_pong() ? 0 : 1);
  const auto drawn = static_cast<float>(detector_rows());
  const float rows_a_fragment = rows_ ? 4.0f : 1.0f;
  project_.set("four_rows", static_cast<float>(scan.detector.rows) / (rows_a_fragment * drawn), rows_ ? 1 / drawn : 0);
  if (!plan_.computes() && (rows_ || plan_.ping_pong())) {
    const Defines what = rows_ ? Defines{{"ROWS", ""}} : Defines{};
    apart_ =
        DrawnViews(rows_ ? GL_RGBA32F : GL_R32F, scan.detector.columns, detector_rows(), some, what, plan_.ping_pong());
  }
  if (transposes_by_columns(*context, plan_, scan, variant)) {
    columns_.emplace(context, timings, grid, scan, stack_axes(plan_, scan));
  } else {
    weighed_.emplace(context, "weighed views", shape_of(scan.detector, some));
    weigh_ = plan_.computes() ? plan_.make_program("weigh views", {"shared/weigh.comp"})
                              : plan_.make_program("weigh views", {"joseph/view.vert", "shared/weigh.frag"});
    gather_ = plan_.computes() ? plan_.make_program("gather", {"joseph/gather.comp"})
                               : plan_.make_program("gather", {"shared/slice.vert", "joseph/gather.frag"});
  }
  if (plan_.computes() && plan_.model == Model::joseph && !plan_.exact && !plan_.half && !rows_ &&
      grid.size[2] <= context->limits().array_layers) {
    project_direct_ = plan_.make_program("project direct", stages, {"joseph/sample/direct.glsl"});
    // A little past the texel's middle, so that the filter's rounding cannot reach the slice before.
    project_direct_.set("middle_texel", context->limits().software ? 0.5f : 0.5f + 1.0f / 4096);
  }
  if (turns.groups.empty()) return;
  project_packed_ = plan_.make_program("project packed", stages,
                                       {accumulate, "shared/stack/by_orbit.glsl", "joseph/sample/orbit.glsl",
                                        "joseph/store/groups.glsl", "joseph/drawn/groups.glsl"});
  project_packed_.set("skips_views", 0);
  project_packed_.set("four_rows", 1.0f, 0.0f);
  members_.resize(scan.views.size());
  for (std::size_t g = 0; g < turns.groups.size(); ++g)
    for (std::size_t c = 0; c < 4; ++c) members_[static_cast<std::size_t>(turns.groups[g].views[c])] = {g, c};
  groups_.reserve(turns.groups.size());
  group_buffer_ = Buffer("quarter-turn groups", static_cast<std::int64_t>(turns.groups.size() * sizeof(TurnedViews)));
}

std::vector<std::string> SliceProjection::project_stages() const {
  if (plan_.computes()) return {"joseph/rays.comp"};
  if (!plan_.draws_slices()) return {"joseph/view.vert", "joseph/rays.frag"};
  return {"joseph/slice.vert", rows_ ? "joseph/slice_rows.frag" : "joseph/slice.frag"};
}

bool SliceProjection::uses(std::size_t axis, const ViewRun& run) const {
  for (std::int64_t i = 0; i < run.count; ++i)
    if (plan_.rays.view_axes[static_cast<std::size_t>(run.first_view + i * run.view_stride)] >> axis & 1u) return true;
  return false;
}

void SliceProjection::forward(const GlArray& volume, GlArray& projections, Layers layers, const Subset& subset,
                              Write write) {
  plan_.context->make_current();
  const DrawState state(plan_.ping_pong() ? DrawState::Mode::replace : DrawState::Mode::add);
  glBindVertexArray(no_vertices_.id());
  if (write == Write::overwrite) clear_views(projections, layers, subset);
  std::vector<Texture>& images = projections.textures();
  if (!members_.empty() && forward_packed(volume, projections, layers, subset)) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!plan_.rays.axes[axis]) continue;
    const std::int64_t samples = plan_.detector.pixels() * plan_.grid.size[axis];  // samples of a view
    const std::int64_t most = plan_.computes()
                                  ? most_views(samples)
                                  : plan_.context->piece(most_views(samples), static_cast<double>(samples));
    const bool few = subset.count <= 2;
    const bool direct = project_direct_ && axis < 2 && few && !stacks_.holds(axis, volume);
    for_runs(projections, layers, subset, apart_ ? std::min(most, apart_.layers()) : most, [&](const ViewRun& run) {
      if (!uses(axis, run)) return;
      if (direct)
        project_direct(axis, volume, images[run.texture], run);
      else
        project(axis, stacks_.along(axis, volume), images[run.texture], run);
    });
  }
}

void SliceProjection::project(std::size_t axis, const Stack& stack, const Texture& images, const ViewRun& views) {
  plan_.set_views(project_, views);
  project_.set("first_layer", apart_ ? 0 : whole(views.first_layer));
  project_.set("layer_stride", apart_ ? 1 : whole(views.layer_stride));
  if (apart_) apart_.clear(views.count);
  constexpr const char* names[] = {"project along x", "project along y", "project along z"};
  run(project_, names[axis], axis, stack, images, apart_, views.count);
  if (apart_) apart_.add_to(images, views.first_layer, views.layer_stride, views.count, plan_.timings);
}

void SliceProjection::project_direct(std::size_t axis, const GlArray& volume, const Texture& images,
                                     const ViewRun& views) {
  const Pass pass(plan_.timings, axis == 0 ? "project along x, direct" : "project along y, direct");
  Program& p = project_direct_;
  plan_.set_axis(p, axis);
  plan_.set_views(p, views);
  const std::int64_t slices = plan_.grid.size[axis];
  p.set("first_layer", whole(views.first_layer));
  p.set("layer_stride", whole(views.layer_stride));
  p.set("unit", 1.0f);
  p.set("slice_scale", static_cast<float>(1.0 / static_cast<double>(slices)));
  p.set("first_slice", 0);
  p.set("from_slice", 0);
  p.set("slice_count", whole(slices));
  p.use();
  plan_.rays.rays.bind_storage(1);
  sampler_.bind(0);
  images.bind_image(0, GL_READ_WRITE);
  volume.textures()[0].bind(0);
  glDispatchCompute(groups(plan_.detector.columns, 16), groups(plan_.detector.rows, 16), 1);
  glMemoryBarrier(everything_that_reads);
}

void SliceProjection::run(Program& program, const char* name, std::size_t axis, const Stack& stack,
                          const Texture& images, DrawnViews& apart, std::int64_t views) {
  const Pass pass(plan_.timings, name);
  plan_.set_axis(program, axis);
  program.set("unit", stack.unit);
  program.use();
  plan_.rays.rays.bind_storage(1);
  if (plan_.fractions.views) plan_.fractions.views.bind_storage(0);
  if (!members_.empty()) group_buffer_.bind_storage(2);
  sampler_.bind(0);
  if (plan_.computes()) {
    images.bind_image(0, GL_READ_WRITE);
  } else {
    framebuffer_.attach(apart ? apart.target() : images);
    framebuffer_.use();
  }
  std::int64_t first_slice = 0;
  for (const Texture& slices : stack.textures) {
    slices.bind(0);
    program.set("first_slice", whole(first_slice));
    const bool one_by_one = plan_.ping_pong() && plan_.draws_slices();
    const std::int64_t slab = plan_.computes() ? ProjectionPlan::slab_slices(slices) : one_by_one ? 1 : slices.depth();
    for (std::int64_t from = 0; from < slices.depth(); from += slab) {
      const std::int64_t count = std::min(slab, slices.depth() - from);
      program.set("from_slice", whole(first_slice + from));
      program.set("slice_count", whole(count));
      if (plan_.computes()) {
        glDispatchCompute(groups(plan_.detector.columns, 16), groups(detector_rows(), 16),
                          groups(views, ProjectionPlan::views_per_group));
        glMemoryBarrier(everything_that_reads);
      } else {
        if (plan_.ping_pong()) {
          apart.turn();
          framebuffer_.attach(apart.target());
          framebuffer_.use();
        }
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4,
                              static_cast<GLsizei>(views * (plan_.draws_slices() ? count : 1)));
      }
      plan_.context->pace(static_cast<double>(plan_.detector.pixels() * views * count));
    }
    first_slice += slices.depth();
  }
}

/// Collects the groups of the subset; false when it has views without their three partners.
bool SliceProjection::gather_groups(Layers layers, const Subset& subset) {
  groups_.clear();
  std::vector<std::int64_t> place(members_.size(), -1);  // in groups_
  std::vector<int> found;
  for (std::int64_t i = 0; i < subset.count; ++i) {
    const std::int64_t view = subset.first + i * subset.stride;
    const Member m = members_[static_cast<std::size_t>(view)];
    if (place[m.group] < 0) {
      place[m.group] = static_cast<std::int64_t>(groups_.size());
      groups_.emplace_back();
      found.push_back(0);
    }
    const auto g = static_cast<std::size_t>(place[m.group]);
    groups_[g].layers[m.channel] = whole(layers.first + i * layers.stride);
    if (m.channel == 0) groups_[g].view[0] = whole(view);
    ++found[g];
  }
  return !groups_.empty() && std::ranges::all_of(found, [](int n) { return n == 4; });
}

bool SliceProjection::forward_packed(const GlArray& volume, GlArray& projections, Layers layers, const Subset& subset) {
  if (!gather_groups(layers, subset)) return false;
  const auto all = static_cast<std::int64_t>(groups_.size());
  project_packed_.set("first_layer", 0);
  project_packed_.set("layer_stride", 1);
  const Texture& images = projections.textures().front();
  const Stack stack = stacks_.orbit(volume);
  const auto samples = static_cast<double>(plan_.detector.pixels() * plan_.grid.size[0]);
  const std::int64_t most = plan_.context->piece(all, 4 * samples);
  for (std::int64_t first = 0; first < all; first += most) {
    const std::int64_t count = std::min(most, all - first);
    group_buffer_.write(
        std::as_bytes(std::span(groups_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count))));
    project_packed_.set("view_count", whole(count));
    if (!plan_.computes() && drawn_groups_.layers() < count)
      drawn_groups_ = DrawnViews(GL_RGBA32F, plan_.detector.columns, plan_.detector.rows, count, {{"ORBIT", ""}},
                                 plan_.ping_pong());
    if (!plan_.computes()) drawn_groups_.clear(count);
    run(project_packed_, "project packed", 0, stack, images, drawn_groups_, count);
    if (!plan_.computes()) drawn_groups_.add_to(images, 0, 1, count, plan_.timings);
  }
  return true;
}

std::string SliceProjection::name() const {
  return plan_.variant.name() + (columns_ ? ",transpose=columns" : ",transpose=pixels");
}

void SliceProjection::back(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                           Write write) {
  plan_.context->make_current();
  if (write == Write::overwrite && (!columns_ || subset.count == 0))
    for (Texture& t : volume.textures()) t.clear(0);
  if (!columns_) return back_by_pixels(projections, layers, subset, volume);
  if (plan_.half && !members_.empty() && columns_->packs() && gather_groups(layers, subset))
    return columns_->back_packed(projections, groups_, volume, write);
  for_runs(projections, layers, subset, columns_->most_views(), [&](const ViewRun& run) {
    columns_->back(projections.textures()[run.texture], run, volume, write);
    write = Write::accumulate;
  });
}

void SliceProjection::back_by_pixels(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume) {
  DrawState state(DrawState::Mode::add);
  glBindVertexArray(no_vertices_.id());
  plan_.rays.rays.bind_storage(1);
  plan_.pixels.views.bind_storage(0);
  for_runs(projections, layers, subset, weighed_->shape().n2, [&](const ViewRun& run) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!uses(axis, run)) continue;
      state.set(DrawState::Mode::replace);
      weigh(axis, projections.textures()[run.texture], run);
      state.set(DrawState::Mode::add);
      gather(axis, run, volume);
    }
  });
}

void SliceProjection::weigh(std::size_t axis, const Texture& projections, const ViewRun& run) {
  const Pass pass(plan_.timings, "weigh views");
  plan_.set_axis(weigh_, axis);
  plan_.set_views(weigh_, run);
  weigh_.set("first_layer", 0);
  weigh_.set("layer_stride", 1);
  weigh_.set("projection", whole(run.first_layer));
  weigh_.set("projection_stride", whole(run.layer_stride));
  weigh_.use();
  projections.bind(0);
  const Texture& target = weighed_->textures()[0];
  if (plan_.computes()) {
    target.bind_image(0, GL_WRITE_ONLY);
    glDispatchCompute(groups(target.width(), 32), groups(target.height(), 8), static_cast<GLuint>(run.count));
    glMemoryBarrier(everything_that_reads);
    return;
  }
  framebuffer_.attach(target);
  framebuffer_.use();
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(run.count));
}

void SliceProjection::draw_gather(const Texture& slices, std::int64_t views) {
  const double cost = plan_.context->cuts_passes() ? gather_cost : 1;
  const double layer_updates = cost * static_cast<double>(slices.width() * slices.height() * views);
  plan_.context->in_pieces(slices.depth(), layer_updates, [&](std::int64_t first, std::int64_t layers) {
    gather_.set("first_layer", whole(first));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(layers));
  });
}

void SliceProjection::gather(std::size_t axis, const ViewRun& run, GlArray& volume) {
  const Pass pass(plan_.timings, "gather");
  plan_.set_axis(gather_, axis);
  plan_.set_views(gather_, run);
  gather_.use();
  weighed_->textures()[0].bind(0);
  std::int64_t first_slice = 0;
  for (const Texture& slices : volume.textures()) {
    gather_.set("first_slice", whole(first_slice));
    first_slice += slices.depth();
    if (plan_.computes()) {
      slices.bind_image(0, GL_READ_WRITE);
      glDispatchCompute(groups(slices.width(), 16), groups(slices.height(), 8), groups(slices.depth(), 4));
      glMemoryBarrier(everything_that_reads);
      plan_.context->pace(updates(slices, run.count));
    } else {
      framebuffer_.attach(slices);
      framebuffer_.use();
      draw_gather(slices, run.count);
    }
  }
}

}  // namespace backlit::gl
