// The class of the backend, for code below the public interface: tests, the study, a viewer with its own context.
#pragma once

#include <memory>

#include <backlit/device/backend.hpp>
#include <backlit/device/blur.hpp>
#include <backlit/device/neighbour_penalty.hpp>
#include "device/gl/mapped_memory.hpp"
#include "device/gl/vector_ops.hpp"
#include "device/shares_card.hpp"

namespace backlit::gl {

class GlBackend final : public Backend, public NeighbourOperations, public BlurOperations, public SharesCard {
 public:
  explicit GlBackend(std::shared_ptr<Context> context, std::int64_t memory_bytes = 0);
  ~GlBackend() override { context_->make_current_or_none(); }

  std::string name() const override { return "gl"; }
  std::string device() const override { return context_->renderer(); }
  std::string versions() const override { return "OpenGL " + context_->version(); }
  Capabilities capabilities() const override;
  /// By name of the model where the driver has no number.
  std::string card_name() const override;
  void share_card(std::int64_t processes) override;

  ArrayPtr make_array(const ArrayShape& shape) override;
  ArrayPtr make_like(const DeviceArray&) override;
  ArrayPtr rows(DeviceArray&, std::int64_t first, std::int64_t count) override;
  void upload(std::span<const float> host, DeviceArray&) override;
  bool download_rows(const DeviceArray&, std::int64_t first, std::span<float> host) override;
  void download(const DeviceArray&, std::span<float> host) override;

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

  NeighbourOperations* neighbours() override { return this; }
  /// These throw Unsupported where the volume takes more than one texture.
  void stiffness(const NeighbourPenalty&, const DeviceArray& x, const DeviceArray& d, DeviceArray& y) override;
  void ascend(const Differences&, const DeviceArray& x, float step, float radius, const Field& z) override;
  void descend(const Differences&, const Field& z, const Descent&) override;
  /// Its plans throw Unsupported for volumes of more than one texture.
  std::unique_ptr<Blur> make_blur(const BlurWeights&) override;

  /// The host's filter where the options need or name it, and by default on drivers without hardware.
  std::unique_ptr<ProjectionFilter> make_filter(const Scan&, const FilterOptions&) override;
  std::unique_ptr<FdkPipeline> make_fdk_pipeline(const Scan&, const VolumeGrid&, const FdkPipelineOptions&) override;
  std::shared_ptr<std::byte> host_memory(std::int64_t bytes) override;
  void finish() override;
  void time_passes(bool on) override;
  PassTimes pass_times() override;

  Context& context() { return *context_; }
  /// For objects that outlive calls: displays and renderers on this device.
  std::shared_ptr<Context> shared_context() const { return context_; }
  TimingTable& timings() { return timings_; }
  VectorOps& ops() { return ops_; }
  const MappedMemory& mapped() const { return *mapped_; }

 private:
  /// y = expression, on this backend's context.
  void apply(const char* expression, DeviceArray& y, const DeviceArray* x = nullptr, float a = 0, float b = 0);

  std::shared_ptr<Context> context_;
  std::int64_t memory_bytes_;
  std::shared_ptr<MappedMemory> mapped_;
  TimingTable timings_;
  VectorOps ops_{timings_};
  Program stiffness_[2];         ///< q-GGMRF, TV; made when first used
  Program ascend_, descend_[2];  ///< made when first used; plain, weighted
  Program blur_;                 ///< made when first used
};

/// `backend` as an OpenGL backend, with its context made current. Projectors of gl get no other backend.
GlBackend& current_gl(Backend& backend);

}  // namespace backlit::gl
