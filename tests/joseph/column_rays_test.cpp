// The transpose gathered column by column, on the host, against the reference in double precision.
#include <catch2/catch.hpp>
#include <random>

#include <backlit/device/backend.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "projectors/joseph/column_rays.hpp"
#include "projectors/joseph/flat_rays.hpp"
#include "projectors/joseph/main_axes.hpp"
#include "projectors/joseph/slice_steps.hpp"
#include "projectors/shared/make_ray_frame.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using test::CtCase;
using test::relative_l2;

namespace {

std::vector<float> random_values(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& v : values) v = uniform(random);
  return values;
}

/// Pixels times the length of their rays in a slice's slab, rows upwards along z.
std::vector<float> weighed(const CtCase& c, const ColumnRays& columns, const std::vector<float>& views) {
  const Detector& d = c.scan.detector;
  std::vector<float> result(views.size());
  for (std::size_t n = 0; n < c.scan.views.size(); ++n) {
    const auto frame = make_ray_frame(d, c.scan.views[n], c.grid);
    for (std::int64_t row = 0; row < d.rows; ++row)
      for (std::int64_t column = 0; column < d.columns; ++column) {
        const auto ray = make_ray(frame, static_cast<double>(column), static_cast<double>(row));
        const auto image = static_cast<std::int64_t>(n) * d.pixels();
        const int axis = static_cast<int>(
            columns.rays[n * static_cast<std::size_t>(d.columns) + static_cast<std::size_t>(column)].axis);
        const std::int64_t upwards = columns.rows_run_down ? d.rows - 1 - row : row;
        result[static_cast<std::size_t>(image + upwards * d.columns + column)] =
            static_cast<float>(static_cast<double>(views[static_cast<std::size_t>(image + row * d.columns + column)]) /
                               std::abs(ray.direction[axis]));
      }
  }
  return result;
}

/// As the kernels do it.
template <int K, int R, bool flat, bool parallel>
std::vector<float> gather_as(const CtCase& c, const ColumnRays& columns, const std::vector<float>& pixels) {
  const Detector& d = c.scan.detector;
  const Size3 size = c.grid.size;
  const int wide = static_cast<int>(d.columns), rows = static_cast<int>(d.rows);
  std::vector<float> volume(static_cast<std::size_t>(c.grid.voxels()));
  for (std::int64_t first = 0; first < size[2]; first += K)
    for (std::int64_t j = 0; j < size[1]; ++j)
      for (std::int64_t i = 0; i < size[0]; ++i) {
        const float x = static_cast<float>(i) - 0.5f * static_cast<float>(size[0] - 1);
        const float y = static_cast<float>(j) - 0.5f * static_cast<float>(size[1] - 1);
        float sum[K] = {};
        for (std::size_t n = 0; n < columns.views.size(); ++n)
          for (int axis = 0; axis < 2; ++axis) {
            const ColumnRayView& view = columns.views[n];
            if (!(view.axes >> axis & 1u)) continue;
            const VoxelColumn column = voxel_column<flat, parallel>(view, axis, x, y, wide);
            for (int u = column.first; u <= column.last; ++u) {
              const ColumnRay& ray =
                  columns.rays[n * static_cast<std::size_t>(d.columns) + static_cast<std::size_t>(u)];
              const ColumnShare s = column_share(ray, column, axis, parallel ? 1 : 1 / column.along);
              if (s.share == 0) continue;
              const float row = fmaf(static_cast<float>(first - 1) - view.height, s.step, view.row);
              for_rows_between<K, R>(
                  row, s.step, s.share, rows,
                  [&](int r) {
                    return pixels[(n * static_cast<std::size_t>(rows) + static_cast<std::size_t>(r)) *
                                      static_cast<std::size_t>(wide) +
                                  static_cast<std::size_t>(u)];
                  },
                  [&](int k, float upper, float per_row, const auto& values) {
                    for (const float value : values) {
                      if (k > 0) sum[k - 1] = fmaf(s.share - upper, value, sum[k - 1]);
                      if (k < K) sum[k] = fmaf(upper, value, sum[k]);
                      upper += per_row;
                    }
                  });
            }
          }
        for (std::int64_t k = 0; k < std::min<std::int64_t>(K, size[2] - first); ++k)
          volume[static_cast<std::size_t>(((first + k) * size[1] + j) * size[0] + i)] = sum[k];
      }
  return volume;
}

template <int K, int R>
std::vector<float> gather(const CtCase& c, const ColumnRays& columns, const std::vector<float>& pixels) {
  if (columns.parallel)
    return (columns.flat ? gather_as<K, R, true, true> : gather_as<K, R, false, true>)(c, columns, pixels);
  return (columns.flat ? gather_as<K, R, true, false> : gather_as<K, R, false, false>)(c, columns, pixels);
}

