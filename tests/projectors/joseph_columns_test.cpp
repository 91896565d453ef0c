#include <catch2/catch.hpp>

#include <cmath>

#include <backlit/device/backend.hpp>
#include "projectors/joseph/column_rays.hpp"
#include "projectors/joseph/cpu.hpp"
#include "projectors/joseph/main_axes.hpp"
#include "support/projectors/ct_cases.hpp"

using namespace backlit;

namespace joseph_columns_test {
namespace {

/// |a - b| / |b|
double apart(Backend& backend, DeviceArray& a, const DeviceArray& b) {
  backend.axpy(-1, b, a);
  const double norm = backend.dot(b, b);
  REQUIRE(norm > 0);
  return std::sqrt(backend.dot(a, a) / norm);
}

void fill_with_noise(Backend& backend, DeviceArray& a) {
  std::vector<float> values(static_cast<std::size_t>(a.count()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7919 % 1009) / 1009;
  backend.upload(values, a);
}

}  // namespace

TEST_CASE("Joseph's method column by column is what it is ray by ray, for every scan with columns along z") {
  const auto backend = make_backend("cpu");
  std::vector<std::string> compared;
  for (const auto& c : test::ct_cases())
    for (const StackChoice stack : {StackChoice::ray, StackChoice::view}) {
      const Scan& scan = c.scan;
      if (!steep_view(scan, c.grid).empty()) continue;
      const std::vector<int> axes = stack == StackChoice::view ? view_axes(scan, c.grid) : std::vector<int>();
      if (!column_rays_refusal(scan, c.grid, axes).empty()) continue;
      INFO(c.name << (axes.empty() ? "" : ", by view"));
      const auto rays = joseph_by_rays(c.grid, scan, axes), columns = joseph_by_columns(c.grid, scan, axes);
      CHECK(rays->variant() == columns->variant());
      const Subset some{1, scan.view_count() / 2, 2};
      auto x = rays->make_domain(), x1 = rays->make_domain(), x2 = rays->make_domain();
      auto y = rays->make_range(some.count), y1 = rays->make_range(some.count), y2 = rays->make_range(some.count);
      fill_with_noise(*backend, *x);
      fill_with_noise(*backend, *y);
      rays->forward(*x, *y1, some, Write::overwrite);
      columns->forward(*x, *y2, some, Write::overwrite);
      CHECK(apart(*backend, *y2, *y1) < 1e-12);
      rays->back(*y, *x1, some, Write::overwrite);
      columns->back(*y, *x2, some, Write::overwrite);
      columns->back(*y, *x2, some, Write::accumulate);
      backend->scale(*x2, 0.5f);
      CHECK(apart(*backend, *x2, *x1) < 1e-12);
      compared.push_back(c.name);
    }
  CAPTURE(compared);
  CHECK(compared.size() >= 10);
}

}  // namespace joseph_columns_test
