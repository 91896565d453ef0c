// The CPU's backprojection of whole columns of voxels.
#include <catch2/catch.hpp>

#include <random>

#include <backlit/device/cpu/cpu_array.hpp>
#include "projectors/voxel_driven/cpu.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;

namespace columns_test {
namespace {

const std::vector<double>& of_views(std::int64_t count) {
  static std::vector<double> values;
  std::minstd_rand random;
  while (std::ssize(values) < count) values.push_back(static_cast<double>(random() % 1000) / 1000);
  return values;
}

/// Some slices, from all rows of the detector or some of them.
std::vector<double> slices(const test::CtCase& c, Weighting weighting, Interpolation interpolation,
                           const IndexRange& part, const IndexRange& rows) {
  CpuVoxelDriven a(c.grid, c.scan, weighting, interpolation, part, rows);
  const auto y = a.make_range(c.scan.view_count()), x = a.make_domain();
  const std::int64_t columns = c.scan.detector.columns, all = c.scan.detector.rows;
  const std::vector<double>& values = of_views(c.scan.view_count() * c.scan.detector.pixels());
  double* to = cpu_values(*y);
  for (std::int64_t view = 0; view < c.scan.view_count(); ++view)
    to = std::copy_n(values.begin() + (view * all + rows.first) * columns, rows.count * columns, to);
  a.back(*y, *x, a.all(), Write::accumulate);
  return {cpu_values(*x), cpu_values(*x) + x->count()};
}

}  // namespace

TEST_CASE("Columns of voxels get on the CPU what single slices get") {
  for (const test::CtCase& c : test::ct_cases())
    for (const Weighting weighting : {Weighting::none, Weighting::fdk})
      for (const Interpolation interpolation : {Interpolation::linear, Interpolation::nearest}) {
        INFO(c.name);
        const IndexRange rows{0, c.scan.detector.rows};
        const auto whole = slices(c, weighting, interpolation, {0, c.grid.size[2]}, rows);
        std::vector<double> one_by_one;
        for (std::int64_t k = 0; k < c.grid.size[2]; ++k) {
          const auto slice = slices(c, weighting, interpolation, {k, 1}, rows);
          one_by_one.insert(one_by_one.end(), slice.begin(), slice.end());
        }
        CHECK(test::relative_l2(whole, one_by_one) < 1e-13);
      }
}

TEST_CASE("Columns of voxels on the CPU have the same bits in a slab, from the rows that it sees") {
  test::CtCase c = test::ct_cases().front();
  c.grid.size[2] = 20;
  c.scan.detector.rows = 64;
  c.scan.detector.pixel_v = 0.7;
  c.scan.views = circular_views(c.scan.detector, equal_angles(5, 11), 60, 100);
  const auto whole = slices(c, Weighting::fdk, Interpolation::linear, {0, 20}, {0, 64});
  const auto slab = slices(c, Weighting::fdk, Interpolation::linear, {12, 8}, {27, 37});
  const std::int64_t slice = c.grid.size[0] * c.grid.size[1];
  CHECK(std::equal(slab.begin(), slab.end(), whole.begin() + 12 * slice));
  CHECK(slab != slices(c, Weighting::fdk, Interpolation::linear, {12, 8}, {45, 19}));  // it sees more rows
}

}  // namespace columns_test
