#include "cuda/lines_of_response/operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/projectors/require.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "cuda/device/cuda_array.hpp"
#include "cuda/lines_of_response/project.hpp"
#include "cuda/projectors.hpp"

namespace backlit::cuda {
namespace {

template <class T>
PoolBuffer<T> copied(Stream& stream, std::span<const T> host) {
  PoolBuffer<T> buffer(stream, static_cast<std::int64_t>(host.size()));
  if (!host.empty())
    BACKLIT_CUDA(cudaMemcpyAsync(buffer.data(), host.data(), host.size_bytes(), cudaMemcpyHostToDevice, stream));
  return buffer;
}

class CudaLines final : public LinearOperator {
 public:
  CudaLines(CudaBackend& backend, const VolumeGrid& grid, const LineList& lines, const LineOptions& options,
            const LineVariant& variant)
      : backend_(backend),
        grid_(grid),
        options_(options),
        with_tof_(!lines.tof_mm.empty()),
        thin_(options.line == LineOptions::Line::joseph),
        variant_(variant) {
    const bool gaussian =
        std::ranges::all_of(options.kernels, [](const TubeKernel& k) { return k.gauss_sigma_mm > 0; });
    if (variant_.gaussian && !gaussian) throw Unsupported("variant", "not all tubes are Gaussians", "choose table");
    by_table_ = !thin_ && (!gaussian || variant_.table);
    if (variant_.study() && (thin_ || by_table_))
      throw Unsupported("variant", fmt::format("'{}' is for Gaussian tubes", variant_.words), "leave it out");
    if (variant_.study()) options_.sums = variant_.floating() ? Sums::floating : Sums::fixed;
    keep_pool();
    make_tables();
    make_plan(lines);
    prepare(stream(), scratch_, plan_->lines(), grid_.voxels());
  }

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return {1, 1, plan_->lines()}; }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array({1, 1, rows}); }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    require_domain(x);
    const SubsetRows rows(range(), subset, y.shape());
    const bool add = write == Write::accumulate;
    if (is_all(subset)) return run_forward(x, ours(y).data(), add);
    make_rows();
    run_forward(x, rows_.data(), false);
    take_rows(stream(), rows_of(subset, y), rows_.data(), ours(y).data(), add);
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    require_domain(x);
    const SubsetRows rows(range(), subset, y.shape());
    const bool add = write == Write::accumulate;
    if (is_all(subset)) return run_back(ours(y).data(), x, add);
    make_rows();
    spread_rows(stream(), rows_of(subset, y), ours(y).data(), rows_.data(), rows_.count());
    run_back(rows_.data(), x, add);
  }

  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    backend_.fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
    backend_.finish();
  }

  bool matched() const override { return true; }
  std::string variant() const override {
    return fmt::format("{}{}, {} sums{}{}", describe(options_, with_tof_), by_table_ ? ", table" : "",
                       options_.sums == Sums::fixed ? "fixed" : "floating", *variant_.words ? ", " : "",
                       variant_.words);
  }

 private:
  Stream& stream() { return backend_.stream(); }
  bool is_all(const Subset& s) const { return s.first == 0 && s.stride == 1 && s.count == plan_->lines(); }
  void require_domain(const DeviceArray& x) const {
    if (x.shape() != domain()) throw Failure("cuda", "the image's array does not have the operator's shape");
  }
  LineWork work() const { return {options_.sums, thin_, variant_}; }
  void make_rows() {
    if (rows_.count() != plan_->lines()) rows_ = PoolBuffer<float>(stream(), plan_->lines());
  }
  RowsOf rows_of(const Subset& s, const DeviceArray& y) const {
    return {s.first, s.count, s.stride, y.shape().n2 != plan_->lines()};
  }
  void run_forward(const DeviceArray& x, float* y, bool accumulate) {
    forward_lines(stream(), *plan_, tables_, scratch_, work(), ours(x).data(), grid_.voxels(), y, accumulate);
  }
  void run_back(const float* y, DeviceArray& x, bool accumulate) {
    back_lines(stream(), *plan_, tables_, scratch_, work(), y, ours(x).data(), grid_.voxels(), accumulate);
  }

  void make_tables() {
    const LorGrid grid = lor_grid(grid_);
    std::vector<float> weights;
    double most = thin_ ? glm::length(grid_.spacing) : 0;
    for (const TubeKernel& k : options_.kernels) {
      if (thin_) break;
      TubeTable t;
      t.radius = static_cast<float>(k.radius_mm);
      t.entry_per_mm2 = static_cast<float>(k.entry_per_mm2());
      if (!by_table_)
        t.gauss_per_mm2 = static_cast<float>(1 / (2 * k.gauss_sigma_mm * k.gauss_sigma_mm * std::log(2.0)));
      t.peak = k.table.front();
      tubes_.push_back(t);
      weights.insert(weights.end(), k.table.begin(), k.table.end());
      most = std::max(most, grid.voxel_mm3() * static_cast<double>(*std::ranges::max_element(k.table)));
    }
    if (thin_) tubes_ = {TubeTable{}};
    std::vector<float> tof;
    TofTable table;
    if (with_tof_) {
      const double reach = options_.tof.reach();
      table.entry_per_mm = static_cast<float>(TofTable::entries / reach);
      table.reach_mm = static_cast<float>(reach);
      for (int i = 0; i <= TofTable::entries; ++i)  // so that the cut lies within the last entry
        tof.push_back(
            static_cast<float>(tof_weight(options_.tof, std::min(i * reach / TofTable::entries, reach * (1 - 1e-9)))));
      most *= *std::ranges::max_element(tof);
    }
    weights_ = copied<float>(stream(), weights);
    device_tubes_ = copied<TubeTable>(stream(), tubes_);
    tof_ = copied<float>(stream(), tof);
    stream().wait();
    const double slices = static_cast<double>(*std::ranges::max_element(grid_.size));
    const double taps = tap_classes[tap_class_count - 1];
    tables_ = {by_table_ ? weights_.data() : nullptr,
               device_tubes_.data(),
               tof_.data(),
               table,
               static_cast<float>(grid.voxel_mm3()),
               static_cast<float>(1.001 * most),
               static_cast<float>(1.001 * most * slices * taps * taps)};
  }

  void make_plan(const LineList& lines) {
    static_assert(sizeof(glm::vec3) == sizeof(float3));
    const auto points =
        copied<float3>(stream(), {reinterpret_cast<const float3*>(lines.points.data()), lines.points.size()});
    const auto first = copied(stream(), lines.first), second = copied(stream(), lines.second);
    const auto tof = copied(stream(), lines.tof_mm);
    const auto kernel = copied(stream(), lines.kernel);
    const LorGrid grid = lor_grid(grid_);
    auto records = make_records(stream(), grid, points.data(), first.data(), second.data(), tof.data(),
                                thin_ ? nullptr : kernel.data(), lines.count());
    int device = 0, all = 0, reserved = 0;
    BACKLIT_CUDA(cudaGetDevice(&device));
    BACKLIT_CUDA(cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
    BACKLIT_CUDA(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device));
    LinePlanOptions options;
    options.order = variant_.order;
    options.blocks_per_sm = variant_.blocks;
    options.items_per_slot = variant_.pieces;
    options.shared_floats = (all / options.blocks_per_sm - reserved) / static_cast<int>(sizeof(float)) -
                            block_scratch_floats - (by_table_ ? 2 * tube_entries : 0) -
                            (with_tof_ ? TofTable::entries + 4 : 0);
    plan_ = std::make_unique<LinePlan>(stream(), grid, std::move(records), tubes_, tables_.tof_table, options);
    stream().wait();
  }

  CudaBackend& backend_;
  VolumeGrid grid_;
  LineOptions options_;
  bool with_tof_, thin_, by_table_ = false;
  LineVariant variant_;
  std::vector<TubeTable> tubes_;
  PoolBuffer<float> weights_, tof_, rows_;
  PoolBuffer<TubeTable> device_tubes_;
  LineTables tables_{};
  std::unique_ptr<LinePlan> plan_;
  LineScratch scratch_;
};

}  // namespace

std::unique_ptr<LinearOperator> make_line_operator(CudaBackend& backend, const VolumeGrid& grid, const LineList& lines,
                                                   const LineOptions& options, const LineVariant& variant) {
  return std::make_unique<CudaLines>(backend, grid, lines, options, variant);
}

ProjectorInfo lines_of_response_cuda() {
  ProjectorInfo info;
  info.model = Model::lines_of_response;
  info.device = "cuda";
  info.errors = {3e-4};  // sums in integers
  info.make_lines = [](Backend& backend, const VolumeGrid& grid, const LineList& lines, const LineOptions& options) {
    return make_line_operator(dynamic_cast<CudaBackend&>(backend), grid, lines, options);
  };
  return info;
}

}  // namespace backlit::cuda
