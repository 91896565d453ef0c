// All views of a scan in the device's memory, and their corrections there.
#pragma once

#include <memory>

#include <backlit/core/index_range.hpp>
#include <backlit/device/resident_views.hpp>
#include <backlit/preprocess/corrections.hpp>
#include "cuda/corrections/images.hpp"
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/pinned.hpp"

namespace backlit::cuda {

class CudaBackend;

/// It needs no backend once it is made, and may be read from any thread.
class CudaViews final : public DeviceViews, public ResidentViews {
 public:
  /// Not initialised; on this thread's device.
  explicit CudaViews(const Scan&);

  const Scan& scan() const override { return scan_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override;
  std::optional<std::string> correct(const Correction&, const CorrectionOptions&, const CorrectionInput&,
                                     const Watch&) override;
  void replace(std::span<const float> values) override;
  DeviceArray* views_on(Backend&) override;

  /// From counts where the source has them.
  void load(ProjectionSource&, const Watch&);
  void copy(const CudaArray&);

  // For corrections. All work is done on one stream.
  Stream& stream() { return stream_; }
  Images images();
  PassClock& clock() { return clock_; }  ///< times kernels when it is on

 private:
  /// False where a pixel has no neighbour to be filled from.
  bool load_counts(ProjectionSource&, const Watch&);
  void load_integrals(ProjectionSource&, const Watch&);
  /// Calls read(first, count, page-locked memory) and then take(first, count, that memory) for all views. What take()
  /// enqueues may still run while the next views are read.
  template <class T, class Read, class Take>
  void in_turn(const Watch&, Read&&, Take&&);

  int device_;
  Scan scan_;
  PassClock clock_;
  Stream stream_{&clock_};
  CudaArray values_;
};

/// A copy of these rows of every `stride`-th view. Waits for the device.
std::unique_ptr<CudaViews> part_of(CudaViews&, const IndexRange& rows, std::int64_t stride);
/// The same into `part`, made by part_of().
void copy_part(CudaViews&, const IndexRange& rows, std::int64_t stride, CudaViews& part);

/// Null where the views would take more than a third of the backend's memory, and for more than 65,535 views or rows.
std::shared_ptr<DeviceViews> load_views(CudaBackend&, ProjectionSource&, const Watch&);

/// A correction on the device. Returns nothing, and changes nothing, for what it cannot take.
using CorrectOnDevice = std::optional<std::string> (*)(CudaViews&, const CorrectionOptions&, const CorrectionInput&,
                                                       const Watch&);

}  // namespace backlit::cuda
