#include "large/device_group.hpp"

#include <fmt/format.h>

#include <backlit/projectors/emission/emission_options.hpp>
#include <backlit/projectors/sart_in_place/view_sart.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include "large/several_devices.hpp"
#include "large/several_devices_fdk.hpp"

namespace backlit {
namespace {

class DeviceGroup final : public Backend {
 public:
  explicit DeviceGroup(std::vector<std::unique_ptr<Backend>> devices) : devices_(std::move(devices)) {
    first().activate();
  }
  ~DeviceGroup() override {
    while (!devices_.empty()) {
      devices_.back()->activate();
      devices_.pop_back();
    }
  }
  DeviceGroup(const DeviceGroup&) = delete;
  DeviceGroup& operator=(const DeviceGroup&) = delete;

  Backend& innermost() override { return first().innermost(); }
  NeighbourOperations* neighbours() override { return first().neighbours(); }
  std::string name() const override { return first().name(); }
  std::string device() const override { return fmt::format("{} x {}", devices_.size(), first().device()); }
  Capabilities capabilities() const override { return first().capabilities(); }
  void activate() override { first().activate(); }

  ArrayPtr make_array(const ArrayShape& shape) override { return first().make_array(shape); }
  ArrayPtr make_like(const DeviceArray& array) override { return first().make_like(array); }
  ArrayPtr rows(DeviceArray& a, std::int64_t begin, std::int64_t count) override {
    return first().rows(a, begin, count);
  }
  void upload(std::span<const float> host, DeviceArray& array) override { first().upload(host, array); }
  void download(const DeviceArray& array, std::span<float> host) override { first().download(array, host); }
  bool download_rows(const DeviceArray& array, std::int64_t begin, std::span<float> host) override {
    return first().download_rows(array, begin, host);
  }
  std::int64_t stored_bytes(const DeviceArray& array) const override { return first().stored_bytes(array); }
  void store(const DeviceArray& array, std::span<std::byte> host) override { first().store(array, host); }
  void restore(std::span<const std::byte> host, DeviceArray& array) override { first().restore(host, array); }
  void send(const DeviceArray& from, Backend& to, DeviceArray& into) override { first().send(from, to, into); }
  std::shared_ptr<std::byte> host_memory(std::int64_t bytes) override { return first().host_memory(bytes); }

  void fill(DeviceArray& y, float value) override { first().fill(y, value); }
  void copy(const DeviceArray& x, DeviceArray& y) override { first().copy(x, y); }
  void scale(DeviceArray& y, float a) override { first().scale(y, a); }
  void axpy(float a, const DeviceArray& x, DeviceArray& y) override { first().axpy(a, x, y); }
  void subtract_from(const DeviceArray& x, DeviceArray& y) override { first().subtract_from(x, y); }
  void multiply(const DeviceArray& x, DeviceArray& y) override { first().multiply(x, y); }
  void divide(const DeviceArray& x, DeviceArray& y, float floor) override { first().divide(x, y, floor); }
  void clamp(DeviceArray& y, float low, float high) override { first().clamp(y, low, high); }
  void exponential(DeviceArray& y) override { first().exponential(y); }
  double dot(const DeviceArray& x, const DeviceArray& y) override { return first().dot(x, y); }
  void add_square(const DeviceArray& x, DeviceArray& total) override { first().add_square(x, total); }
  double sum(const DeviceArray& x) override { return first().sum(x); }
  float maximum(const DeviceArray& x) override { return first().maximum(x); }

  std::unique_ptr<LinearOperator> make_ct(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) override {
    return make_split_ct(all(), grid, scan, options);
  }
  std::unique_ptr<FdkPipeline> make_fdk_pipeline(const Scan& scan, const VolumeGrid& grid,
                                                 const FdkPipelineOptions& options) override {
    return make_split_fdk(all(), scan, grid, options);
  }
  std::int64_t plan_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                          std::int64_t views) const override {
    // Backprojection by views needs one more volume, to receive another device's.
    const std::int64_t sum = options.model == Model::voxel_driven ? 0 : grid.voxels() * std::int64_t{sizeof(float)};
    return first().plan_bytes(grid, scan, options, views) + sum;
  }
  // The first device does the work that cannot be divided.
  std::unique_ptr<LinearOperator> make_emission(const VolumeGrid& grid, const Scan& scan,
                                                std::span<const float> attenuation,
                                                const EmissionOptions& options) override {
    return first().make_emission(grid, scan, attenuation, options);
  }
  std::unique_ptr<ViewSart> make_view_sart(const VolumeGrid& grid, const Scan& scan,
                                           const ViewSartOptions& options) override {
    return first().make_view_sart(grid, scan, options);
  }
  std::unique_ptr<ProjectionFilter> make_filter(const Scan& scan, const FilterOptions& options) override {
    return first().make_filter(scan, options);
  }
  void finish() override {
    for (const auto& device : devices_) device->finish();
  }
  void time_passes(bool on) override { first().time_passes(on); }
  PassTimes pass_times() override { return first().pass_times(); }

 private:
  Backend& first() const { return *devices_.front(); }
  std::vector<Backend*> all() const {
    std::vector<Backend*> list;
    for (const auto& device : devices_) list.push_back(device.get());
    return list;
  }

  std::vector<std::unique_ptr<Backend>> devices_;
};

}  // namespace

std::unique_ptr<Backend> make_device_group(std::vector<std::unique_ptr<Backend>> devices) {
  return std::make_unique<DeviceGroup>(std::move(devices));
}

}  // namespace backlit
