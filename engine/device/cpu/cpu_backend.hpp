// The reference: double precision, all cores, results that do not depend on the number of cores.
#pragma once

#include <backlit/device/backend.hpp>
#include <backlit/device/blur.hpp>
#include <backlit/device/neighbour_penalty.hpp>

namespace backlit {

class CpuBackend : public Backend, public NeighbourOperations, public BlurOperations {
 public:
  explicit CpuBackend(const BackendOptions& options) : memory_bytes_(options.memory_bytes) {}

  std::string name() const override { return "cpu"; }
  std::string device() const override;
  Capabilities capabilities() const override;

  ArrayPtr make_array(const ArrayShape& shape) override;
  ArrayPtr make_like(const DeviceArray&) override;
  ArrayPtr rows(DeviceArray&, std::int64_t first, std::int64_t count) override;
  void upload(std::span<const float> host, DeviceArray&) override;
  void download(const DeviceArray&, std::span<float> host) override;
  bool download_rows(const DeviceArray&, std::int64_t first, std::span<float> host) override;
  std::int64_t stored_bytes(const DeviceArray&) const override;
  void store(const DeviceArray&, std::span<std::byte> host) override;
  void restore(std::span<const std::byte> host, DeviceArray&) override;

  NeighbourOperations* neighbours() override { return this; }
  void stiffness(const NeighbourPenalty&, const DeviceArray& x, const DeviceArray& d, DeviceArray& y) override;
  void ascend(const Differences&, const DeviceArray& x, float step, float radius, const Field& z) override;
  void descend(const Differences&, const Field& z, const Descent&) override;
  std::unique_ptr<Blur> make_blur(const BlurWeights&) override;

  void fill(DeviceArray& y, float value) override;
  void copy(const DeviceArray& x, DeviceArray& y) override;
  void scale(DeviceArray& y, float a) override;
  void axpy(float a, const DeviceArray& x, DeviceArray& y) override;
  void multiply(const DeviceArray& x, DeviceArray& y) override;
  void divide(const DeviceArray& x, DeviceArray& y, float floor) override;
  void clamp(DeviceArray& y, float low, float high) override;
  void exponential(DeviceArray& y) override;
  double dot(const DeviceArray& x, const DeviceArray& y) override;
  void add_square(const DeviceArray& x, DeviceArray& total) override;
  double sum(const DeviceArray& x) override;
  float maximum(const DeviceArray& x) override;

  void finish() override {}

 private:
  std::int64_t memory_bytes_;
};

}  // namespace backlit
