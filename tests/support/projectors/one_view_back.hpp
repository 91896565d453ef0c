// One view of a head and its exact transpose: here summed areas have their largest error.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <backlit/device/backend.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "study/bench/cases.hpp"
#include "support/projectors/recut.hpp"
#include "support/relative_l2.hpp"

namespace backlit::test {

struct OneViewBack {
  VolumeGrid grid;
  Scan scan;
  std::vector<float> image, truth;  ///< computed in double, stored in single precision
};

inline std::vector<float> apply_ct(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                                   bool forward, std::span<const float> input) {
  const auto a = backend.make_ct(grid, scan, options);
  const ArrayPtr x = a->make_domain(), y = a->make_range(scan.view_count());
  DeviceArray &from = forward ? *x : *y, &to = forward ? *y : *x;
  backend.upload(input, from);
  forward ? a->forward(from, to, a->all(), Write::overwrite) : a->back(from, to, a->all(), Write::overwrite);
  std::vector<float> result(static_cast<std::size_t>(to.count()));
  backend.download(to, result);
  return result;
}

/// View n of ct750's 984. `coarse`: at a quarter of its resolution, to be fast.
inline OneViewBack one_view_back(std::size_t n, bool coarse) {
  const BenchCase ct = bench_case("ct750");
  OneViewBack v{ct.grid, {ct.scan.detector, {ct.scan.views[n]}}, {}, {}};
  if (coarse) {
    const Size3& size = ct.grid.size;
    v.grid = with_voxels(ct.grid, {size[0] / 4, size[1] / 4, size[2] / 4});
    v.scan = with_cells(v.scan, v.scan.detector.columns / 4, v.scan.detector.rows / 4);
  }
  const auto cpu = make_backend("cpu");
  const CtOptions exact{.model = Model::distance_driven};
  v.image =
      apply_ct(*cpu, v.grid, v.scan, exact, true, voxelize(load_phantom("forbild-head"), v.grid, 1).values.span());
  v.truth = apply_ct(*cpu, v.grid, v.scan, exact, false, v.image);
  return v;
}

/// max|a - b| / max|b|, relative L2, and the root of the mean squared difference.
struct Errors {
  double normalised, relative, rmse;
};
inline Errors errors_of(std::span<const float> a, std::span<const float> b) {
  double difference = 0, largest = 0, square = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double off = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    difference = std::max(difference, std::abs(off));
    square += off * off;
    largest = std::max(largest, std::abs(static_cast<double>(b[i])));
  }
  return {difference / largest, relative_l2(a, b), std::sqrt(square / static_cast<double>(b.size()))};
}

/// Errors of a backend's backprojection.
inline Errors errors_of(const OneViewBack& v, Backend& backend, const CtOptions& options) {
  return errors_of(apply_ct(backend, v.grid, v.scan, options, false, v.image), v.truth);
}

}  // namespace backlit::test
