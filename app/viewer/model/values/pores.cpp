#include "model/values/pores.hpp"

#include <algorithm>
#include <vector>

namespace backlit::viewer {
namespace {

/// Marks what is reached from the border, run by run along x.
class Flood {
 public:
  explicit Flood(const Volume& field) : field_(field), size_(field.grid.size), reached_(field.values.span().size()) {}

  std::int64_t unreached() {
    for (std::int64_t k = 0; k < size_[2]; ++k)
      for (std::int64_t j = 0; j < size_[1]; ++j) {
        const bool face = j == 0 || k == 0 || j == size_[1] - 1 || k == size_[2] - 1;
        for (std::int64_t i = 0; i < size_[0]; i += face || size_[0] == 1 ? 1 : size_[0] - 1) enter(i, j, k);
        run();
      }
    std::int64_t count = 0;
    for (std::size_t n = 0; n < reached_.size(); ++n)
      count += !reached_[n] && !(field_.values[static_cast<std::int64_t>(n)] > 0);
    return count;
  }

 private:
  struct Seed {
    std::int64_t i, j, k;
  };

  bool free(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::int64_t n = field_.index(i, j, k);
    return !(field_.values[n] > 0) && !reached_[static_cast<std::size_t>(n)];
  }
  void enter(std::int64_t i, std::int64_t j, std::int64_t k) {
    if (free(i, j, k)) seeds_.push_back({i, j, k});
  }
  /// A seed for each run of free voxels beside [first, end) of another row.
  void enter_row(std::int64_t first, std::int64_t end, std::int64_t j, std::int64_t k) {
    if (j < 0 || k < 0 || j >= size_[1] || k >= size_[2]) return;
    for (std::int64_t i = first; i < end; ++i)
      if (free(i, j, k) && (i == first || !free(i - 1, j, k))) seeds_.push_back({i, j, k});
  }
  void run() {
    while (!seeds_.empty()) {
      const auto [i, j, k] = seeds_.back();
      seeds_.pop_back();
      if (!free(i, j, k)) continue;
      std::int64_t first = i, end = i + 1;
      while (first > 0 && free(first - 1, j, k)) --first;
      while (end < size_[0] && free(end, j, k)) ++end;
      for (std::int64_t x = first; x < end; ++x) reached_[static_cast<std::size_t>(field_.index(x, j, k))] = 1;
      for (const std::int64_t side : {-1, 1}) {
        enter_row(first, end, j + side, k);
        enter_row(first, end, j, k + side);
      }
    }
  }

  const Volume& field_;
  Size3 size_;
  std::vector<std::uint8_t> reached_;
  std::vector<Seed> seeds_;
};

}  // namespace

std::int64_t enclosed_voxels(const Volume& field) { return Flood(field).unreached(); }

}  // namespace backlit::viewer
