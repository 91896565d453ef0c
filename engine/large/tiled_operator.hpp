// A CT operator in parts: tiles of the volume and batches of views take turns on the device.
#pragma once

#include <backlit/projectors/subset_rows.hpp>
#include "large/tile.hpp"
#include "large/tiling.hpp"
#include "projectors/part_of_call.hpp"

namespace backlit {

/// One device's operators for the tiles of a grid. One plan for each size of tile, moved from tile to tile where it can
/// be and made again where it cannot. Those of voxel-driven backprojection begin at the grid's first voxel, so that
/// every tile sees places as the whole does.
class TilePlans {
 public:
  /// Holds `held` bytes of the budget, for the plans of smaller tiles, as long as plans live.
  TilePlans(Backend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
            std::shared_ptr<Budget> budget, std::int64_t held)
      : device_(device), grid_(grid), scan_(scan), options_(options), budget_(std::move(budget)), held_(held) {
    budget_->hold(held_);
  }
  ~TilePlans() { budget_->give_back(held_); }
  TilePlans(const TilePlans&) = delete;
  TilePlans& operator=(const TilePlans&) = delete;

  std::int64_t held() const { return held_; }
  /// Forgets plans for tiles of other sizes: what works on another operator's arrays (UnmatchedPair) never uses its own
  /// tiles, whose plans nobody has counted beside the other's.
  void keep_only(const std::vector<Tile>&);
  LinearOperator& at(const Box&);
  /// Any plan for tiles of this size.
  LinearOperator& sized(const Size3&);

 private:
  struct Plan {
    Size3 size, made_for, at;
    std::unique_ptr<LinearOperator> ct;
  };
  void make(Plan&, const Box&);

  Backend& device_;
  VolumeGrid grid_;
  Scan scan_;
  CtOptions options_;
  std::shared_ptr<Budget> budget_;
  std::int64_t held_;
  std::vector<Plan> plans_;
  bool moves_ = true;  ///< until a plan refuses to
};

/// The sum over tiles of the operators on each, as if there were no tiles: voxels do not know of each other. Backward
/// every voxel gets the very sum it would get untiled, forward sums are taken in another order (1e-6). Arrays that the
/// budget has no room for lie in host memory.
class TiledOperator final : public LinearOperator, public PartOfCall {
 public:
  TiledOperator(Backend& device, std::shared_ptr<Budget> budget, const VolumeGrid& grid, const Scan& scan,
                const CtOptions& options, const Tiling& tiling);

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override;
  ArrayPtr make_range(std::int64_t rows) override;
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  /// Tile by tile, where the subset's views come to the device at once.
  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset&) override;
  void part_of_call(std::int64_t views) override { call_views_ = views; }
  bool matched() const override { return matched_; }
  /// Also where volumes lie in host memory: then each of their tiles comes to the device once.
  bool prefers_whole() const override { return packs() || paged(); }
  std::int64_t least_rows() const override { return paged() ? tiling_.rows : 1; }
  std::string variant() const override;

  /// Whether the device's own operator wants all views at once.
  bool packs() const { return packs_; }

 private:
  /// Views of one tile of a range array that a call is about.
  struct Batch {
    const Tile* tile;
    Subset part;                 ///< rows of the operator
    std::int64_t first, stride;  ///< of them in the tile; stride 0: the tile as it is
  };
  std::vector<Batch> batches(const DeviceArray& y, const std::vector<Tile>&, const Subset&) const;
  template <class F>
  void use(const Batch&, Access, F&& f);
  enum class Direction { forward, back };
  template <class F>
  void for_pairs(const std::vector<Tile>&, const std::vector<Batch>&, Direction, Write, F&& f);
  /// Of a volume to work on, for which no other plans are kept than its tiles need.
  std::vector<Tile> volume_tiles(const DeviceArray&);
  /// Whether volumes lie in host memory, so that each call brings them to the device.
  bool paged() const;

  Backend& device_;
  std::shared_ptr<Budget> budget_;
  VolumeGrid grid_;
  Detector detector_;
  std::int64_t views_;
  Tiling tiling_;
  std::int64_t call_views_ = 0;  ///< see part_of_call()
  std::vector<Box> boxes_;
  std::shared_ptr<TilePlans> plans_;
  std::string plan_variant_;  ///< this and the next two are what plans say of themselves
  bool matched_ = false, packs_ = false;
  std::shared_ptr<Staging> domain_staging_, range_staging_;
  bool pages_ = false;  ///< the budget had no room for all of a volume that was made
};

}  // namespace backlit
