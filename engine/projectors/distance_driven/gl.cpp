#include "projectors/distance_driven/gl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "projectors/distance_driven/make_distance_driven.hpp"
#include "projectors/gl_variants.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/gl/gl_ct.hpp"

namespace backlit::gl {
namespace {

/// Memory for the tables of a batch of views.
constexpr std::int64_t batch_bytes = std::int64_t{128} << 20;

/// Struct Column of shaders/distance_driven/views.glsl.
struct Column {
  float edge[4], rows[4];
};

template <class T>
float real(T x) {
  return static_cast<float>(x);
}

/// Edges across by edges along, an empty line that filters may touch, and a line for the running sum of column means.
Texture make_table(const char* label, std::int64_t across, std::int64_t along, std::int64_t images) {
  return Texture(label, GL_TEXTURE_2D_ARRAY, GL_R32F, across + 1, along + 3, images);
}

std::int64_t bytes_of_table(std::int64_t across, std::int64_t along) { return (across + 1) * (along + 3) * 4; }

/// Number of tables of views made at once.
std::int64_t batch_of(const Detector& d, std::int64_t views) {
  return std::clamp<std::int64_t>(batch_bytes / bytes_of_table(d.columns, d.rows), 1, views);
}

void set_size(Program& p, const Texture& table) { p.set("table_size", real(table.width()), real(table.height() - 2)); }

std::string refusal(const Limits& limits, std::int64_t slices, const Detector& d) {
  if (slices > limits.array_layers) return fmt::format("{} slices are more than one texture array holds", slices);
  if (std::max({slices, d.columns, d.rows}) + 3 > limits.texture_size)
    return fmt::format("tables of more than {} edges", limits.texture_size);
  return {};
}

}  // namespace

void require_areas(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions&) {
  const Context& context = current_gl(backend).context();
  require_textures(context, grid, scan);
  const std::string why = refusal(context.limits(), grid.size[2], scan.detector);
  if (!why.empty()) throw Unsupported("model branchless_dd", why, "choose joseph");
  require_distance_driven(grid, scan);
}

AreaProjection::AreaProjection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                               const Scan& scan, const CtOptions& options, bool corners_apart)
    : context_(std::move(context)),
      timings_(timings),
      ops_(timings),
      grid_(grid),
      detector_(scan.detector),
      lines_(corners_apart ? 4 : 16),
      apart_(corners_apart),
      gathered_(options.precision == Precision::exact),
      maps_(ViewTable::make(grid, scan, Weighting::none, PositionUnit::pixel)),
      sampler_("summed areas", gathered_ ? GL_NEAREST : GL_LINEAR, GL_CLAMP_TO_EDGE),
      batch_(batch_of(detector_, std::min(scan.view_count(), context_->limits().array_layers))) {
  store_columns(grid, scan);
  sum_slices_ = make_program("sum slices", "distance_driven/sum_slices.comp");
  sum_rows_ = make_program("sum rows", "distance_driven/sum_rows.comp");
  sum_across_ = make_program("sum across", "distance_driven/sum_across.comp");
  project_ = make_program("project areas", "distance_driven/project.comp");
  backproject_ = make_program("backproject areas", "distance_driven/backproject.comp");
  backproject_.set("table_first", 0.0f);
  backproject_.set("image_size", real(detector_.columns + 1), real(detector_.rows + 1));
  backproject_.set("plane", detector_.rows == 1 && grid.size[2] == 1 ? 1 : 0);
  for (const std::size_t axis : {0u, 1u})
    if (seen_along_[axis]) make_parts(axis);
}

std::int64_t AreaProjection::table_bytes(const VolumeGrid& grid, const Scan& scan, std::int64_t views) {
  const Detector& d = scan.detector;
  const std::int64_t columns = scan.view_count() * (d.columns + 1) * static_cast<std::int64_t>(sizeof(Column));
  return columns + batch_of(d, views) * bytes_of_table(d.columns, d.rows) +
         grid.size[0] * bytes_of_table(grid.size[1], grid.size[2]) +
         grid.size[1] * bytes_of_table(grid.size[0], grid.size[2]);
}

void AreaProjection::make_parts(std::size_t axis) {
  const std::size_t across = 1 - axis;
  Size3 most = grid_.size;
  most[axis] = context_->limits().array_layers;
  most[across] = context_->limits().texture_size - 1;
  for (const Box& box : boxes_of(shape_of(grid_), most))
    stacks_[axis].parts.push_back({box, make_table("areas of slabs", box.size[across], box.size[2], box.size[axis])});
}

