#include "cuda/distance_driven/operator.hpp"

#include <fmt/format.h>

#include <type_traits>

#include <backlit/core/error.hpp>
#include <backlit/device/unsupported.hpp>
#include "cuda/device/layered_textures.hpp"
#include "cuda/distance_driven/areas.hpp"
#include "cuda/distance_driven/base.hpp"
#include "cuda/distance_driven/branching.hpp"
#include "cuda/projectors.hpp"

namespace backlit::cuda {
namespace {

/// Memory for the tables of a batch of views, and for first columns; what does not fit goes in batches. Larger ones
/// lose the L2 cache: warps drift apart over thousands of views.
constexpr std::int64_t most_bytes = std::int64_t{128} << 20;
/// These stay in a cache of 50 MB while warps work on them.
constexpr std::int64_t cached_bytes = std::int64_t{32} << 20;

std::int64_t views_at_once(const Scan& scan, std::int64_t bytes_a_view, std::int64_t bytes = most_bytes) {
  return std::clamp<std::int64_t>(bytes / bytes_a_view, 1, scan.view_count());
}

/// Smaller tables are read faster, but each batch passes over the volume once more.
std::int64_t table_bytes(const VolumeGrid& grid) {
  return std::clamp(grid.voxels() * static_cast<std::int64_t>(sizeof(float)) / 4, cached_bytes, most_bytes);
}

int narrow(std::int64_t n) { return static_cast<int>(n); }

/// First columns of a view's tiles, at most.
template <class T>
std::int64_t tiles_a_view(const VolumeGrid& g) {
  return std::max(g.size[0] * tiles<T>(narrow(g.size[1])), g.size[1] * tiles<T>(narrow(g.size[0])));
}

class Branching final : public DistanceDriven {
 public:
  using DistanceDriven::DistanceDriven;
  std::string variant() const override { return "distance_driven bs"; }

 private:
  void add_forward(const CudaArray& volume, const Call& call, float* projections, bool accumulate) override {
    for (const int axis : {0, 1})
      in_parts(call, axis, most_blocks, [&](const SeenView* views, int count) {
        project_branching(stream(), plan(), views, count, volume.data(), projections, accumulate);
      });
  }
  void add_back(const CudaArray& projections, const Call& call, float* volume, bool accumulate) override {
    for (const int axis : {0, 1})
      backproject_branching(stream(), plan(), call.of(axis), call.count(axis), axis, projections.data(), volume,
                            accumulate || axis > 0);
  }
};

/// Sums along voxel columns and along the rows of views, in T.
template <class T>
class ColumnSums final : public DistanceDriven {
 public:
  ColumnSums(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan)
      : DistanceDriven(backend, grid, scan),
        batch_(views_at_once(
            scan,
            std::max(scan.detector.columns * (scan.detector.rows + 2) * static_cast<std::int64_t>(sizeof(T)),
                     tiles_a_view<T>(grid) * static_cast<std::int64_t>(sizeof(int))),
            table_bytes(grid))),
        voxels_(grid.size[0] * grid.size[1] * (grid.size[2] + 2)) {}

  std::string variant() const override { return fmt::format("branchless_dd {}", sizeof(T) == 4 ? "bc" : "db"); }

 private:
  void add_forward(const CudaArray& volume, const Call& call, float* projections, bool accumulate) override {
    sum_slices(stream(), plan(), volume.data(), 0, voxels_.data());
    for (const int axis : {0, 1})
      in_parts(call, axis, most_blocks, [&](const SeenView* views, int count) {
        project_columns(stream(), plan(), views, count, voxels_.data(), projections, accumulate);
      });
  }

  void add_back(const CudaArray& projections, const Call& call, float* volume, bool accumulate) override {
    if (sums_.count() == 0) {  // the transpose is wanted for the first time
      sums_ = DeviceBuffer<T>(batch_ * detector_.columns * (detector_.rows + 2));
      first_ = DeviceBuffer<int>(batch_ * tiles_a_view<T>(grid_));
    }
    BACKLIT_CUDA(cudaMemsetAsync(voxels_.data(), 0, voxels_.bytes(), stream()));
    for (const int axis : {0, 1})
      in_parts(call, axis, batch_, [&](const SeenView* views, int count) {
        sum_rows(stream(), plan(), views, count, projections.data(), 0, sums_.data());
        find_columns<T>(stream(), plan(), views, count, axis, first_.data());
        backproject_columns(stream(), plan(), views, count, axis, first_.data(), sums_.data(), voxels_.data());
      });
    turn_columns(stream(), plan(), voxels_.data(), volume, accumulate);
  }

