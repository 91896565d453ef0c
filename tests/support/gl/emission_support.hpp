// Emission of random activity through random attenuation, with its transpose.
#pragma once

#include <string>
#include <vector>

#include <backlit/projectors/linear_operator.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_support.hpp"
#include "support/projectors/emission_cases.hpp"

namespace backlit::gl {

struct Emitted {
  std::vector<float> forward, back;
  std::string variant;
};

inline std::vector<float> matter(const VolumeGrid& grid) { return random_values(grid.voxels(), 3, 0, 0.02f); }

inline std::vector<float> values_of(Backend& backend, const DeviceArray& a) {
  std::vector<float> values(static_cast<std::size_t>(a.count()));
  backend.download(a, values);
  return values;
}

/// A x and A' y of all views.
inline Emitted apply(Backend& backend, const test::EmissionCase& c, const EmissionOptions& o, bool back = true) {
  const auto a = backend.make_emission(c.grid, c.scan, matter(c.grid), o);
  const auto x = a->make_domain(), y = a->make_range(c.scan.view_count());
  backend.upload(random_values(x->count(), 1), *x);
  a->forward(*x, *y, a->all(), Write::overwrite);
  Emitted r{values_of(backend, *y), {}, a->variant()};
  if (!back) return r;
  backend.upload(random_values(y->count(), 2), *y);
  a->back(*y, *x, a->all(), Write::overwrite);
  r.back = values_of(backend, *x);
  return r;
}

/// Results of subsets of seven views: accumulated, overwritten, in arrays of all views and in smaller ones.
struct Parts {
  std::vector<float> views, volume, sums;
};

inline Parts in_subsets(Backend& backend, const test::EmissionCase& c, const EmissionOptions& o) {
  const auto a = backend.make_emission(c.grid, c.scan, matter(c.grid), o);
  CHECK(a->matched());
  const Subset some{1, 3, 2};
  const auto x = a->make_domain(), y = a->make_range(7), few = a->make_range(3);
  backend.upload(random_values(x->count(), 1), *x);
  backend.fill(*y, 5);
  a->forward(*x, *y, some, Write::accumulate);
  a->forward(*x, *y, {0, 1, 1}, Write::overwrite);
  a->forward(*x, *few, some, Write::overwrite);
  a->back(*few, *x, some, Write::accumulate);
  Parts parts{values_of(backend, *y), values_of(backend, *x), {}};
  a->sensitivity(*x, some);
  parts.sums = values_of(backend, *x);
  return parts;
}

inline void check_alike(const Parts& a, const Parts& b, double limit) {
  CHECK(relative_l2(a.views, b.views) < limit);
  CHECK(relative_l2(a.volume, b.volume) < limit);
  CHECK(relative_l2(a.sums, b.sums) < limit);
}

}  // namespace backlit::gl
