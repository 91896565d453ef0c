#include "cuda/voxel_driven/maps.hpp"

#include <algorithm>

namespace backlit::cuda {
namespace {

/// Any views of any detector.
class MapBackprojector final : public LayeredBackprojector {
 public:
  MapBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : LayeredBackprojector(backend, grid, scan, options),
        textures_(detector_.columns, detector_.rows, views_,
                  options.precision == Precision::half ? Texel::r16f : Texel::r32f),
        slots_(views_) {}
  std::string variant() const override {
    return textures_.texel() == Texel::r16f ? "voxel_driven maps r16f" : "voxel_driven maps r32f";
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    std::vector<int> slots;
    for (std::int64_t n = 0; n < rows.count(); ++n) slots.push_back(static_cast<int>(rows.slot(n)));
    upload(slots, slots_);
    ExactViews views = table().upload(backend_.stream(), rows);
    textures_.fill_views(backend_.stream(), ours(y).data(), y.count(), slots_.data(), rows.count());
    constexpr std::int64_t layers = LayeredTextures::layers_per_array;
    for (std::int64_t done = 0; done < rows.count(); done += layers, views.view += layers) {
      views.count = static_cast<int>(std::min(layers, rows.count() - done));
      backproject_maps(backend_.stream(), sampling(textures_, done), views, 0,
                       slab(ours(x), write == Write::accumulate || done > 0));
    }
  }

 private:
  LayeredTextures textures_;
  DeviceBuffer<int> slots_;
};

}  // namespace

std::unique_ptr<LinearOperator> make_map_backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                       const CtOptions& options) {
  return std::make_unique<MapBackprojector>(backend, grid, scan, options);
}

}  // namespace backlit::cuda
