// A backend whose volumes and projections are shared among ranks: processes of one machine or of many.
#pragma once

#include <optional>

#include <backlit/device/backend.hpp>
#include <backlit/device/neighbour_penalty.hpp>
#include <backlit/device/ranks.hpp>
#include "device/row_link.hpp"
#include "device/shared_arrays.hpp"
#include "large/ranks/rank_share.hpp"
#include "large/ranks/ranked_array.hpp"
#include "large/slice_windows.hpp"

namespace backlit {

/// Room on the device for a slab's volumes with their neighbours' slices. It is kept from call to call: fetching it
/// would take longer than the work.
struct KeptWindows {
  ArrayShape of{};          ///< shape of the volumes that ranks share
  std::size_t asked = 0;    ///< for how many volumes
  SliceWindows windows;     ///< empty where there is no room for them
  bool everywhere = false;  ///< all ranks have theirs
};

/// Each rank has such a backend around a device of its own, which may cut what is too large for it. Operators' arrays
/// are RankedArrays: volumes in slabs, projections in the rows that slabs see. Operations on values are each rank's
/// own; sums and maxima are of all ranks, with the same bits on each. All ranks make the same calls in the same order.
///
/// Arrays are downloaded as a whole by who asks for all values, and in its part by who asks for as many as held() says;
/// uploaded likewise, but of projections always whole views. What wants an array that is not an operator's (hfdk) is
/// refused, as is SART in place.
class RankedBackend final : public Backend, public NeighbourOperations, public SharedArrays {
 public:
  /// `slabs`: see share_among().
  RankedBackend(std::shared_ptr<Backend> device, std::shared_ptr<Ranks> ranks, int slabs = 0)
      : device_(std::move(device)), ranks_(std::move(ranks)), slabs_(slabs) {}

  Backend& innermost() override { return device_->innermost(); }
  std::string name() const override { return device_->name(); }
  std::string device() const override { return device_->device(); }
  /// The memory of the rank that has least, once an operator is made.
  Capabilities capabilities() const override;

  Ranks& ranks() override { return *ranks_; }
  Backend& own_device() override { return *device_; }
  void compare_devices(std::span<const std::string> passed_over) override;
  const std::string& unlike_devices() const override { return unlike_; }
  void require_same(const VolumeGrid& grid, const Scan& scan) override { agree(grid, scan, true); }
  std::unique_ptr<SharedSlab> shared_slab(std::shared_ptr<ProjectionSource>, const VolumeGrid&) override;
  IndexRange slabs_in_turn(const VolumeGrid&) const override;
  std::unique_ptr<Backend> backend_of_slab(std::int64_t slab) override;
  VolumeGrid held(const VolumeGrid&) const override;
  IndexRange rows_in_use(const VolumeGrid&, const Scan&, bool filtered) const override;
  std::shared_ptr<ProjectionSource> source_of_rows(std::shared_ptr<ProjectionSource>, const VolumeGrid&) const override;

  NeighbourOperations* neighbours() override { return device_->neighbours() ? this : nullptr; }
  /// With a slice more on each side, of the neighbouring ranks.
  void stiffness(const NeighbourPenalty&, const DeviceArray& x, const DeviceArray& d, DeviceArray& y) override;
  void ascend(const Differences&, const DeviceArray& x, float step, float radius, const Field& z) override;
  void descend(const Differences&, const Field& z, const Descent&) override;

  ArrayPtr make_array(const ArrayShape&) override;  ///< one value, the same on all ranks
  ArrayPtr make_like(const DeviceArray&) override;
  ArrayPtr rows(DeviceArray&, std::int64_t first, std::int64_t count) override;  ///< of projections
  void upload(std::span<const float> host, DeviceArray&) override;
  void download(const DeviceArray&, std::span<float> host) override;
  bool download_rows(const DeviceArray&, std::int64_t first, std::span<float> host) override;  ///< of this rank's part
  std::int64_t stored_bytes(const DeviceArray&) const override;
  void store_pieces(const DeviceArray&, const TakeBytes& take) override;
  void restore_pieces(const ReadBytes& read, DeviceArray&) override;

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
  double sum(const DeviceArray& x) override;
  float maximum(const DeviceArray& x) override;

  /// Throws InputError where ranks were given different grids or scans.
  std::unique_ptr<LinearOperator> make_ct(const VolumeGrid&, const Scan&, const CtOptions&) override;
  /// Of a rank's slab.
  Support supports(const VolumeGrid&, const Scan&, const CtOptions&) override;
  std::int64_t plan_bytes(const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t views) const override;
  /// Of this rank's slab, and of views with the rows of source_of_rows(). Null on all ranks where one has none.
  std::unique_ptr<FdkPipeline> make_fdk_pipeline(const Scan&, const VolumeGrid&, const FdkPipelineOptions&) override;
  std::unique_ptr<ProjectionFilter> make_filter(const Scan&, const FilterOptions&) override;
  std::unique_ptr<ViewSart> make_view_sart(const VolumeGrid&, const Scan&, const ViewSartOptions&) override;
  std::unique_ptr<LinearOperator> make_emission(const VolumeGrid&, const Scan&, std::span<const float> attenuation,
                                                const EmissionOptions&) override;

  void activate() override { device_->activate(); }
  std::shared_ptr<std::byte> host_memory(std::int64_t bytes) override { return device_->host_memory(bytes); }
  void finish() override { device_->finish(); }
  void time_passes(bool on) override { device_->time_passes(on); }
  PassTimes pass_times() override { return device_->pass_times(); }

  /// A volume of an operation on neighbouring voxels.
  struct Operand {
    const DeviceArray* array;
    bool read = true;
    DeviceArray* written = nullptr;  ///< the same array; null where it is read alone
  };
  /// An operation on the operands' slabs and their neighbours' slices; there may be more windows than operands.
  using Work = std::function<void(const SliceWindows&)>;

 private:
  void with_neighbours(const std::vector<Operand>& operands, const Work& work);
  /// Whether `here` holds on all ranks. Throws InputError where they were given different grids or scans.
  bool agree(const VolumeGrid&, const Scan&, bool here);
  /// Made at the first call, by all ranks; null where not each of them has a card of its own that can be linked.
  std::shared_ptr<RowLink> link();
  /// The part of a projection array with 0 in rows that another rank counts; valid until the next call.
  const DeviceArray& counted(const RankedArray&);
  bool room_to_count(const ArrayShape& views);

  std::shared_ptr<Backend> device_;
  std::shared_ptr<Ranks> ranks_;
  int slabs_;
  std::string unlike_;
  bool knows_share_ = false;                      ///< of its card
  std::int64_t least_memory_ = -1;                ///< -1: not agreed yet
  std::optional<std::shared_ptr<RowLink>> link_;  ///< empty: not looked for yet
  KeptWindows windows_;
  ArrayPtr counted_, counts_;              ///< scratch, and 1 in the rows that this rank counts
  ArrayPtr first_counted_, first_counts_;  ///< of the views in use, where these are fewer
  std::shared_ptr<const Parting> counts_for_;
};

/// This rank's part; an array that is not shared is its own.
DeviceArray& part_of(const DeviceArray&);

/// Null where it is not shared.
const RankedArray* as_ranked(const DeviceArray&);

}  // namespace backlit
