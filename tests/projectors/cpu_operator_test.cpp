#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "support/projectors/ct_cases.hpp"

using namespace backlit;

namespace {

std::vector<float> noise(std::int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& v : values) v = uniform(engine);
  return values;
}

std::vector<float> values_of(Backend& backend, const DeviceArray& array) {
  std::vector<float> values(static_cast<std::size_t>(array.count()));
  backend.download(array, values);
  return values;
}

/// |<Ax, y> - <x, A'y>| over the larger of the two norms' product that bounds both.
double adjoint_error(Backend& backend, LinearOperator& a, const Subset& subset) {
  auto x = a.make_domain(), back = a.make_domain();
  auto y = a.make_range(subset.count), projected = a.make_range(subset.count);
  backend.upload(noise(x->count(), 1), *x);
  backend.upload(noise(y->count(), 2), *y);
  a.forward(*x, *projected, subset, Write::overwrite);
  a.back(*y, *back, subset, Write::overwrite);
  const double scale = std::sqrt(backend.dot(*projected, *projected) * backend.dot(*y, *y));
  REQUIRE(scale > 0);
  return std::abs(backend.dot(*projected, *y) - backend.dot(*x, *back)) / scale;
}

}  // namespace

TEST_CASE("CPU projectors and backprojectors are adjoint for every geometry, whole and by subsets") {
  auto backend = make_backend("cpu");
  for (const auto& c : test::ct_cases())
    for (Model model : {Model::voxel_driven, Model::joseph, Model::raycast, Model::siddon, Model::blob}) {
      if (model == Model::blob && c.grid.size[2] == 1) continue;
      INFO(c.name << ", " << name(model));
      auto a = backend->make_ct(c.grid, c.scan, {.model = model});
      REQUIRE(a->matched());
      CHECK(adjoint_error(*backend, *a, a->all()) < 1e-13);
      CHECK(adjoint_error(*backend, *a, {1, 2, 3}) < 1e-13);
      if (model != Model::joseph && model != Model::voxel_driven) continue;
      const std::string other = model == Model::voxel_driven ? "interpolation=nearest" : "stack=view";
      a = backend->make_ct(c.grid, c.scan, {.model = model, .variant = other});
      CHECK(a->variant() == name(model) + std::string(" double, ") + other);
      CHECK(adjoint_error(*backend, *a, {1, 2, 3}) < 1e-13);
    }
}

TEST_CASE("A subset reads and writes its own rows alone, in whole and in compact arrays alike") {
  auto backend = make_backend("cpu");
  const auto c = test::ct_cases().front();
  auto a = backend->make_ct(c.grid, c.scan, {.model = Model::joseph});
  const Subset subset{1, 2, 3};  // views 1 and 4
  auto x = a->make_domain();
  auto all = a->make_range(c.scan.view_count()), some = a->make_range(c.scan.view_count());
  auto compact = a->make_range(2);
  backend->upload(noise(x->count(), 3), *x);
  backend->fill(*some, 5);
  backend->fill(*compact, 5);
  a->forward(*x, *all, a->all(), Write::overwrite);
  a->forward(*x, *some, subset, Write::overwrite);
  a->forward(*x, *compact, subset, Write::accumulate);

  const auto whole = values_of(*backend, *all), part = values_of(*backend, *some),
             packed = values_of(*backend, *compact);
  const auto pixels = static_cast<std::size_t>(c.scan.detector.pixels());
  for (std::size_t v = 0; v < 7; ++v)
    for (std::size_t p = 0; p < pixels; ++p) {
      const bool mine = v == 1 || v == 4;
      REQUIRE(part[v * pixels + p] == (mine ? whole[v * pixels + p] : 5.0f));
      if (mine) REQUIRE(packed[(v == 4) * pixels + p] == Approx(whole[v * pixels + p] + 5.0f).epsilon(1e-6));
    }

  auto from_all = a->make_domain(), from_compact = a->make_domain(), weights = a->make_domain();
  a->back(*some, *from_all, subset, Write::overwrite);
  auto packed_same = a->make_range(2);
  a->forward(*x, *packed_same, subset, Write::overwrite);
  a->back(*packed_same, *from_compact, subset, Write::overwrite);
  CHECK(values_of(*backend, *from_all) == values_of(*backend, *from_compact));

  backend->fill(*packed_same, 1);
  a->back(*packed_same, *from_all, subset, Write::overwrite);
  a->sensitivity(*weights, subset);
  CHECK(values_of(*backend, *from_all) == values_of(*backend, *weights));

  CHECK_THROWS_WITH(a->forward(*x, *compact, Subset{5, 2, 2}, Write::overwrite),
                    "subset: rows 5, 7, ... (2 of them) of 7");
  CHECK_THROWS_WITH(a->forward(*x, *compact, Subset{0, 3, 1}, Write::overwrite),
                    Catch::Contains("make it with make_range()"));
}

