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

/// The element of `left` nearest to `target` on a circle of `count`; the lower one of two.
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

SubsetPlan::SubsetPlan(std::int64_t views, std::int64_t subsets) : views_(views), subsets_(subsets) {}

SubsetPlan::SubsetPlan(const QuarterTurns& turns, std::int64_t subsets)
    : views_(4 * std::ssize(turns.groups)), subsets_(subsets) {
  auto groups = turns.groups;
  std::ranges::sort(groups, {}, [](const QuarterTurns::Group& g) { return *std::ranges::min_element(g.views); });
  for (std::int64_t s = 0; s < subsets; ++s) {
    first_.push_back(std::ssize(order_));
    for (std::int64_t g = s; g < std::ssize(groups); g += subsets) {
      const auto& views = groups[static_cast<std::size_t>(g)].views;
      order_.insert(order_.end(), views.begin(), views.end());
    }
  }
  first_.push_back(views_);
}

Subset SubsetPlan::views_of(std::int64_t s) const {
  if (order_.empty()) return {s, (views_ - s + subsets_ - 1) / subsets_, subsets_};
  const std::int64_t first = first_[static_cast<std::size_t>(s)];
  return {first, first_[static_cast<std::size_t>(s) + 1] - first, 1};
}

std::vector<Subset> SubsetPlan::pieces_of(std::int64_t s, std::int64_t piece) const {
  const Subset all = views_of(s);
  const std::int64_t units = all.count / together(), most = std::max<std::int64_t>(1, piece / together());
  const std::int64_t count = (units + most - 1) / most;
  std::vector<Subset> pieces;
  for (std::int64_t p = 0; p < count; ++p) {
    const std::int64_t begin = units * p / count * together(), end = units * (p + 1) / count * together();
    pieces.push_back({all.first + begin * all.stride, end - begin, all.stride});
  }
  return pieces;
}

}  // namespace backlit
