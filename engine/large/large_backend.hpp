// A backend whose volumes and scans may be larger than its device.
#pragma once

#include <backlit/device/neighbour_penalty.hpp>
#include <backlit/projectors/emission/emission_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/projectors/sart_in_place/view_sart.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include "large/cut.hpp"
#include "large/large_array.hpp"

namespace backlit {

/// Forwards all calls to `device`. CT operators and arrays that exceed the layers of its textures or the budget are
/// processed in parts (LargeOperator). Half of the budget holds arrays between calls, the other half is for the slab at
/// work. Arrays beyond the first half lie in host memory.
class LargeBackend final : public Backend, public NeighbourOperations {
 public:
  /// `memory_bytes`: the budget; 0: the device's memory where it is known.
  explicit LargeBackend(std::unique_ptr<Backend> device, std::int64_t memory_bytes = 0);

  /// So many processes use the card: the budget becomes this one's share, unless one was given.
  void share_card(std::int64_t processes);

  Backend& innermost() override { return device_->innermost(); }
  std::string name() const override { return device_->name(); }
  std::string device() const override { return device_->device(); }
  Capabilities capabilities() const override;

  NeighbourOperations* neighbours() override { return device_->neighbours() ? this : nullptr; }
  /// Work on a few slices at a time, with one more on each side. Volumes in parts are copied through host memory.
  void stiffness(const NeighbourPenalty&, const DeviceArray& x, const DeviceArray& d, DeviceArray& y) override;
  void ascend(const Differences&, const DeviceArray& x, float step, float radius, const Field& z) override;
  void descend(const Differences&, const Field& z, const Descent&) override;

  ArrayPtr make_array(const ArrayShape& shape) override { return device_->make_array(shape); }
  ArrayPtr make_like(const DeviceArray&) override;
  ArrayPtr rows(DeviceArray&, std::int64_t first, std::int64_t count) override;
  void upload(std::span<const float> host, DeviceArray&) override;
  void download(const DeviceArray&, std::span<float> host) override;
  bool download_rows(const DeviceArray&, std::int64_t first, std::span<float> host) override;
  std::int64_t stored_bytes(const DeviceArray&) const override;  ///< arrays in parts are stored as floats
  void store(const DeviceArray&, std::span<std::byte> host) override;
  void restore(std::span<const std::byte> host, DeviceArray&) override;

  void fill(DeviceArray& y, float value) override;
  void copy(const DeviceArray& x, DeviceArray& y) override;
  void scale(DeviceArray& y, float a) override;
  void axpy(float a, const DeviceArray& x, DeviceArray& y) override;
  void subtract_from(const DeviceArray& x, DeviceArray& y) override;
  void multiply(const DeviceArray& x, DeviceArray& y) override;
  void divide(const DeviceArray& x, DeviceArray& y, float floor) override;
  void clamp(DeviceArray& y, float low, float high) override;
  void exponential(DeviceArray& y) override;
  double dot(const DeviceArray& x, const DeviceArray& y) override;
  void add_square(const DeviceArray& x, DeviceArray& total) override;
  double sum(const DeviceArray& x) override;
  float maximum(const DeviceArray& x) override;

  /// Throws what find_cut() throws.
  std::unique_ptr<LinearOperator> make_ct(const VolumeGrid&, const Scan&, const CtOptions&) override;
  /// For a volume that is cut: whether the device supports its slabs.
  Support supports(const VolumeGrid&, const Scan&, const CtOptions&) override;
  std::int64_t plan_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                          std::int64_t views) const override {
    return device_->plan_bytes(grid, scan, options, views);
  }
  /// For volumes that fit whole. Throws InputError("gpu_memory"), with the size that fits, for larger ones.
  std::unique_ptr<LinearOperator> make_emission(const VolumeGrid&, const Scan&, std::span<const float> attenuation,
                                                const EmissionOptions&) override;
  std::unique_ptr<ProjectionFilter> make_filter(const Scan&, const FilterOptions&) override;
  /// For volumes that fit whole. Throws InputError("gpu_memory") for larger ones.
  std::unique_ptr<ViewSart> make_view_sart(const VolumeGrid&, const Scan&, const ViewSartOptions&) override;
  /// The device's own pipeline, which itself cuts volumes that exceed the budget.
  std::unique_ptr<FdkPipeline> make_fdk_pipeline(const Scan& scan, const VolumeGrid& grid,
                                                 const FdkPipelineOptions& options) override {
    return device_->make_fdk_pipeline(scan, grid, options);
  }
  void activate() override { device_->activate(); }
  void send(const DeviceArray& from, Backend& to, DeviceArray& into) override { device_->send(from, to, into); }
  std::shared_ptr<std::byte> host_memory(std::int64_t bytes) override { return device_->host_memory(bytes); }
  void finish() override { device_->finish(); }
  void time_passes(bool on) override { device_->time_passes(on); }
  PassTimes pass_times() override { return device_->pass_times(); }

 private:
  /// Calls f(part of x on the device, part of y on the device) for each part of y. x is first divided like y.
  template <class F>
  void for_parts(const DeviceArray& x, const DeviceArray& y, Access, F&& f);
  /// An operator packed by quarter turns, if all views fit the device at once, or some views of a scan in the order of
  /// its groups. Null otherwise.
  std::unique_ptr<LinearOperator> make_packed(const VolumeGrid&, const Scan&, const CtOptions&);
  /// The cut with all views at a time. Throws when the device does not support packing, or when the memory has no room
  /// for it.
  Cut find_packed_cut(const VolumeGrid&, const Scan&, const CtOptions&) const;

  std::unique_ptr<Backend> device_;
  bool given_;  ///< the budget
  std::int64_t memory_;
  std::shared_ptr<Budget> budget_;
};

}  // namespace backlit