void AreaProjection::store_columns(const VolumeGrid& grid, const Scan& scan) {
  std::vector<Column> columns;
  std::vector<int> kinds;
  columns.reserve(static_cast<std::size_t>(scan.view_count() * (detector_.columns + 1)));
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const DistanceDrivenView view =
        make_distance_driven(detector_, scan.views[i], grid, fmt::format("view {}", i).c_str());
    for (std::size_t c = 0; c < view.edges.size(); ++c) {
      const RowEdges<double> rows = c < view.columns.size() ? view.columns[c] : RowEdges<double>{};
      columns.push_back({{real(view.edges[c].first), real(view.edges[c].per_slab), real(rows.square_mm), 0},
                         {real(rows.base), real(rows.base_per_slab), real(rows.step), real(rows.step_per_slab)}});
    }
    kinds.insert(kinds.end(), {view.axis, view.reversed ? 1 : 0});
    seen_along_[view.axis] = true;
  }
  columns_ = Buffer("columns", static_cast<std::int64_t>(columns.size() * sizeof(Column)), columns.data());
  kinds_ = Buffer("kinds of views", static_cast<std::int64_t>(kinds.size() * sizeof(int)), kinds.data());
}

Program AreaProjection::make_program(const char* name, const char* path, Defines d) const {
  d.emplace_back("LINES", std::to_string(lines_));
  Choices choices = maps_.choices();
  choices.emplace_back(gathered_ ? "distance_driven/lookup/gathered.glsl" : "distance_driven/lookup/filtered.glsl");
  choices.emplace_back(apart_ ? "distance_driven/neighbours/apart.glsl" : "distance_driven/neighbours/adjacent.glsl");
  choices.emplace_back(maps_.parallel ? "distance_driven/beam/parallel.glsl"
                       : maps_.curved ? "distance_driven/beam/curved.glsl"
                                      : "distance_driven/beam/cone.glsl");
  Program p(name, {path}, d, choices);
  p.set("detector", whole(detector_.columns), whole(detector_.rows));
  p.set("slice_mm", real(grid_.spacing.z));
  return p;
}

void AreaProjection::bind_views() const {
  maps_.views.bind_storage(0);
  columns_.bind_storage(1);
  kinds_.bind_storage(2);
}

/// Fills the tables from the volume, if they are out of date.
void AreaProjection::tabulate(std::size_t axis, const GlArray& volume) {
  Stack& stack = stacks_[axis];
  if (stack.stamp == volume.stamp()) return;
  const Stack& other = stacks_[1 - axis];
  stack.mean =
      other.stamp == volume.stamp() ? other.mean : real(ops_.sum(volume) / static_cast<double>(volume.count()));
  const Pass pass(timings_, "sum slices");
  sum_slices_.set("axis", static_cast<int>(axis));
  sum_slices_.set("mean", stack.mean);
  for (const Part& part : stack.parts) {
    part.areas.bind_image(0, GL_WRITE_ONLY);
    volume.textures().front().bind(0);
    glBindSampler(0, 0);
    sum_slices_.set("first", whole(part.box.first[0]), whole(part.box.first[1]));
    sum_slices_.use();
    glDispatchCompute(groups(part.box.size[0], 16), groups(part.box.size[1], 16), 1);
    sum_across(part.areas, part.areas.depth());
  }
  stack.stamp = volume.stamp();
}

void AreaProjection::sum_across(const Texture& areas, std::int64_t images) {
  glMemoryBarrier(everything_that_reads);
  areas.bind_image(0, GL_READ_WRITE);
  sum_across_.set("images", whole(images));
  sum_across_.use();
  glDispatchCompute(groups(areas.height(), 32), static_cast<GLuint>(images), 1);
  glMemoryBarrier(everything_that_reads);
}

void AreaProjection::forward(const GlArray& volume, GlArray& projections, Layers layers, const Subset& subset,
                             Write write) {
  context_->make_current();
  if (write == Write::overwrite) clear_views(projections, layers, subset);
  bind_views();
  for (const std::size_t axis : {0u, 1u}) {
    if (!seen_along_[axis]) continue;
    tabulate(axis, volume);
    const Pass pass(timings_, "project areas");
    for (const Part& part : stacks_[axis].parts) project(axis, part, projections, layers, subset);
  }
  glBindSampler(0, 0);
}

