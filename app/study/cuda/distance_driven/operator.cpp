#include "study/cuda/distance_driven/operator.hpp"

#include <algorithm>
#include <type_traits>

#include <backlit/core/error.hpp>
#include "cuda/device/layered_textures.hpp"
#include "cuda/distance_driven/column_sums.hpp"
#include "cuda/distance_driven/operator.hpp"
#include "study/cuda/distance_driven/areas.hpp"

namespace backlit::cuda {
namespace {

const std::vector<std::string>& variants() {
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

struct AreaOptions {
  Share share;
  bool hardware, less_mean, compensated;
};

/// Options in a variant's name: how corners are shared, whether means are subtracted, the type of an entry.
AreaOptions area_options(const CtOptions& ct) {
  const auto says = [&](const char* word) { return ct.variant.find(word) != std::string::npos; };
  const bool compensated = says(",compensated");
  const Share share = !ct.variant.starts_with("bz") ? Share::none
                      : says(",shared")             ? Share::shared_memory
                      : says(",shuffles")           ? Share::shuffles
                                                    : Share::registers;
  return {share, ct.precision == Precision::fast && !compensated, !says(",plain"), compensated};
}

/// Tables summed in both directions, with sums along of type Sum and entries of type Entry. Tables exist for every
/// stack of slabs that a call needs, and for a batch of views.
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
                        "leave the variant out");
  }

  std::string variant() const override {
    static constexpr const char* names[] = {"bl", "bz", "bz,shared", "bz,shuffles"};
    return fmt::format("branchless_dd {}{}{}{}", names[static_cast<int>(options_.share)],
                       options_.less_mean ? "" : ",plain", options_.compensated ? ",compensated" : "",
                       options_.hardware ? "" : " in software");
  }
  /// Footprints are rectangles in the slab along one axis and on the detector along the other.
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
    // Rays are about as long in a slab as the slab is thick: the subtracted value need not be the exact mean.
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
    if (!textures)  // first use
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

bool is_area(const CtOptions& o) { return o.variant.starts_with("bl") || o.variant.starts_with("bz"); }

std::int64_t bytes_of(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const std::int64_t product = distance_driven_bytes(grid, scan, options);
  const std::int64_t columns = grid.size[0] * grid.size[1] * (grid.size[2] + 2) * std::int64_t{sizeof(float)};
  if (options.variant == "db") return product + columns;
  if (!is_area(options)) return product;
  return DistanceDrivenViews::bytes(scan) + (area_options(options).compensated ? 4 : 3) * (columns + most_bytes);
}

std::unique_ptr<LinearOperator> make(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                     const CtOptions& options) {
  if (options.variant == "db") return std::make_unique<ColumnSums<double>>(backend, grid, scan);
  if (!is_area(options)) return make_distance_driven_operator(backend, grid, scan, options);
  const AreaOptions areas = area_options(options);
  if (areas.compensated) return std::make_unique<SummedAreas<double, TwoFloats>>(backend, grid, scan, areas);
  return std::make_unique<SummedAreas<float, float>>(backend, grid, scan, areas);
}

}  // namespace

ProjectorInfo studied_branchless_dd() {
  ProjectorInfo info = *find_projector("cuda", Model::branchless_dd);
  info.studied = true;
  info.knows = [](const std::string& name) { return std::ranges::find(variants(), name) != variants().end(); };
  info.variants = [] {
    std::vector<CtOptions> all;
    for (const std::string& variant : variants())
      all.push_back({Model::branchless_dd, Precision::fast, Packing::none, Weighting::none, variant});
    return all;
  };
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return make(dynamic_cast<CudaBackend&>(backend), grid, scan, options);
  };
  info.bytes = [](const Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions& options, std::int64_t) {
    return bytes_of(grid, scan, options);
  };
  return info;
}

}  // namespace backlit::cuda