TEST_CASE("A ray through a box sums to the length it has inside, from outside and from a source within") {
  auto backend = make_backend("cpu");
  // One voxel layer of zeros around 20^3 ones: along the main axis the model is exact, away from the edges.
  const VolumeGrid grid{{22, 22, 22}, Vec3(1.5), Vec3(0)};
  std::vector<float> box(static_cast<std::size_t>(grid.voxels()), 0.0f);
  for (std::size_t k = 1; k < 21; ++k)
    for (std::size_t j = 1; j < 21; ++j)
      for (std::size_t i = 1; i < 21; ++i) box[(k * 22 + j) * 22 + i] = 1;
  Detector d;
  d.columns = 9;
  d.rows = 5;
  d.pixel_u = d.pixel_v = 2;
  for (const double source : {200.0, 4.0}) {  // 4 mm from the axis: inside the box, which reaches to 15 mm
    const auto angles = std::vector<double>{0, 90, 180, 270, 20};
    const Scan scan{d, circular_views(d, angles, source, source + 100)};
    auto a = backend->make_ct(grid, scan, {.model = Model::joseph});
    auto x = a->make_domain(), y = a->make_range(5);
    backend->upload(box, *x);
    a->forward(*x, *y, a->all(), Write::overwrite);
    const auto sums = values_of(*backend, *y);
    for (std::int64_t v = 0; v < 5; ++v)
      for (std::int64_t row = 0; row < d.rows; ++row)
        for (std::int64_t column = 0; column < d.columns; ++column) {
          const View& view = scan.views[static_cast<std::size_t>(v)];
          const Vec3 ray = ray_direction(d, view, static_cast<double>(column), static_cast<double>(row));
          double enter = 0, leave = 1e9;
          for (int i = 0; i < 3; ++i) {
            const double t0 = (-15 - view.source[i]) / ray[i], t1 = (15 - view.source[i]) / ray[i];
            enter = std::max(enter, std::min(t0, t1));
            leave = std::min(leave, std::max(t0, t1));
          }
          INFO("source " << source << ", view " << v << ", row " << row << ", column " << column);
          const double sum = sums[static_cast<std::size_t>((v * d.rows + row) * d.columns + column)];
          REQUIRE(sum == Approx(leave - enter).epsilon(v < 4 ? 1e-6 : 0.01));
        }
  }
}

TEST_CASE("A voxel's ramp is integrated as trapezoids: slices at voxel centres, zero outside the grid") {
  auto backend = make_backend("cpu");
  const VolumeGrid grid{{3, 5, 1}, Vec3(2, 3, 1), Vec3(0)};
  Detector d;
  d.columns = 3;
  d.rows = 1;
  d.pixel_u = 2;
  const Scan scan{d, parallel_views(d, {90})};  // rays along -y, u along -x
  auto a = backend->make_ct(grid, scan, {.model = Model::joseph});
  auto x = a->make_domain(), y = a->make_range(1);
  std::vector<float> values(15);
  for (std::size_t i = 0; i < 15; ++i) values[i] = static_cast<float>(i);
  backend->upload(values, *x);
  a->forward(*x, *y, a->all(), Write::overwrite);
  CHECK(values_of(*backend, *y) == std::vector<float>{3 * 40, 3 * 35, 3 * 30});
}

TEST_CASE("A backend refuses what it does not have and lists what it has") {
  auto backend = make_backend("cpu");
  const auto c = test::ct_cases().front();
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, {.model = Model::branchless_dd}),
                    "model: the cpu backend does not offer 'branchless_dd'; it offers voxel_driven, "
                    "joseph, raycast, siddon, blob, distance_driven");
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, {.model = Model::raycast, .step = 0}),
                    "step: 0 voxels between samples of raycast; give a number from 0.01 to 2");
  VolumeGrid slice = c.grid;
  slice.size[2] = 1;
  CHECK_THROWS_WITH(backend->make_ct(slice, c.scan, {.model = Model::blob}),
                    "model: blob's kernels are round in space, the grid has one slice; choose another model");
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, {.precision = Precision::half}),
                    "precision: the cpu backend does not offer 'half'; it offers exact, fast");
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, {.packing = Packing::orbit}),
                    "packing: the cpu backend does not offer 'orbit'; it offers auto, none");
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, {.variant = "quick"}),
                    "variant: the cpu backend does not offer 'quick'; it offers interpolation=linear, "
                    "interpolation=nearest");
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, {.model = Model::raycast, .variant = "quick"}),
                    "variant: the cpu backend does not offer 'quick'; leave it out");
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, {.model = Model::joseph, .variant = "quick"}),
                    "variant: the cpu backend does not offer 'quick'; it offers stack=ray, stack=view");
  CHECK_THROWS_AS(backend->make_ct(c.grid, c.scan, {.model = Model::joseph, .weighting = Weighting::fdk}), Unsupported);
  auto fdk = backend->make_ct(c.grid, c.scan, {.weighting = Weighting::fdk});
  CHECK_FALSE(fdk->matched());
  auto x = fdk->make_domain(), y = fdk->make_range(1);
  CHECK_THROWS_AS(fdk->forward(*x, *y, {0, 1, 1}, Write::overwrite), Unsupported);
  CHECK_THROWS_WITH(make_backend("tpu"), Catch::StartsWith("backend: unknown backend 'tpu'; choose one of auto, cpu"));
}
