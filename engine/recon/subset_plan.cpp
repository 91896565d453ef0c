#include "recon/subset_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <set>

namespace backlit {
namespace {

std::int64_t reversed(std::int64_t value, int bits) {
  std::int64_t out = 0;
  for (int b = 0; b < bits; ++b) out |= ((value >> b) & 1) << (bits - 1 - b);
  return out;
}

/// The one of `left` nearest to `target` on a circle of `count`; the lower of two.
std::int64_t nearest(const std::set<std::int64_t>& left, double target, std::int64_t count) {
  const auto round = static_cast<double>(count);
  const auto distance = [&](std::int64_t s) {
    const double gap = std::abs(static_cast<double>(s) - target);
    return std::min(gap, round - gap);
  };
  const auto above = left.lower_bound(static_cast<std::int64_t>(std::ceil(target)));
  const std::int64_t after = above == left.end() ? *left.begin() : *above;
  const std::int64_t before = above == left.begin() ? *left.rbegin() : *std::prev(above);
  return distance(before) <= distance(after) ? before : after;
}

std::vector<std::int64_t> golden_order(std::int64_t count) {
  std::set<std::int64_t> left;
  for (std::int64_t s = 0; s < count; ++s) left.insert(left.end(), s);
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < count; ++i) {
    const double turns = static_cast<double>(i) * (std::numbers::phi - 1);
    order.push_back(nearest(left, (turns - std::floor(turns)) * static_cast<double>(count), count));
    left.erase(order.back());
  }
  return order;
}

}  // namespace

std::vector<std::int64_t> subset_order(SubsetOrder kind, std::int64_t count) {
  if (kind == SubsetOrder::golden) return golden_order(count);
  const int bits = kind == SubsetOrder::bit_reversed ? std::bit_width(static_cast<std::uint64_t>(count - 1)) : 0;
  const std::int64_t candidates = bits ? std::int64_t{1} << bits : count;
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < candidates; ++i)
    if (const std::int64_t s = bits ? reversed(i, bits) : i; s < count) order.push_back(s);
  return order;
}

std::vector<Subset> subset_pieces(std::int64_t views, std::int64_t subsets, std::int64_t s, std::int64_t piece) {
  const std::int64_t count = (views - s + subsets - 1) / subsets;
  std::vector<Subset> pieces;
  for (std::int64_t begin = 0; begin < count; begin += piece)
    pieces.push_back({s + begin * subsets, std::min(piece, count - begin), subsets});
  return pieces;
}

}  // namespace backlit
