// Division of a scan's views among ordered subsets.
#pragma once

#include <vector>

#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/method_options.hpp>

namespace backlit {

/// The order in which `count` subsets are taken. bit_reversed keeps consecutive subsets far apart in angle (Herman and
/// Meyer, IEEE Trans. Med. Imaging 12 (1993) 600, for powers of two). golden advances by the golden section of all
/// subsets, to the nearest one left (Köhler, IEEE Nucl. Sci. Symp. Conf. Rec. (2004) 3961). sequential is 0, 1, 2, ...
std::vector<std::int64_t> subset_order(SubsetOrder, std::int64_t count);

/// The views of the subsets: subset s of n holds views s, s + n, ... If views are packed, it holds whole quarter-turn
/// groups s, s + n, ...
class SubsetPlan {
 public:
  SubsetPlan() = default;
  SubsetPlan(std::int64_t views, std::int64_t subsets);
  /// Makes at most as many subsets as there are groups.
  SubsetPlan(const QuarterTurns&, std::int64_t subsets);

  /// The order into which the scan's views must be sorted, subset after subset; empty: the scan's own order.
  const std::vector<std::int64_t>& view_order() const { return order_; }
  /// The number of views that must stay in one piece.
  std::int64_t together() const { return order_.empty() ? 1 : 4; }

  /// All views of a subset.
  Subset views_of(std::int64_t subset) const;
  /// The same in pieces of about the same size. A piece has at most `piece` views, or together() views if that is more.
  std::vector<Subset> pieces_of(std::int64_t subset, std::int64_t piece) const;

 private:
  std::int64_t views_ = 0, subsets_ = 1;
  std::vector<std::int64_t> order_;
  std::vector<std::int64_t> first_;  ///< first view of each subset in the order
};

}  // namespace backlit
