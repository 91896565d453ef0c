#include "projectors/joseph/gl_transpose.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "device/gl/dispatch.hpp"
#include "projectors/joseph/slice_steps.hpp"
#include "projectors/shared/gl/half_unit.hpp"

namespace backlit::gl {
namespace {

/// Size of a batch of copied views: each batch is a pass over the volume.
constexpr std::int64_t batch_bytes = std::int64_t{256} << 20;

/// Voxels on top of each other in one invocation (shaders/joseph/voxels/twelve.glsl, gather_orbits.comp).
constexpr int column_voxels = 12, orbit_voxels = 8;

/// A CPU gets fewer views at once, so that other commands, as frames of a window, need not wait for long.
constexpr std::int64_t software_views = 16;

/// Largest number of rows per voxel for which the shader has no loop.
constexpr int most_unrolled = 2;

static_assert(sizeof(ColumnRayView) == 144, "struct ColumnRayView of shaders/joseph/column_rays.glsl");

template <class T>
Buffer upload(const char* label, const std::vector<T>& values) {
  return {label, static_cast<std::int64_t>(values.size() * sizeof(T)), values.data()};
}

std::int64_t view_bytes(const Scan& scan) { return scan.detector.pixels() * std::int64_t{sizeof(float)}; }

float real(double x) { return static_cast<float>(x); }

}  // namespace

ColumnTranspose::ColumnTranspose(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                                 const Scan& scan, std::vector<int> axes)
    : context_(std::move(context)),
      timings_(timings),
      reductions_(timings),
      grid_(grid),
      scan_(scan),
      axes_(std::move(axes)) {}

bool ColumnTranspose::fits(const Limits& limits, const Scan& scan) {
  const std::int64_t table = scan.view_count() * scan.detector.columns * std::int64_t{sizeof(ColumnRay)};
  return std::max(table, view_bytes(scan)) <= limits.storage_block_bytes;
}

std::int64_t ColumnTranspose::most_views() const {
  const Limits& limits = context_->limits();
  const std::int64_t room = std::min(batch_bytes, limits.storage_block_bytes);
  const std::int64_t most = std::max<std::int64_t>(1, room / view_bytes(scan_));
  return limits.software ? std::min(software_views, most) : most;
}

void ColumnTranspose::make_tables() {
  if (views_) return;
  columns_ = column_rays(scan_, grid_, axes_);
  views_ = upload("views of columns", columns_.views);
  rays_ = upload("rays of columns", columns_.rays);
  columns_.views.clear();
  columns_.rays = {};
}

void ColumnTranspose::describe(Program& p) const {
  p.set("columns", whole(scan_.detector.columns));
  p.set("rows", whole(scan_.detector.rows));
  p.set("rows_run_down", columns_.rows_run_down ? 1 : 0);
  p.set("spacing", real(grid_.spacing.x), real(grid_.spacing.y), real(grid_.spacing.z));
  p.set("most_sideways", real(1.001 * most_sideways));
  p.set("middle", 0.5f * real(static_cast<double>(grid_.size[0] - 1)),
        0.5f * real(static_cast<double>(grid_.size[1] - 1)));
  p.set("n", whole(grid_.size[0]));
}

/// The files for the scan's columns and beam.
Choices ColumnTranspose::choices() const {
  return {columns_.flat ? "joseph/column/flat.glsl" : "joseph/column/curved.glsl",
          columns_.parallel ? "joseph/beam/parallel.glsl" : "joseph/beam/cone.glsl"};
}

bool ColumnTranspose::packs() {
  make_tables();
  return columns_.most_rows <= 2 + 1e-6;
}

void ColumnTranspose::make_gather() {
  if (gather_) return;
  make_tables();
  const bool flat = grid_.size[2] < 4;  // few slices: most voxels of a group would lie beside the grid
  voxels_ = flat ? 1 : column_voxels;
  Choices files = choices();
  files.push_back(flat ? "joseph/voxels/one.glsl" : "joseph/voxels/twelve.glsl");
  const auto rows = static_cast<int>(std::clamp(std::ceil(columns_.most_rows - 1e-6), 1.0, 1e6));
  weigh_ = Program("weigh columns", {"joseph/weigh_columns.comp"}, {}, files);
  gather_ = Program("gather columns", {"joseph/gather_columns.comp"},
                    {{"ROWS", std::to_string(rows <= most_unrolled ? rows : 0)}}, files);
  gather_.set("most_rows", rows);
  describe(weigh_);
  describe(gather_);
}

void ColumnTranspose::make_orbits(std::int64_t wanted) {
  make_tables();
  const Detector& d = scan_.detector;
  if (!gather_orbits_) {
    weigh_groups_ = Program("weigh groups", {"joseph/weigh_groups.comp"}, {}, choices());
    gather_orbits_ = Program("gather orbits", {"joseph/gather_orbits.comp"}, {}, choices());
    describe(weigh_groups_);
    describe(gather_orbits_);
    sampler_ = Sampler("weighed groups", GL_LINEAR);
  }
  const std::int64_t fit = std::min(batch_bytes / (8 * d.pixels()), context_->limits().array_layers);
  const std::int64_t count = std::clamp<std::int64_t>(fit, 1, wanted);
  if (packed_.depth() >= count) return;
  packed_ = {};  // frees the old one first
  packed_ = Texture("weighed groups", GL_TEXTURE_2D_ARRAY, GL_RGBA16F, d.columns, d.rows, count);
  groups_ = Buffer("gathered groups", count * std::int64_t{sizeof(TurnedViews)});
}

void ColumnTranspose::bind_tables() const {
  views_.bind_storage(0);
  rays_.bind_storage(1);
}

template <class Dispatch>
void ColumnTranspose::for_layers(Program& p, GlArray& volume, int voxels, std::int64_t views, Dispatch&& dispatch) {
  std::int64_t first_slice = 0;
  for (const Texture& slices : volume.textures()) {
    slices.bind_image(0, GL_READ_WRITE);
    p.set("first_slice", whole(first_slice));
    first_slice += slices.depth();
    // Passes as short as pace() needs them, because it cannot interrupt one.
    const double updates = static_cast<double>(slices.width() * slices.height() * voxels * views);
    const auto most = static_cast<std::int64_t>(std::max(1.0, Context::most_updates / updates));
    const std::int64_t blocks = (slices.depth() + voxels - 1) / voxels;
    for (std::int64_t from = 0; from < blocks; from += most)
      context_->in_pieces(std::min(most, blocks - from), updates, [&](std::int64_t first, std::int64_t count) {
        p.set("first_layer", whole((from + first) * voxels));
        dispatch(static_cast<GLuint>(count));
      });
  }
  glMemoryBarrier(everything_that_reads);
}

void ColumnTranspose::back(const Texture& projections, const ViewRun& run, GlArray& volume, Write write) {
  make_gather();
  bind_tables();
  const Detector& d = scan_.detector;
  const std::int64_t bytes = run.count * d.pixels() * std::int64_t{sizeof(float)};
  if (weighed_.bytes() < bytes) {
    weighed_ = {};  // frees the old one first
    weighed_ = Buffer("weighed columns", bytes);
  }
  weighed_.bind_storage(3);
  for (Program* p : {&weigh_, &gather_}) {
    p->set("first_view", whole(run.first_view));
    p->set("view_stride", whole(run.view_stride));
  }
  {
    const Pass pass(timings_, "weigh columns");
    weigh_.set("projection", whole(run.first_layer));
    weigh_.set("projection_stride", whole(run.layer_stride));
    weigh_.use();
    projections.bind(0);
    glDispatchCompute(groups(d.columns, 32), groups(d.rows, 8), static_cast<GLuint>(run.count));
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  }
  const Pass pass(timings_, "gather columns");
  gather_.set("view_count", whole(run.count));
  gather_.set("accumulate", write == Write::accumulate ? 1 : 0);
  gather_.use();
  for_layers(gather_, volume, voxels_, run.count,
             [&](GLuint blocks) { glDispatchCompute(groups(grid_.size[0], 16), groups(grid_.size[1], 16), blocks); });
}

void ColumnTranspose::back_packed(const GlArray& projections, std::span<const TurnedViews> all, GlArray& volume,
                                  Write write) {
  make_orbits(std::ssize(all));
  // The longest part of a ray in a slice's slab, in mm.
  const double longest =
      std::sqrt(1 + most_sideways * most_sideways) * std::max({grid_.spacing.x, grid_.spacing.y, grid_.spacing.z});
  const float unit = half_unit(reductions_.largest_magnitude(projections) * longest);
  bind_tables();  // after the reduction, which binds buffers of its own
  const Detector& d = scan_.detector;
  const std::int64_t side = (grid_.size[0] + 1) / 2;
  for (std::int64_t first = 0; first < std::ssize(all); first += packed_.depth()) {
    const std::int64_t count = std::min(packed_.depth(), std::ssize(all) - first);
    groups_.write(std::as_bytes(all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count))));
    groups_.bind_storage(2);
    {
      const Pass pass(timings_, "weigh groups");
      weigh_groups_.set("per_unit", 1 / unit);
      weigh_groups_.use();
      glBindSampler(0, 0);
      projections.textures().front().bind(0);
      packed_.bind_image(0, GL_WRITE_ONLY);
      glDispatchCompute(groups(d.columns, 32), groups(d.rows, 8), static_cast<GLuint>(count));
      glMemoryBarrier(everything_that_reads);
    }
    const Pass pass(timings_, "gather orbits");
    gather_orbits_.set("group_count", whole(count));
    gather_orbits_.set("unit", unit);
    gather_orbits_.set("accumulate", write == Write::accumulate || first > 0 ? 1 : 0);
    gather_orbits_.use();
    packed_.bind(0);
    sampler_.bind(0);
    for_layers(gather_orbits_, volume, orbit_voxels, 4 * count,
               [&](GLuint blocks) { glDispatchCompute(groups(side, 8), groups(side, 8), blocks); });
    glBindSampler(0, 0);
  }
}

}  // namespace backlit::gl
