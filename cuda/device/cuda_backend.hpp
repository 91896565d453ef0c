// The CUDA backend: one device, one stream.
#pragma once

#include <set>

#include <backlit/device/backend.hpp>
#include <backlit/device/blur.hpp>
#include <backlit/device/neighbour_penalty.hpp>
#include <backlit/preprocess/correction_device.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include "cuda/device/event.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/pass_clock.hpp"
#include "cuda/device/pinned.hpp"
#include "cuda/device/vector_ops.hpp"
#include "cuda/ranks/row_link.hpp"
#include "device/fused.hpp"
#include "device/row_link.hpp"
#include "device/row_transfer.hpp"

namespace backlit::cuda {

class CudaBackend final : public Backend,
                          public NeighbourOperations,
                          public BlurOperations,
                          public FusedOperations,
                          public RowTransfer,
                          public CorrectionDevice,
                          public LinksRows {
 public:
  explicit CudaBackend(const BackendOptions&);

  std::string name() const override { return "cuda"; }
  std::string device() const override { return device_name_; }
  std::string versions() const override;
  Capabilities capabilities() const override;
  void activate() override;

  ArrayPtr make_array(const ArrayShape&) override;
  ArrayPtr make_like(const DeviceArray&) override;
  ArrayPtr rows(DeviceArray&, std::int64_t first, std::int64_t count) override;
  void upload(std::span<const float>, DeviceArray&) override;
  void download(const DeviceArray&, std::span<float>) override;
  bool download_rows(const DeviceArray&, std::int64_t first, std::span<float> host) override;
  bool store_rows(const DeviceArray&, const IndexRange& rows, std::span<std::byte> host) override;
  bool restore_rows(std::span<const std::byte> host, const IndexRange& rows, DeviceArray&) override;

  std::string card_name() const override;
  void share_card(std::int64_t processes) override;
  std::unique_ptr<RowLink> link_rows(std::shared_ptr<Ranks> ranks, bool own_cards) override {
    activate();
    return cuda::link_rows(std::move(ranks), own_cards, stream_);
  }
  bool links_machines() const override;
  void send(const DeviceArray& from, Backend& to, DeviceArray& into) override;
  std::shared_ptr<std::byte> host_memory(std::int64_t bytes) override;

  NeighbourOperations* neighbours() override { return this; }
  void stiffness(const NeighbourPenalty&, const DeviceArray& x, const DeviceArray& d, DeviceArray& y) override;
  void ascend(const Differences&, const DeviceArray& x, float step, float radius, const Field& z) override;
  void descend(const Differences&, const Field& z, const Descent&) override;
  std::unique_ptr<Blur> make_blur(const BlurWeights&) override;

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

  bool owns(const DeviceArray&) const override;
  void weigh_residual(const DeviceArray& b, const DeviceArray& w, DeviceArray& r, DeviceArray& total) override;
  void add_quotient(float a, const DeviceArray& d, const DeviceArray& s, float floor, float least,
                    DeviceArray& x) override;
  void multiply_quotient(const DeviceArray& d, const DeviceArray& s, float floor, DeviceArray& x) override;
  void extrapolate(float momentum, const DeviceArray& x, DeviceArray& before) override;

  std::unique_ptr<ProjectionFilter> make_filter(const Scan&, const FilterOptions&) override;
  std::unique_ptr<FdkPipeline> make_fdk_pipeline(const Scan&, const VolumeGrid&, const FdkPipelineOptions&) override;

  std::shared_ptr<DeviceViews> load(ProjectionSource&, const Watch&) override;

  void finish() override { stream_.wait(); }
  void time_passes(bool on) override { clock_.start(on); }
  PassTimes pass_times() override { return clock_.times(); }
  Stream& stream() { return stream_; }
  int device_index() const { return device_.index; }

 private:
  /// Calls cudaSetDevice before the stream is made.
  struct Device {
    Device(std::int64_t wanted, std::int64_t processes);
    int index = 0;
    std::int64_t sharing = 1;  ///< processes that may use it
  };
  std::byte* staged(std::size_t bytes);

  Device device_;
  PassClock clock_;
  Stream stream_{&clock_};
  Reducer reducer_;
  Event sent_;
  PinnedBuffer staging_;
  std::set<int> peers_;  ///< devices whose memory this one can access directly
  std::string device_name_;
  std::int64_t memory_bytes_ = 0;
};

}  // namespace backlit::cuda
