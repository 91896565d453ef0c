#include <algorithm>

#include "cuda/voxel_driven/backprojector.hpp"
#include "cuda/voxel_driven/ct_operator.hpp"
#include "study/cuda/orbit_mma.hpp"

namespace backlit::cuda {
namespace {

constexpr std::int64_t memory_share = 4;  // share of the memory budget for packed views: 1/4

Unsupported refused(const std::string& why) { return {"variant orbit_mma", why, "use --variant orbit"}; }

OrbitLines lines_of(const Scan& scan, const VolumeGrid& grid) {
  OrbitLines lines = make_orbit_lines(scan, grid);
  if (!lines.refusal.empty()) throw refused(lines.refusal);
  return lines;
}

/// Backprojects whole scans by orbits; subsets, which are rarely symmetric, without packing.
class LineBackprojector final : public Backprojector {
 public:
  LineBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : Backprojector(backend, grid, scan, options),
        lines_(lines_of(scan, grid)),
        setup_(choose_setup(lines_, grid.size[2], require_tensor_cores())),
        room_(std::clamp<std::int64_t>(backend.capabilities().memory_bytes / memory_share / bytes_a_group(), 1,
                                       groups())),
        texels_(room_ * texels_a_group()),
        order_(8 * groups()),
        unit_(1, 1, 1, Texel::rgba16f) {
    std::vector<int> order;
    for (const auto& g : lines_.groups) order.insert(order.end(), g.views.begin(), g.views.end());
    BACKLIT_CUDA(
        cudaMemcpyAsync(order_.data(), order.data(), order_.bytes(), cudaMemcpyHostToDevice, backend.stream()));
  }

  std::string variant() const override { return "voxel_driven orbit_mma rgba16f"; }
  bool prefers_whole() const override { return true; }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    if (subset.count < views_ || subset.stride != 1) return of_subsets().back(y, x, subset, write);
    Stream& stream = backend_.stream();
    unit_.choose_unit(stream, ours(y).data(), y.count());
    VolumeSlab target = slab(ours(x), write == Write::accumulate);
    const std::int64_t a_launch = std::min<std::int64_t>(room_, OrbitGroups::capacity);
    auto part = std::make_unique<OrbitGroups>();
    for (std::int64_t first = 0; first < groups(); first += part->count) {
      part->count = static_cast<int>(std::min(a_launch, groups() - first));
      part->first_layer = 0;
      for (int g = 0; g < part->count; ++g) {
        const auto& group = lines_.groups[static_cast<std::size_t>(first + g)];
        part->direction[g] = {group.cosine, group.sine};
      }
      pack_lines(stream, ours(y).data(), detector_, order_.data() + 8 * first, part->count, lines_.scan, lines_.sources,
                 unit_.unit(), texels_.data());
      backproject_lines(stream, texels_.data(), unit_.unit(), weighted_, lines_.scan, setup_, *part, target);
      target.accumulate = true;
    }
  }

 private:
  std::int64_t groups() const { return static_cast<std::int64_t>(lines_.groups.size()); }
  std::int64_t texels_a_group() const { return std::int64_t{2} * lines_.scan.stored_columns * lines_.scan.stored_rows; }
  std::int64_t bytes_a_group() const { return texels_a_group() * static_cast<std::int64_t>(sizeof(LineTexel)); }

  LinearOperator& of_subsets() {
    if (!subsets_) {
      CtOptions options = options_;
      options.variant.clear();
      options.packing = Packing::none;
      subsets_ = make_backprojector(backend_, grid_, scan_, options);
    }
    return *subsets_;
  }

  OrbitLines lines_;
  LineSetup setup_;
  std::int64_t room_;  ///< groups packed at a time
  DeviceBuffer<LineTexel> texels_;
  DeviceBuffer<int> order_;
  LayeredTextures unit_;  ///< it computes the unit
  std::unique_ptr<LinearOperator> subsets_;
};

}  // namespace

std::unique_ptr<LinearOperator> make_line_backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                        const CtOptions& options) {
  return std::make_unique<LineBackprojector>(backend, grid, scan, options);
}

}  // namespace backlit::cuda