std::vector<CtCase> cases() {
  auto all = test::ct_cases();
  const VolumeGrid grid = test::small_grid();
  const auto add = [&](const char* name, const Detector& d, std::vector<View> views, VolumeGrid g) {
    all.push_back({name, g, {d, std::move(views)}});
  };
  Detector fine = test::small_detector(), one_column = fine, one_row = fine;
  fine.pixel_u = fine.pixel_v = 0.37;
  fine.columns = 133, fine.rows = 91;
  one_column.columns = 1;
  one_row.rows = 1;
  DetectorPlacement offset;
  offset.offset_u = 14.3;
  const auto angles = equal_angles(8, 0);
  add("fine pixels", fine, circular_views(fine, angles, 60, 100), grid);
  add("quarter turns and diagonals", fine, circular_views(fine, equal_angles(8, 45), 60, 100), grid);
  add("parallel diagonals", fine, parallel_views(fine, equal_angles(8, 45)), {{15, 15, 7}, Vec3(1), Vec3(0)});
  Detector as_voxels = fine;
  as_voxels.pixel_u = as_voxels.pixel_v = 1;
  for (const std::int64_t slices : {8, 9})
    add(slices == 8 ? "rows half a voxel from voxels" : "rows at voxels", as_voxels, parallel_views(as_voxels, angles),
        {{15, 13, slices}, Vec3(1), Vec3(0)});
  add("one column", one_column, circular_views(one_column, angles, 60, 100), grid);
  add("one row", one_row, circular_views(one_row, angles, 60, 100), grid);
  add("mostly beside the grid", fine, circular_views(fine, angles, 60, 100, {90, 70, 0, 0, 0}), grid);
  auto upside_down = circular_views(fine, angles, 60, 100, offset);
  for (View& v : upside_down) v.v = -v.v;
  add("rows that run down", fine, upside_down, grid);
  auto mirrored = circular_views(fine, angles, 60, 100, offset);
  for (View& v : mirrored) v.u = -v.u;
  add("columns that run the other way", fine, mirrored, grid);
  add("one view", fine, circular_views(fine, {33}, 60, 100), grid);
  add("tall voxels", fine, circular_views(fine, angles, 60, 100), {{11, 9, 3}, Vec3(1.9, 1.7, 4.1), Vec3(0)});
  add("flat voxels", fine, circular_views(fine, angles, 60, 100), {{11, 9, 41}, Vec3(1.9, 1.7, 0.4), Vec3(0)});
  return all;
}

}  // namespace

TEST_CASE("pairs of rows are what all rows between voxels give") {
  constexpr int K = 6, rows = 64;
  const auto pixels = random_values(rows, 5);
  const auto between_rows = [&](float row) {  // as a texture filters
    const float first = std::floor(row), past = row - first;
    const auto pixel = [&](float r) {
      return r < 0 || r >= rows ? 0.0f : pixels[static_cast<std::size_t>(static_cast<int>(r))];
    };
    return (1 - past) * pixel(first) + past * pixel(first + 1);
  };
  const auto check = [&](float row, float step, auto gather_pairs) {
    const int middle = rows / 2;
    float expected[K] = {}, sum[K] = {};
    for_rows_between<K, 0>(
        row, step, 1.0f, rows, [&](int r) { return pixels[static_cast<std::size_t>(r)]; },
        [&](int k, float share, float, const float(&value)[1]) {
          if (k > 0) expected[k - 1] += (1 - share) * value[0];
          if (k < K) expected[k] += share * value[0];
        });
    gather_pairs(row, step, [&](int k, float at, float share) {
      sum[k] += share * between_rows(at + static_cast<float>(middle));
    });
    INFO(step << " rows per voxel, from row " << row);
    for (int k = 0; k < K; ++k) CHECK(sum[k] == Approx(expected[k]).margin(1e-4));
  };
  for (const float row : {-35.2f, -10.0f, -3.75f, 0.4f, 8.5f, 29.9f}) {
    for (const float step : {0.2f, 0.75f, 1.0f})
      check(row, step, [](float r, float s, auto take) { for_row_pairs<K, 1>(r, s, take); });
    for (const float step : {0.75f, 1.0f, 1.3f, 1.5f, 1.99f, 2.0f})
      check(row, step, [](float r, float s, auto take) { for_row_pairs<K, 2>(r, s, take); });
  }
}

TEST_CASE("gathering column by column is the transpose of Joseph's method, by ray and by view") {
  const auto cpu = make_backend("cpu");
  int served = 0;
  for (const CtCase& c : cases())
    for (const StackChoice choice : {StackChoice::ray, StackChoice::view}) {
      INFO(c.name << (choice == StackChoice::view ? ", stack=view" : ""));
      const CtOptions options{.model = Model::joseph, .stack = choice};
      const auto op = cpu->make_ct(c.grid, c.scan, options);
      const auto axes = choice == StackChoice::view ? view_axes(c.scan, c.grid) : std::vector<int>{};
      const bool refused =
          c.name == "tilted" || c.name == "laminographic" || (c.name == "flat voxels" && choice == StackChoice::ray);
      CHECK(column_rays_refusal(c.scan, c.grid, axes).empty() != refused);
      if (refused) continue;
      const ColumnRays columns = column_rays(c.scan, c.grid, axes);
      const auto views = random_values(op->range().count(), 1);
      const ArrayPtr y = op->make_range(c.scan.view_count()), x = op->make_domain();
      cpu->upload(views, *y);
      op->back(*y, *x, op->all(), Write::overwrite);
      std::vector<float> expected(static_cast<std::size_t>(x->count()));
      cpu->download(*x, expected);
      const auto pixels = weighed(c, columns, views);
      CHECK(relative_l2(gather<4, 0>(c, columns, pixels), expected) < 1e-5);
      CHECK(relative_l2(gather<1, 0>(c, columns, pixels), expected) < 1e-5);
      if (columns.most_rows <= 1) CHECK(relative_l2(gather<16, 1>(c, columns, pixels), expected) < 1e-5);
      if (columns.most_rows <= 3) CHECK(relative_l2(gather<16, 3>(c, columns, pixels), expected) < 1e-5);
      ++served;
    }
  CHECK(served > 20);
}

