#include "projectors/shared/cpu/cpu_operator.hpp"

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/device/cpu/cpu_array.hpp>

namespace backlit {

ArrayPtr CpuCtOperator::make_domain() { return std::make_unique<CpuArray>(domain()); }
ArrayPtr CpuCtOperator::make_range(std::int64_t rows) { return std::make_unique<CpuArray>(shape_of(detector_, rows)); }

void CpuCtOperator::require_domain(const DeviceArray& x) const {
  if (x.shape() != domain()) throw Failure("cpu backend", "the volume's array does not have the operator's shape");
}

void CpuCtOperator::forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) {
  require_domain(x);
  const SubsetRows rows(range(), subset, y.shape());
  double* projections = cpu_values(y);
  const std::int64_t pixels = detector_.pixels();
  if (write == Write::overwrite)
    for (std::int64_t i = 0; i < rows.count(); ++i) std::fill_n(projections + rows.slot(i) * pixels, pixels, 0.0);
  add_forward(cpu_values(x), projections, rows);
}

void CpuCtOperator::back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) {
  require_domain(x);
  const SubsetRows rows(range(), subset, y.shape());
  double* volume = cpu_values(x);
  if (write == Write::overwrite) std::fill_n(volume, x.count(), 0.0);
  add_back(cpu_values(y), volume, rows);
}

std::int64_t CpuCtOperator::views_at_once() const {
  constexpr std::int64_t most_pixels = 1 << 21;
  return std::clamp<std::int64_t>(most_pixels / detector_.pixels(), 1, std::max<std::int64_t>(views_, 1));
}

void CpuCtOperator::sensitivity(DeviceArray& x, const Subset& subset) {
  if (!ones_) {
    ones_ = make_range(views_at_once());
    std::fill_n(cpu_values(*ones_), ones_->count(), 1.0);
  }
  require_domain(x);
  std::fill_n(cpu_values(x), x.count(), 0.0);
  for (std::int64_t i = 0, count; i < subset.count; i += count) {
    count = std::min(subset.count - i, ones_->shape().n2);
    const CpuArray ones(shape_of(detector_, count), cpu_values(*ones_));
    back(ones, x, {subset.first + i * subset.stride, count, subset.stride}, Write::accumulate);
  }
}

}  // namespace backlit
