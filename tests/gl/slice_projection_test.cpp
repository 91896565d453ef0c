// Projection through stacks of slices and its transpose against the cpu backend, which computes in double.
#include <algorithm>
#include <functional>

#include "backend/gl/gl_backend_class.hpp"
#include "core/error.hpp"
#include "gl_cases.hpp"

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace backlit::gl {
namespace {

CtOptions options(Precision precision, const std::string& variant = "") {
  return {Model::slice_interpolated, precision, Packing::automatic, Weighting::none, variant};
}

struct Pair {
  std::vector<float> volume, projections;  ///< given
  std::vector<float> forward, back;        ///< what became of them
};

Pair random_pair(const Case& c) {
  return {random_values(c.grid.voxels(), 5, 0.5f, 1),
          random_values(c.scan.view_count() * c.scan.detector.pixels(), 7, 0.5f, 1),
          {},
          {}};
}

/// A x and A' y for the views of the subset, or all.
void apply(Backend& backend, const Case& c, const CtOptions& o, Pair& p) {
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

Pair reference(const Case& c) {
  const auto cpu = make_backend("cpu");
  Pair p = random_pair(c);
  apply(*cpu, c, options(Precision::exact), p);
  return p;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

/// How far <A x, y> is from <x, A' y>.
double mismatch(const Pair& p) {
  const double a = dot(p.forward, p.projections), b = dot(p.volume, p.back);
  return std::abs(a - b) / std::abs(b);
}

TEST_CASE("Slice-interpolated projection agrees with double precision for every geometry, and with its transpose") {
  GlBackend backend(test_context());
  for (const Case& c : cases()) {
    const Pair truth = reference(c);
    const auto check = [&](const CtOptions& o, double tolerance, double match) {
      INFO(c.name << ", " << name(o.precision) << " " << o.variant);
      Pair p = random_pair(c);
      apply(backend, c, o, p);
      CHECK(relative_l2(p.forward, truth.forward) < tolerance);
      CHECK(relative_l2(p.back, truth.back) < 1e-5);
      CHECK(mismatch(p) < match);
    };
    check(options(Precision::exact), 1e-5, 1e-5);
    check(options(Precision::exact, "draw=slices"), 1e-5, 1e-5);
    check(options(Precision::exact, "draw=compute"), 1e-5, 1e-5);
    check(options(Precision::fast), 1e-3, 1e-3);
    check(options(Precision::fast, "draw=slices"), 1e-3, 1e-3);
    check(options(Precision::half), 2e-3, 1e-3);
    backend.context().check();
  }
}

}  // namespace
}  // namespace backlit::gl
