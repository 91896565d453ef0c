#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include "device/cpu/cpu_backend.hpp"

namespace backlit {
namespace {

/// y = L(x) d of qggmrf. Each pair of neighbours is looked at once and adds to both: omega takes most of the time.
class NeighbourPairs {
 public:
  NeighbourPairs(const NeighbourPenalty& penalty, const ArrayShape& shape, const double* x, const double* d, double* y)
      : penalty_(penalty), n0_(shape.n0), n1_(shape.n1), n2_(shape.n2), x_(x), d_(d), y_(y) {}

  void add_all() const {
    std::fill_n(y_, n0_ * n1_ * n2_, 0.0);
    // A slice writes to itself and the next one, so every second slice can be worked on at the same time. A volume of
    // one slice takes turns by lines.
    const bool flat = n2_ == 1;
    const std::int64_t count = flat ? n1_ : n2_;
    for (const std::int64_t turn : {0, 1})
      parallel_for((count + 1 - turn) / 2, [&](std::int64_t n) {
        const std::int64_t at = 2 * n + turn;
        if (flat) return add_line(at, 0);
        for (std::int64_t j = 0; j < n1_; ++j) add_line(j, at);
      });
  }

 private:
  void add_line(std::int64_t j, std::int64_t k) const {
    add_pairs(j, k, 1, 0, 0);
    for (int a = -1; a <= 1; ++a) add_pairs(j, k, a, 1, 0);
    for (int b = -1; b <= 1; ++b)
      for (int a = -1; a <= 1; ++a) add_pairs(j, k, a, b, 1);
  }

  /// Pairs of a line's voxels with those at (a, b, c) from them.
  void add_pairs(std::int64_t j, std::int64_t k, int a, int b, int c) const {
    if (j + b < 0 || j + b >= n1_ || k + c >= n2_) return;
    const std::int64_t here = (k * n1_ + j) * n0_, there = ((k + c) * n1_ + j + b) * n0_ + a;
    const double share = penalty_.share[a * a + 2 * b * b + 4 * c * c];
    const std::int64_t end = n0_ - std::max(a, 0);
    for (std::int64_t i = std::max(-a, 0); i < end; ++i) {
      const double amount = share * penalty_.omega(x_[here + i] - x_[there + i]) * (d_[here + i] - d_[there + i]);
      y_[here + i] += amount;
      y_[there + i] -= amount;
    }
  }

  const NeighbourPenalty penalty_;
  const std::int64_t n0_, n1_, n2_;
  const double *x_, *d_;
  double* y_;
};

}  // namespace

void CpuBackend::stiffness(const NeighbourPenalty& penalty, const DeviceArray& x, const DeviceArray& d,
                           DeviceArray& y) {
  const ArrayShape s = x.shape();
  if (d.shape() != s || y.shape() != s) throw Failure("cpu backend", "arrays of different shapes cannot be combined");
  if (penalty.kind == NeighbourPenalty::Kind::qggmrf)
    return NeighbourPairs(penalty, s, cpu_values(x), cpu_values(d), cpu_values(y)).add_all();
  const int size[3] = {static_cast<int>(s.n0), static_cast<int>(s.n1), static_cast<int>(s.n2)};
  const auto reader = [&](const double* values) {
    return [values, s](int i, int j, int k) { return values[(k * s.n1 + j) * s.n0 + i]; };
  };
  const auto from = reader(cpu_values(x)), along = reader(cpu_values(d));
  double* to = cpu_values(y);
  parallel_for(s.n1 * s.n2, [&](std::int64_t line) {
    const int j = static_cast<int>(line % s.n1), k = static_cast<int>(line / s.n1);
    for (int i = 0; i < size[0]; ++i) to[line * s.n0 + i] = stiffness_row<double>(penalty, size, i, j, k, from, along);
  });
}

}  // namespace backlit
