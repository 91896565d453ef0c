// Vector operations between the projections of an iteration: several in one pass, on backends that can.
#pragma once

#include <backlit/device/backend.hpp>

namespace backlit {

/// A backend with such passes implements this. Arrays are linear and belong to the backend.
class FusedOperations {
 public:
  virtual ~FusedOperations() = default;
  virtual bool owns(const DeviceArray&) const = 0;
  virtual void weigh_residual(const DeviceArray& b, const DeviceArray& w, DeviceArray& r, DeviceArray& total) = 0;
  virtual void add_quotient(float a, const DeviceArray& d, const DeviceArray& s, float floor, float least,
                            DeviceArray& x) = 0;
  virtual void multiply_quotient(const DeviceArray& d, const DeviceArray& s, float floor, DeviceArray& x) = 0;
  virtual void extrapolate(float momentum, const DeviceArray& x, DeviceArray& before) = 0;
};

// These functions use the backend's own pass, or else its vector operations.

/// r = w (b - r) and total += |b - r|^2, where `total` holds one value.
void weigh_residual(Backend&, const DeviceArray& b, const DeviceArray& w, DeviceArray& r, DeviceArray& total);
/// x = max(x + a d / s, least), or max(x, least) where |s| <= floor. `d` is used up.
void add_quotient(Backend&, float a, DeviceArray& d, const DeviceArray& s, float floor, float least, DeviceArray& x);
/// x = x d / s where |s| > floor. `d` is used up.
void multiply_quotient(Backend&, DeviceArray& d, const DeviceArray& s, float floor, DeviceArray& x);
/// before = x + momentum (x - before)
void extrapolate(Backend&, float momentum, const DeviceArray& x, DeviceArray& before);

}  // namespace backlit