  std::int64_t batch_;
  DeviceBuffer<T> voxels_;  ///< forward: sums along z; back: what views add to voxel columns
  DeviceBuffer<T> sums_;
  DeviceBuffer<int> first_;
};

struct AreaOptions {
  Share share;
  bool hardware, less_mean, compensated;
};

/// What a variant's name says: how corners are shared, what is taken away first, what an entry keeps.
AreaOptions area_options(const CtOptions& ct) {
  const auto says = [&](const char* word) { return ct.variant.find(word) != std::string::npos; };
  const bool compensated = says(",compensated");
  const Share share = !ct.variant.starts_with("bz") ? Share::none
                      : says(",shared")             ? Share::shared_memory
                      : says(",shuffles")           ? Share::shuffles
                                                    : Share::registers;
  return {share, ct.precision == Precision::fast && !compensated, !says(",plain"), compensated};
}

/// Tables summed in both directions, of Sums along kept as Entries: of every stack of slabs that a call needs, and of a
/// batch of views.
template <class Sum, class Entry>
class SummedAreas final : public DistanceDriven {
 public:
  SummedAreas(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const AreaOptions& options)
      : DistanceDriven(backend, grid, scan),
        options_(options),
        batch_(std::min<std::int64_t>(
            LayeredTextures::layers_per_array,
            views_at_once(scan, (scan.detector.columns + 2) * (scan.detector.rows + 2) * std::int64_t{sizeof(Entry)}))),
        columns_(std::max(grid.size[0] * grid.size[1] * (grid.size[2] + 2),
                          batch_ * scan.detector.columns * (scan.detector.rows + 2))),
        areas_(std::max({grid.size[1] * (grid.size[0] + 2) * (grid.size[2] + 2),
                         grid.size[0] * (grid.size[1] + 2) * (grid.size[2] + 2),
                         batch_ * (scan.detector.columns + 2) * (scan.detector.rows + 2)})) {
    if (options.hardware && std::max(grid.size[0], grid.size[1]) > LayeredTextures::layers_per_array)
      throw Unsupported("volume",
                        fmt::format("{} x {} voxels: layered textures end at {} slabs", grid.size[0], grid.size[1],
                                    LayeredTextures::layers_per_array),
                        "use --variant bc");
  }

  std::string variant() const override {
    static constexpr const char* names[] = {"bl", "bz", "bz,shared", "bz,shuffles"};
    return fmt::format("branchless_dd {}{}{}{}", names[static_cast<int>(options_.share)],
                       options_.less_mean ? "" : ",plain", options_.compensated ? ",compensated" : "",
                       options_.hardware ? "" : " in software");
  }
  /// Footprints are rectangles in the slab one way and on the detector the other.
  bool matched() const override { return false; }

 private:
  void add_forward(const CudaArray& volume, const Call& call, float* projections, bool accumulate) override {
    const float mean =
        options_.less_mean ? static_cast<float>(backend_.sum(volume) / static_cast<double>(volume.count())) : 0.0f;
    sum_slices(stream(), plan(), volume.data(), mean, columns_.data());
    for (const int axis : {0, 1}) {
      if (call.count(axis) == 0) continue;
      const std::int64_t line = plan().size[2] + 2, nx = plan().size[0];
      const Areas<Entry> areas =
          tabulate({plan().slabs(axis), plan().across(axis), plan().size[2] + 1, axis == 0 ? line : nx * line,
                    axis == 0 ? nx * line : line, options_.less_mean},
                   mean, stacks_[axis]);
      in_parts(call, axis, most_blocks, [&](const SeenView* views, int count) {
        project_areas(stream(), plan(), views, count, axis, areas, options_.share, projections, accumulate);
      });
    }
  }

  void add_back(const CudaArray& projections, const Call& call, float* volume, bool accumulate) override {
    // Rays are about as long in a slab as a slab is thick: what is taken away need not be the very mean.
    const double slab = std::min(grid_.spacing.x, grid_.spacing.y);
    const float mean =
        options_.less_mean
            ? static_cast<float>(slab * backend_.sum(projections) / static_cast<double>(projections.count()))
            : 0.0f;
    bool add = accumulate;
    for (const int axis : {0, 1})
      in_parts(call, axis, batch_, [&](const SeenView* views, int count) {
        sum_rows(stream(), plan(), views, count, projections.data(), mean, columns_.data());
        const std::int64_t line = plan().rows + 2;
        const Areas<Entry> areas = tabulate(
            {count, plan().columns, plan().rows + 1, line * plan().columns, line, options_.less_mean}, mean, images_);
        backproject_areas(stream(), plan(), views, count, axis, areas, options_.share, volume, add);
        add = true;
      });
    if (!add)
      BACKLIT_CUDA(cudaMemsetAsync(volume, 0, static_cast<std::size_t>(grid_.voxels()) * sizeof(float), stream()));
  }

