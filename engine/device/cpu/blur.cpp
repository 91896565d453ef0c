#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include "device/cpu/cpu_backend.hpp"

namespace backlit {
namespace {

class CpuBlur final : public Blur {
 public:
  explicit CpuBlur(BlurWeights weights) : weights_(std::move(weights)) {}

  void along(int axis, const DeviceArray& from, DeviceArray& to) override {
    const ArrayShape s = from.shape();
    if (to.shape() != s) throw Failure("cpu backend", "arrays of different shapes cannot be combined");
    const std::int64_t strides[3] = {1, s.n0, s.n0 * s.n1};
    const std::int64_t sizes[3] = {s.n0, s.n1, s.n2}, stride = strides[axis];
    const int n = static_cast<int>(sizes[axis]);
    const auto& weights = weights_[static_cast<std::size_t>(axis)];
    const int reach = static_cast<int>(weights.size()) - 1;
    const auto weight = [&](int k) { return weights[static_cast<std::size_t>(k)]; };
    const double* values = cpu_values(from);
    double* result = cpu_values(to);
    parallel_for(s.n1 * s.n2, [&](std::int64_t row) {
      const std::int64_t place[3] = {0, row % s.n1, row / s.n1};
      for (std::int64_t x = 0; x < s.n0; ++x) {
        const std::int64_t at = row * s.n0 + x, i = axis == 0 ? x : place[axis];
        const double* first = values + at - i * stride;
        result[at] = blurred<double>(static_cast<int>(i), n, reach, weight, [&](int v) { return first[v * stride]; });
      }
    });
  }

 private:
  BlurWeights weights_;
};

}  // namespace

std::unique_ptr<Blur> CpuBackend::make_blur(const BlurWeights& weights) { return std::make_unique<CpuBlur>(weights); }

}  // namespace backlit
