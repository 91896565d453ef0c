#include "cuda/joseph/transpose.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cuda/device/upload.hpp"
#include "projectors/joseph/slice_steps.hpp"

namespace backlit::cuda {
namespace {

/// Size of a batch of copied views: each batch is a pass over the volume.
constexpr std::int64_t batch_bytes = std::int64_t{256} << 20;

/// Size of the table of paths: it holds the rays of as many views as fit.
constexpr std::int64_t path_table_bytes = std::int64_t{128} << 20;

/// Largest number of views for SART's correction in one pass: with more, sums of ones cost more than a second pass.
constexpr std::int64_t most_relaxed = 4;

std::int64_t batch_of(const Detector& d, std::int64_t bytes_a_pixel, std::int64_t most) {
  return std::clamp<std::int64_t>(batch_bytes / (d.pixels() * bytes_a_pixel), 1, most);
}

template <class T>
void replace(Stream& stream, DeviceBuffer<T>& to, std::span<const T> from) {
  if (to.count() != std::ssize(from)) to = DeviceBuffer<T>(std::ssize(from));
  upload(stream, to.data(), from.data(), from.size_bytes());
}

}  // namespace

Transpose::Transpose(Stream& stream, const VolumeGrid& grid, const Scan& scan, ProjectedViews& views,
                     std::vector<int> axes)
    : stream_(stream), grid_(grid), views_(views), axes_(std::move(axes)), items_(scan.view_count()) {
  place(scan);
}

void Transpose::place(const Scan& scan) {
  scan_ = scan;
  refusal_ = column_rays_refusal(scan, grid_, axes_);
  kernel_ = refusal_.empty()                                                    ? Kernel::columns
            : scan.detector.shape == Detector::Shape::flat && !views_.clipped() ? Kernel::flat
                                                                                : Kernel::table;
  has_columns_ = has_flat_ = false;
}

std::string Transpose::variant() const {
  if (kernel_ == Kernel::columns) return "transposed by columns";
  return (kernel_ == Kernel::flat ? "transposed by pixels: " : "transposed by the table of rays: ") + refusal_;
}

void Transpose::make_columns() {
  if (has_columns_) return;
  columns_ = column_rays(scan_, grid_, axes_);
  replace<ColumnRayView>(stream_, column_views_, columns_.views);
  replace<ColumnRay>(stream_, column_rays_, columns_.rays);
  columns_.views.clear();
  columns_.rays = {};
  has_columns_ = true;
}

void Transpose::make_flat() {
  if (has_flat_) return;
  replace<FlatView>(stream_, flat_views_, flat_views(scan_, grid_));
  has_flat_ = true;
}

GatherTask Transpose::task(std::span<const int> items) { return task(items_.put(stream_, items), std::ssize(items)); }

GatherTask Transpose::task(const int* items, std::int64_t count) const {
  const Detector& d = scan_.detector;
  const double most = std::ceil(columns_.most_rows - 1e-6);
  return {column_views_.data(),
          column_rays_.data(),
          items,
          static_cast<int>(count),
          static_cast<int>(d.columns),
          static_cast<int>(d.rows),
          static_cast<int>(std::clamp(most, 1.0, 1e6)),
          columns_.flat,
          columns_.parallel,
          longest()};
}

FlatTask Transpose::flat_task(const int* items, std::int64_t count) const {
  const Detector& d = scan_.detector;
  return {flat_views_.data(),       items,
          static_cast<int>(count),  static_cast<int>(d.columns),
          static_cast<int>(d.rows), scan_.beam() == Beam::parallel};
}

float Transpose::longest() const {
  return static_cast<float>(std::sqrt(1 + most_sideways * most_sideways) *
                            std::max({grid_.spacing.x, grid_.spacing.y, grid_.spacing.z}));
}

GatheredVolume Transpose::target(float* volume, bool accumulate) const {
  return {volume,
          {static_cast<int>(grid_.size[0]), static_cast<int>(grid_.size[1]), static_cast<int>(grid_.size[2])},
          accumulate};
}

/// Calls run(items, their count, task, whether it is the first batch) for batches of the rows' views. Tables are of all
/// rows: a second call with these rows copies nothing.
template <class Run>
void Transpose::for_batches(const float* projections, const SubsetRows& rows, Run&& run) {
  const std::vector<ProjectedView> all = views_.of(rows);
  const std::int64_t batch = batch_of(scan_.detector, sizeof(float), scan_.view_count());
  const Detector& d = scan_.detector;
  const std::int64_t values = batch * d.rows * flat_pitch(static_cast<int>(d.columns));
  if (weighed_.count() < values) weighed_ = DeviceBuffer<float>(values);
  std::vector<int> rows_of_scan;
  for (std::int64_t i = 0; i < rows.count(); ++i) rows_of_scan.push_back(static_cast<int>(rows.row(i)));
  const int* const items = items_.put(stream_, rows_of_scan);
  const ProjectionTask whole = views_.task(const_cast<float*>(projections), all);  // only read
  for (std::int64_t first = 0; first < rows.count(); first += batch) {
    const std::int64_t count = std::min(batch, rows.count() - first);
    ProjectionTask part = whole;
    part.view += first;
    part.views = static_cast<int>(count);
    run(items + first, count, part, first == 0);
  }
}

void Transpose::back(const float* projections, const SubsetRows& rows, float* volume, bool accumulate) {
  if (kernel_ == Kernel::columns) {
    make_columns();
    return for_batches(projections, rows,
                       [&](const int* items, std::int64_t count, const ProjectionTask& views, bool first) {
                         const GatherTask gather = task(items, count);
                         weigh_views(stream_, views, gather, columns_.rows_run_down, weighed_.data());
                         gather_columns(stream_, gather, weighed_.data(), target(volume, accumulate || !first));
                       });
  }
  if (kernel_ == Kernel::flat) {
    make_flat();
    return for_batches(
        projections, rows, [&](const int* items, std::int64_t count, const ProjectionTask& views, bool first) {
          weigh_flat(stream_, views, weighed_.data());
          gather_flat(stream_, flat_task(items, count), weighed_.data(), target(volume, accumulate || !first));
        });
  }
  const ProjectionTask views = views_.task(const_cast<float*>(projections), views_.of(rows));
  backproject_slices(stream_, views, path_table(), scan_.detector.shape == Detector::Shape::flat, volume, accumulate);
}

void Transpose::back_packed(const float* projections, std::int64_t values, std::span<const ProjectedView> groups,
                            std::span<const int> first_views, float* volume, bool accumulate) {
  make_columns();
  const Detector& d = scan_.detector;
  const auto all = static_cast<std::int64_t>(groups.size());
  if (!packed_) {
    const std::int64_t most = std::min(scan_.view_count() / 4, LayeredTextures::layers_per_array);
    packed_ = std::make_unique<LayeredTextures>(d.columns, d.rows, batch_of(d, 8, most), Texel::rgba16f);
  }
  packed_->choose_unit(stream_, projections, values, longest(), {0, packed_->layers()});
  for (std::int64_t first = 0; first < all; first += packed_->layers()) {
    const auto from = static_cast<std::size_t>(first),
               count = static_cast<std::size_t>(std::min(packed_->layers(), all - first));
    const auto part = groups.subspan(from, count);
    const GatherTask gather = task(first_views.subspan(from, count));
    weigh_groups(stream_, views_.task(const_cast<float*>(projections), {part.begin(), part.end()}),
                 columns_.rows_run_down, *packed_);
    gather_orbits(stream_, gather, *packed_, target(volume, accumulate || first > 0));
  }
}

bool Transpose::relax(const float* projections, const SubsetRows& rows, float* volume, float factor, float least) {
  if (kernel_ != Kernel::columns || rows.count() > most_relaxed) return false;
  make_columns();
  const std::int64_t values = 2 * rows.count() * scan_.detector.pixels();
  if (weighed_.count() < values) weighed_ = DeviceBuffer<float>(values);
  std::vector<int> items;
  for (std::int64_t i = 0; i < rows.count(); ++i) items.push_back(static_cast<int>(rows.row(i)));
  const GatherTask gather = task(items);
  auto* const weighed = reinterpret_cast<float2*>(weighed_.data());
  weigh_views(stream_, views_.task(const_cast<float*>(projections), views_.of(rows)), gather, columns_.rows_run_down,
              weighed);
  relax_columns(stream_, gather, weighed, factor, least, target(volume, false));
  return true;
}

/// Allocates the table at first use.
PathTable Transpose::path_table() {
  const std::int64_t pixels = scan_.detector.pixels();
  const std::int64_t bytes = pixels * static_cast<std::int64_t>(sizeof(float4) + sizeof(float2));
  const std::int64_t views = std::clamp<std::int64_t>(path_table_bytes / bytes, 1, views_.count());
  if (places_.count() == 0) {
    places_ = DeviceBuffer<float4>(views * pixels);
    lengths_ = DeviceBuffer<float2>(views * pixels);
  }
  if (views_.clipped() && starts_.count() == 0) starts_ = DeviceBuffer<float2>(views * pixels);
  return {static_cast<int>(views), places_.data(), lengths_.data(), starts_.data()};
}

}  // namespace backlit::cuda