  using Textures = std::unique_ptr<LayeredTextures>;

  Areas<Entry> tabulate(const SumsAlong& along, float mean, Textures& textures) {
    sum_areas(stream(), along, columns_.data(), areas_.data());
    Areas<Entry> result{0, areas_.data(), along.count, along.edges - 1, mean};
    if constexpr (std::is_same_v<Entry, float>)
      if (options_.hardware) result.texture = fill(along, textures);
    return result;
  }

  cudaTextureObject_t fill(const SumsAlong& along, Textures& textures) requires std::is_same_v<Entry, float> {
    const std::int64_t row = along.count + 2;
    if (!textures)  // wanted for the first time
      textures = std::make_unique<LayeredTextures>(along.count + 1, along.edges,
                                                   &textures == &images_ ? batch_ : along.images, Texel::r32f);
    textures->fill(stream(), {areas_.data(), row, row * (along.edges + 1), nullptr}, 0, along.images);
    return textures->texture(0);
  }

  AreaOptions options_;
  std::int64_t batch_;
  DeviceBuffer<Sum> columns_;
  DeviceBuffer<Entry> areas_;
  Textures stacks_[2], images_;
};

}  // namespace

const std::vector<std::string>& branchless_variants() {
  static const std::vector<std::string> names{"bc",
                                              "bl",
                                              "bl,compensated",
                                              "bl,plain",
                                              "bl,plain,compensated",
                                              "bz",
                                              "bz,compensated",
                                              "bz,plain",
                                              "bz,plain,compensated",
                                              "bz,shared",
                                              "bz,shuffles",
                                              "db"};
  return names;
}

std::int64_t distance_driven_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const std::int64_t columns = grid.size[0] * grid.size[1] * (grid.size[2] + 2) * std::int64_t{sizeof(float)};
  const std::int64_t views = DistanceDrivenViews::bytes(scan);
  if (options.model == Model::distance_driven) return views;
  if (options.variant.starts_with("bl") || options.variant.starts_with("bz"))
    return views + (area_options(options).compensated ? 4 : 3) * (columns + most_bytes);
  return views + (options.variant == "db" ? 2 : 1) * columns + 2 * most_bytes;
}

std::unique_ptr<LinearOperator> make_distance_driven_operator(CudaBackend& backend, const VolumeGrid& grid,
                                                              const Scan& scan, const CtOptions& options) {
  if (options.model == Model::distance_driven) return std::make_unique<Branching>(backend, grid, scan);
  if (options.variant == "db") return std::make_unique<ColumnSums<double>>(backend, grid, scan);
  if (options.variant.empty() || options.variant == "bc")
    return std::make_unique<ColumnSums<float>>(backend, grid, scan);
  const AreaOptions areas = area_options(options);
  if (areas.compensated) return std::make_unique<SummedAreas<double, TwoFloats>>(backend, grid, scan, areas);
  return std::make_unique<SummedAreas<float, float>>(backend, grid, scan, areas);
}

namespace {

ProjectorInfo distance_driven_info(Model model, const std::vector<std::string>& variants) {
  ProjectorInfo info;
  info.model = model;
  info.device = "cuda";
  info.precisions = {Precision::exact, Precision::fast};
  info.make = [variants](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    require_variant(backend, options.variant, variants);
    return make_distance_driven_operator(dynamic_cast<CudaBackend&>(backend), grid, scan, options);
  };
  info.bytes = [](const Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions& options, std::int64_t) {
    return distance_driven_bytes(grid, scan, options);
  };
  info.variants = [model, variants] {
    std::vector<CtOptions> all;
    for (const std::string& variant : variants)
      all.push_back({model, Precision::fast, Packing::none, Weighting::none, variant});
    if (all.empty()) all.push_back({model, Precision::fast, Packing::none});
    return all;
  };
  return info;
}

}  // namespace

ProjectorInfo distance_driven_cuda() { return distance_driven_info(Model::distance_driven, {}); }
ProjectorInfo branchless_dd_cuda() { return distance_driven_info(Model::branchless_dd, branchless_variants()); }

}  // namespace backlit::cuda
