#include "device/fused.hpp"

#include <limits>

namespace backlit {
namespace {

/// The innermost backend's operations. Null when it has none or does not own the array (volumes in parts).
FusedOperations* fused(Backend& backend, const DeviceArray& array) {
  auto* const own = dynamic_cast<FusedOperations*>(&backend.innermost());
  return own && own->owns(array) ? own : nullptr;
}

}  // namespace

void weigh_residual(Backend& backend, const DeviceArray& b, const DeviceArray& w, DeviceArray& r, DeviceArray& total) {
  if (auto* const own = fused(backend, r)) return own->weigh_residual(b, w, r, total);
  backend.subtract_from(b, r);
  backend.add_square(r, total);
  backend.multiply(w, r);
}

void add_quotient(Backend& backend, float a, DeviceArray& d, const DeviceArray& s, float floor, float least,
                  DeviceArray& x) {
  if (auto* const own = fused(backend, x)) return own->add_quotient(a, d, s, floor, least, x);
  backend.divide(s, d, floor);
  backend.axpy(a, d, x);
  if (least > std::numeric_limits<float>::lowest()) backend.clamp(x, least, std::numeric_limits<float>::max());
}

/// x += x (d - s) / s, so that x is unchanged where |s| is too small.
void multiply_quotient(Backend& backend, DeviceArray& d, const DeviceArray& s, float floor, DeviceArray& x) {
  if (auto* const own = fused(backend, x)) return own->multiply_quotient(d, s, floor, x);
  backend.axpy(-1, s, d);
  backend.divide(s, d, floor);
  backend.multiply(x, d);
  backend.axpy(1, d, x);
}

void extrapolate(Backend& backend, float momentum, const DeviceArray& x, DeviceArray& before) {
  if (auto* const own = fused(backend, before)) return own->extrapolate(momentum, x, before);
  backend.scale(before, -momentum);
  backend.axpy(1 + momentum, x, before);
}

}  // namespace backlit
