#include "distance_driven/operator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backend/unsupported.hpp"
#include "cuda_array.hpp"
#include "cuda_backend.hpp"
#include "distance_driven/views.hpp"

namespace backlit::cuda {
namespace {

/// Memory for sums along rows and for first columns, each; what does not fit goes in batches of views.
constexpr std::int64_t batch_bytes = std::int64_t{512} << 20;

std::int64_t views_at_once(const VolumeGrid& grid, const Scan& scan, std::int64_t value_bytes) {
  const std::int64_t sums = scan.detector.columns * (scan.detector.rows + 2) * value_bytes;
  const std::int64_t firsts = std::max(grid.size[0] * tiles(static_cast<int>(grid.size[1])),
                                       grid.size[1] * tiles(static_cast<int>(grid.size[0]))) *
                              std::int64_t{sizeof(int)};
  return std::clamp<std::int64_t>(batch_bytes / std::max(sums, firsts), 1, scan.view_count());
}

/// What every variant has in common.
class DistanceDriven : public LinearOperator {
 public:
  DistanceDriven(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan)
      : backend_(backend), grid_(grid), detector_(scan.detector), views_(grid, scan) {}

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_.count()); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  bool matched() const override { return true; }
  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    backend_.fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
  }

 protected:
  CudaBackend& backend_;
  VolumeGrid grid_;
  Detector detector_;
  DistanceDrivenViews views_;
};

/// Sums along voxel columns and along the rows of views, in T.
template <class T>
class ColumnSums final : public DistanceDriven {
 public:
  ColumnSums(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan)
      : DistanceDriven(backend, grid, scan),
        batch_(views_at_once(grid, scan, sizeof(T))),
        voxels_(grid.size[0] * grid.size[1] * (grid.size[2] + 2)) {}

  std::string variant() const override { return fmt::format("branchless_dd {}", sizeof(T) == 4 ? "bc" : "db"); }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    int along_x = 0;
    const SeenView* seen = views_.put(backend_.stream(), rows, along_x);
    sum_slices(backend_.stream(), views_.plan(), ours(x).data(), voxels_.data());
    constexpr std::int64_t most = 65535;
    for (std::int64_t done = 0; done < rows.count(); done += most)
      project_columns(backend_.stream(), views_.plan(), seen + done,
                      static_cast<int>(std::min(most, rows.count() - done)), voxels_.data(), ours(y).data(),
                      write == Write::accumulate);
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    make_scratch();
    int along_x = 0;
    const SeenView* seen = views_.put(backend_.stream(), rows, along_x);
    BACKLIT_CUDA(cudaMemsetAsync(voxels_.data(), 0, voxels_.bytes(), backend_.stream()));
    add_back(ours(y).data(), seen, along_x, 0);
    add_back(ours(y).data(), seen + along_x, static_cast<int>(rows.count()) - along_x, 1);
    turn_columns(backend_.stream(), views_.plan(), voxels_.data(), ours(x).data(), write == Write::accumulate);
  }

 private:
  /// Made when the transpose is first wanted.
  void make_scratch() {
    if (sums_.count() > 0) return;
    sums_ = DeviceBuffer<T>(batch_ * detector_.columns * (detector_.rows + 2));
    first_ = DeviceBuffer<int>(batch_ * std::max(grid_.size[0] * tiles(static_cast<int>(grid_.size[1])),
                                                 grid_.size[1] * tiles(static_cast<int>(grid_.size[0]))));
  }

  /// Views of one main axis.
  void add_back(const float* projections, const SeenView* seen, int count, int axis) {
    for (int done = 0; done < count; done += static_cast<int>(batch_)) {
      const int part = std::min(count - done, static_cast<int>(batch_));
      Stream& stream = backend_.stream();
      sum_rows(stream, views_.plan(), seen + done, part, projections, sums_.data());
      find_columns(stream, views_.plan(), seen + done, part, axis, first_.data());
      backproject_columns(stream, views_.plan(), seen + done, part, axis, first_.data(), sums_.data(), voxels_.data());
    }
  }

  std::int64_t batch_;
  DeviceBuffer<T> voxels_;  ///< forward: sums along z; back: what views add to voxel columns
  DeviceBuffer<T> sums_;
  DeviceBuffer<int> first_;
};

bool in_double(const CtOptions& options) { return options.variant == "db"; }

}  // namespace

const std::vector<std::string>& branchless_variants() {
  static const std::vector<std::string> names{"bc", "db"};
  return names;
}

std::int64_t distance_driven_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const std::int64_t value = in_double(options) ? 8 : 4;
  return grid.size[0] * grid.size[1] * (grid.size[2] + 2) * value + 2 * batch_bytes + DistanceDrivenViews::bytes(scan);
}

std::unique_ptr<LinearOperator> make_distance_driven_operator(CudaBackend& backend, const VolumeGrid& grid,
                                                              const Scan& scan, const CtOptions& options) {
  if (options.packing == Packing::orbit || options.packing == Packing::slices)
    throw Unsupported("packing", "branchless_dd has no packed form", "use --packing auto");
  if (options.precision == Precision::half)
    throw Unsupported("precision", "branchless_dd has no tables of halves", "use --precision exact or fast");
  if (options.weighting == Weighting::fdk)
    throw Unsupported("model", "branchless_dd has no FDK weighting", "choose voxel_driven");
  if (in_double(options)) return std::make_unique<ColumnSums<double>>(backend, grid, scan);
  return std::make_unique<ColumnSums<float>>(backend, grid, scan);
}

}  // namespace backlit::cuda