/// Adds the projection of some slabs.
void AreaProjection::project(std::size_t axis, const Part& part, GlArray& projections, Layers layers,
                             const Subset& subset) {
  const std::size_t across = 1 - axis;
  const Texture& areas = part.areas;
  areas.bind(0);
  sampler_.bind(0);
  set_size(project_, areas);
  project_.set("table_first", real(part.box.first[across]));
  project_.set("image_size", real(grid_.size[across] + 1), real(grid_.size[2] + 1));
  project_.set("mean", stacks_[axis].mean);
  project_.set("axis", static_cast<int>(axis));
  project_.set("first_slab", whole(part.box.first[axis]));
  project_.set("slabs", whole(areas.depth()));
  project_.use();
  for_runs(projections, layers, subset, most_views(detector_.pixels() * areas.depth()), [&](const ViewRun& run) {
    projections.textures()[run.texture].bind_image(0, GL_READ_WRITE);
    project_.set("first_view", whole(run.first_view));
    project_.set("view_stride", whole(run.view_stride));
    project_.set("first_layer", whole(run.first_layer));
    project_.set("layer_stride", whole(run.layer_stride));
    glDispatchCompute(groups(detector_.columns, 32), groups(detector_.rows, 4 * lines_),
                      static_cast<GLuint>(run.count));
    glMemoryBarrier(everything_that_reads);
    context_->pace(static_cast<double>(detector_.pixels() * areas.depth() * run.count));
  });
}

void AreaProjection::back(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                          Write write) {
  context_->make_current();
  if (write == Write::overwrite)
    for (Texture& t : volume.textures()) t.clear(0);
  // Rays are about as long in a slab as a slab is thick: the mean taken away need not be exact.
  const double slab = std::min(grid_.spacing.x, grid_.spacing.y);
  const float mean = real(slab * ops_.sum(projections) / static_cast<double>(projections.count()));
  const std::int64_t batch = std::min(batch_, subset.count);
  if (!images_ || images_->depth() < batch) {
    images_.reset();  // frees the old one first
    images_ = make_table("areas of views", detector_.columns, detector_.rows, batch);
  }
  bind_views();
  sum_rows_.set("mean", mean);
  backproject_.set("mean", mean);
  set_size(backproject_, *images_);
  const Texture& target = volume.textures().front();
  for_runs(projections, layers, subset, batch, [&](const ViewRun& run) {
    {
      const Pass pass(timings_, "sum rows");
      images_->bind_image(0, GL_WRITE_ONLY);
      projections.textures()[run.texture].bind(0);
      glBindSampler(0, 0);
      sum_rows_.set("first_view", whole(run.first_view));
      sum_rows_.set("view_stride", whole(run.view_stride));
      sum_rows_.set("first_layer", whole(run.first_layer));
      sum_rows_.set("layer_stride", whole(run.layer_stride));
      sum_rows_.use();
      glDispatchCompute(groups(detector_.columns, 32), static_cast<GLuint>(run.count), 1);
      sum_across(*images_, run.count);
    }
    const Pass pass(timings_, "backproject areas");
    images_->bind(0);
    sampler_.bind(0);
    target.bind_image(0, GL_READ_WRITE);
    backproject_.set("first_view", whole(run.first_view));
    backproject_.set("view_stride", whole(run.view_stride));
    backproject_.set("view_count", whole(run.count));
    backproject_.use();
    glDispatchCompute(groups(target.width(), 8), groups(target.height(), 8), groups(target.depth(), lines_));
    glMemoryBarrier(everything_that_reads);
    context_->pace(updates(target, run.count));
  });
  glBindSampler(0, 0);
}

OperatorPtr make_branchless_dd(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                               bool corners_apart) {
  GlBackend& device = current_gl(backend);
  auto plan =
      std::make_unique<AreaProjection>(device.shared_context(), device.timings(), grid, scan, options, corners_apart);
  return std::make_unique<GlRayDriven>(device, grid, scan, options, std::move(plan), false);
}

}  // namespace backlit::gl

namespace backlit {

ProjectorInfo branchless_dd_gl() {
  ProjectorInfo info;
  info.model = Model::branchless_dd;
  info.device = "gl";
  info.precisions = {Precision::exact, Precision::fast};
  info.errors = {1e-3, 2e-3};  // back uses a voxel's rectangle on the detector, the reference one in the slab
  info.require = gl::require_areas;
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return gl::make_branchless_dd(backend, grid, scan, options, false);
  };
  info.bytes = [](const Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions&, std::int64_t views) {
    return gl::AreaProjection::table_bytes(grid, scan, views);
  };
  return info;
}

}  // namespace backlit
