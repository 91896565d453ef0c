// How the views of a scan are shared out to ordered subsets.
#pragma once

#include <vector>

#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/method_options.hpp>

namespace backlit {

/// The order in which `count` subsets are taken. bit_reversed keeps neighbours in time far apart in angle (Herman and
/// Meyer, IEEE Trans. Med. Imaging 12 (1993) 600, for powers of two); golden goes on by the golden section of all
/// subsets, to the nearest that is left (Köhler, IEEE Nucl. Sci. Symp. Conf. Rec. (2004) 3961); sequential is 0, 1,
/// 2, ...
std::vector<std::int64_t> subset_order(SubsetOrder, std::int64_t count);

/// Which views the subsets hold: subset s of n holds views s, s + n, ... or, where views are packed, quarter-turn
/// groups s, s + n, ... as a whole.
class SubsetPlan {
 public:
  SubsetPlan() = default;
  SubsetPlan(std::int64_t views, std::int64_t subsets);
  /// At most one subset a group.
  SubsetPlan(const QuarterTurns&, std::int64_t subsets);

  /// The order that the scan's views must be put in, subset after subset; empty: their own.
  const std::vector<std::int64_t>& view_order() const { return order_; }
  /// Views that must stay in one piece.
  std::int64_t together() const { return order_.empty() ? 1 : 4; }

  /// All views of a subset.
  Subset views_of(std::int64_t subset) const;
  /// The same in pieces of about the same size, of at most `piece` views or what must stay together.
  std::vector<Subset> pieces_of(std::int64_t subset, std::int64_t piece) const;

 private:
  std::int64_t views_ = 0, subsets_ = 1;
  std::vector<std::int64_t> order_;
  std::vector<std::int64_t> first_;  ///< [subset] in the order
};

}  // namespace backlit
