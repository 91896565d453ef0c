// A projector and its transpose applied to random data, by any backend.
#pragma once

#include <backlit/device/backend.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "support/gl/gl_cases.hpp"

namespace backlit::gl {

struct Pair {
  std::vector<float> volume, projections;  ///< input
  std::vector<float> forward, back;        ///< results
};

inline Pair random_pair(const Case& c) {
  return {random_values(c.grid.voxels(), 5, 0.5f, 1),
          random_values(c.scan.view_count() * c.scan.detector.pixels(), 7, 0.5f, 1),
          {},
          {}};
}

/// A x and A' y for the views of the subset, or all.
inline void apply(Backend& backend, const Case& c, const CtOptions& o, Pair& p) {
  const auto ct = backend.make_ct(c.grid, c.scan, o);
  const auto x = ct->make_domain(), y = ct->make_range(c.scan.view_count());
  p.forward.resize(p.projections.size());
  p.back.resize(p.volume.size());
  backend.upload(p.volume, *x);
  ct->forward(*x, *y, ct->all(), Write::overwrite);
  backend.download(*y, p.forward);
  backend.upload(p.projections, *y);
  ct->back(*y, *x, ct->all(), Write::overwrite);
  backend.download(*x, p.back);
}

inline Pair reference(const Case& c, Model model = Model::joseph, double step = CtOptions{}.step,
                      const std::string& variant = "") {
  const auto cpu = make_backend("cpu");
  Pair p = random_pair(c);
  apply(*cpu, c, {.model = model, .precision = Precision::exact, .variant = variant, .step = step}, p);
  return p;
}

inline double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

/// Relative difference of <A x, y> and <x, A' y>.
inline double mismatch(const Pair& p) {
  const double a = dot(p.forward, p.projections), b = dot(p.volume, p.back);
  return std::abs(a - b) / std::abs(b);
}

}  // namespace backlit::gl
