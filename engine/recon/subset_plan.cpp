#include "recon/subset_plan.hpp"

#include <algorithm>
#include <bit>

namespace backlit {
namespace {

std::int64_t reversed(std::int64_t value, int bits) {
  std::int64_t out = 0;
  for (int b = 0; b < bits; ++b) out |= ((value >> b) & 1) << (bits - 1 - b);
  return out;
}

}  // namespace

std::vector<std::int64_t> subset_order(const std::string& name, std::int64_t count) {
  const int bits = name == "bit_reversed" ? std::bit_width(static_cast<std::uint64_t>(count - 1)) : 0;
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
