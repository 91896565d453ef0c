// A backend whose volumes and scans may be larger than its device.
#pragma once

#include <backlit/device/neighbour_penalty.hpp>
#include "large/tile.hpp"

namespace backlit {

/// Passes everything on to `device`, but for what is too large for it (its largest texture, or the budget): such
/// operators and their arrays go through it in tiles (TiledOperator), and whoever uses them sees no difference but
/// time. Half of the budget holds arrays between calls, half is for the tiles at work; arrays beyond the first half lie
/// in host memory.
class TiledBackend final : public Backend, public NeighbourOperations {
 public:
  /// `memory_bytes`: the budget; 0 takes the device's own, if it tells.
  explicit TiledBackend(std::unique_ptr<Backend> device, std::int64_t memory_bytes = 0);

  Backend& innermost() override { return device_->innermost(); }
  std::string name() const override { return device_->name(); }
  std::string device() const override { return device_->device(); }
  Capabilities capabilities() const override;

  NeighbourOperations* neighbours() override { return device_->neighbours() ? this : nullptr; }
  /// Tile by tile, each with a border of one voxel; x and d go through host memory. Takes three tiles on the device
  /// besides what the budget reckons with.
  void stiffness(const NeighbourPenalty&, const DeviceArray& x, const DeviceArray& d, DeviceArray& y) override;

  ArrayPtr make_array(const ArrayShape& shape) override { return device_->make_array(shape); }
  ArrayPtr make_like(const DeviceArray&) override;
  ArrayPtr rows(DeviceArray&, std::int64_t first, std::int64_t count) override;
  void upload(std::span<const float> host, DeviceArray&) override;
  void download(const DeviceArray&, std::span<float> host) override;
  std::int64_t stored_bytes(const DeviceArray&) const override;  ///< of arrays in tiles: as floats
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

  std::unique_ptr<LinearOperator> make_ct(const VolumeGrid&, const Scan&, const CtOptions&) override;
  std::int64_t plan_bytes(const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t views) const override;
  /// In slabs (TiledEmission) where the volume, or what its views see, has no room.
  std::unique_ptr<LinearOperator> make_emission(const VolumeGrid&, const Scan&, std::span<const float> attenuation,
                                                const EmissionOptions&) override;
  std::unique_ptr<ProjectionFilter> make_filter(const Scan&, const FilterOptions&) override;
  /// In place in all of the volume: throws InputError("--gpu-memory") where that has no room.
  std::unique_ptr<ViewSart> make_view_sart(const VolumeGrid&, const Scan&, const std::string& variant) override;
  /// The device's own: they know how to cut what is larger than the budget.
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
  /// Packed where all views fit the device at once or, in the order of their groups, some; null where they do not.
  std::unique_ptr<LinearOperator> make_packed(const VolumeGrid&, const Scan&, const CtOptions&);
  /// Throws: what the device has against packing by quarter turns, or that the memory has no room for it.
  [[noreturn]] void refuse_packing(const VolumeGrid&, const Scan&, const CtOptions&) const;

  std::unique_ptr<Backend> device_;
  std::int64_t memory_;
  std::shared_ptr<Budget> budget_;
};

}  // namespace backlit