namespace {

/// What one axis of a view gives to a voxel, as the kernel does it: `at` is the middle of a few voxels along the second
/// axis of the slice, which is so many voxels from the voxel, and `reach` voxels from the outer ones.
template <int axis, bool parallel>
float gather_flat(const CtCase& c, const FlatView& view, const VoxelOnDetector& at, const std::vector<float>& pixels,
                  std::size_t n, float from_middle = 0, float reach = 0) {
  const Detector& d = c.scan.detector;
  const PassingRays p = passing_rays<axis, parallel>(view, at, reach);
  float sum = 0;
  if (!(view.axes >> axis & 1u) || !p.any) return sum;
  for (std::int64_t row = 0; row < d.rows; ++row)
    for (std::int64_t column = 0; column < d.columns; ++column) {
      const float along = static_cast<float>(column) - at.column, down = static_cast<float>(row) - at.row;
      if (std::abs(along) > p.columns || std::abs(down) > p.rows) continue;
      if (!p.all && !has_axis<axis>(view, at, along, down)) continue;
      const auto pixel = (static_cast<std::int64_t>(n) * d.rows + row) * d.columns + column;
      const Passing q = passing(p, along, down);
      sum = fmaf(share_at(q.u) * share_at(q.v - from_middle), pixels[static_cast<std::size_t>(pixel)], sum);
    }
  return sum;
}

template <bool parallel>
std::vector<float> gather_flat(const CtCase& c, const std::vector<float>& pixels) {
  const std::vector<FlatView> views = flat_views(c.scan, c.grid);
  std::vector<float> volume;
  const auto from_middle = [&](std::int64_t i, std::size_t axis) {
    return static_cast<float>(i) - 0.5f * static_cast<float>(c.grid.size[axis] - 1);
  };
  for (std::int64_t k = 0; k < c.grid.size[2]; ++k)
    for (std::int64_t j = 0; j < c.grid.size[1]; ++j)
      for (std::int64_t i = 0; i < c.grid.size[0]; ++i) {
        float sum = 0;
        const float x = from_middle(i, 0), y = from_middle(j, 1), z = from_middle(k, 2);
        const float reach = 1.5F, off = static_cast<float>(k % 4) - reach;  // of four voxels along z
        for (std::size_t n = 0; n < views.size(); ++n) {
          const VoxelOnDetector at = voxel_on_detector<parallel>(views[n], x, y, z),
                                middle = voxel_on_detector<parallel>(views[n], x, y, z - off);
          sum += gather_flat<0, parallel>(c, views[n], middle, pixels, n, off, reach) +
                 gather_flat<1, parallel>(c, views[n], middle, pixels, n, off, reach) +
                 gather_flat<2, parallel>(c, views[n], at, pixels, n);
        }
        volume.push_back(sum);
      }
  return volume;
}

}  // namespace

TEST_CASE("gathering about a voxel's place is the transpose of Joseph's method for any flat detector") {
  const auto cpu = make_backend("cpu");
  int served = 0;
  for (const CtCase& c : cases()) {
    if (c.scan.detector.shape != Detector::Shape::flat || c.scan.detector.columns > 100) continue;
    INFO(c.name);
    const auto op = cpu->make_ct(c.grid, c.scan, {.model = Model::joseph});
    auto views = random_values(op->range().count(), 1);
    const ArrayPtr y = op->make_range(c.scan.view_count()), x = op->make_domain();
    cpu->upload(views, *y);
    op->back(*y, *x, op->all(), Write::overwrite);
    std::vector<float> expected(static_cast<std::size_t>(x->count()));
    cpu->download(*x, expected);
    const Detector& d = c.scan.detector;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i), pixel = at % d.pixels(), row = pixel / d.columns;
      const auto frame = make_ray_frame(d, c.scan.views[i / static_cast<std::size_t>(d.pixels())], c.grid);
      const auto ray = make_ray(frame, static_cast<double>(pixel % d.columns), static_cast<double>(row));
      views[i] = static_cast<float>(static_cast<double>(views[i]) / std::abs(ray.direction[main_axis(ray.direction)]));
    }
    const auto result = c.scan.beam() == Beam::parallel ? gather_flat<true>(c, views) : gather_flat<false>(c, views);
    CHECK(relative_l2(result, expected) < 1e-5);
    ++served;
  }
  CHECK(served > 6);
}
