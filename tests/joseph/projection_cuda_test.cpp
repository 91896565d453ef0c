// Slice-interpolated projection on the device against the CPU reference, and against its own transpose.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "support/cuda.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using test::relative_l2;

namespace {

struct Setup {
  const char* name;
  Scan scan;
  VolumeGrid grid;
};

std::vector<Setup> setups() {
  const Detector d{41, 33, 2.1, 1.9}, one_row{67, 1, 1.5, 1.5}, level{41, 33, 2.1, 1.3}, fine{41, 61, 2.1, 0.9};
  Detector curved = d;
  curved.shape = Detector::Shape::curved;
  DetectorPlacement off, tilt;
  off.offset_u = 3.25;
  off.offset_v = -2;
  tilt.tilt_u = 3;
  tilt.tilt_v = -4;
  tilt.tilt_n = 5;
  const VolumeGrid square{{26, 26, 19}, {1.1, 1.1, 1.3}, {0, 0, 2}}, oblong{{29, 23, 17}, {1.0, 1.3, 0.9}, {4, -3, 5}},
      slice{{31, 27, 1}, {1, 1, 1}, {0, 0, 0}};
  const auto full = equal_angles(12, 10);
  return {{"circular", {d, circular_views(d, full, 200, 310, off)}, square},
          {"short scan, oblong grid off the axis", {d, circular_views(d, equal_angles(7, 0, 210), 200, 310)}, oblong},
          {"parallel", {d, parallel_views(d, full, off)}, square},
          {"parallel, a row at each voxel",
           {level, parallel_views(level, full)},
           {{26, 26, 19}, {1.1, 1.1, 1.3}, {0, 0, 0}}},
          {"up to three rows a voxel", {fine, circular_views(fine, full, 200, 310, off)}, square},
          {"fan", {one_row, circular_views(one_row, full, 200, 310)}, slice},
          {"helical", {d, helical_views(d, equal_angles(20, 0, 720), 200, 310, 9, -9)}, oblong},
          {"tilted", {d, circular_views(d, full, 200, 310, tilt)}, oblong},
          {"steep laminographic", {d, laminographic_views(d, full, 200, 310, 50)}, oblong},
          {"diagonal rays", {one_row, parallel_views(one_row, equal_angles(8, 45))}, slice},
          {"diagonal fan", {one_row, circular_views(one_row, equal_angles(8, 45), 200, 310)}, slice},
          {"curved", {curved, circular_views(curved, full, 200, 310)}, oblong},
          {"source inside the grid", {d, circular_views(d, equal_angles(5, 5), 9, 310)}, oblong}};
}

std::vector<float> smooth_volume(const VolumeGrid& g) {
  std::vector<float> values;
  for (std::int64_t k = 0; k < g.size[2]; ++k)
    for (std::int64_t j = 0; j < g.size[1]; ++j)
      for (std::int64_t i = 0; i < g.size[0]; ++i)
        values.push_back(
            static_cast<float>(1.5 + std::sin(0.5 * static_cast<double>(i)) * std::cos(0.4 * static_cast<double>(j)) +
                               0.3 * std::sin(0.7 * static_cast<double>(k))));
  return values;
}

std::vector<float> random_values(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& v : values) v = uniform(random);
  return values;
}

std::vector<float> forward(Backend& backend, const Setup& s, const CtOptions& options, std::string* variant = nullptr) {
  const auto op = backend.make_ct(s.grid, s.scan, options);
  if (variant) *variant = op->variant();
  const ArrayPtr x = op->make_domain(), y = op->make_range(s.scan.view_count());
  backend.upload(smooth_volume(s.grid), *x);
  op->forward(*x, *y, op->all(), Write::overwrite);
  op->forward(*x, *y, op->all(), Write::accumulate);
  backend.scale(*y, 0.5f);
  std::vector<float> result(static_cast<std::size_t>(y->count()));
  backend.download(*y, result);
  return result;
}

}  // namespace

TEST_CASE("projection agrees with the reference for every geometry") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  for (const Setup& s : setups()) {
    CtOptions options;
    options.model = Model::joseph;
    options.packing = Packing::none;
    options.precision = Precision::exact;
    const auto expected = forward(*cpu, s, options);
    for (const Precision precision : {Precision::exact, Precision::fast, Precision::half}) {
      options.precision = precision;
      std::string variant;
      const auto result = forward(*backend, s, options, &variant);
      INFO(s.name << ", " << variant);
      CHECK(relative_l2(result, expected) < (precision == Precision::exact  ? 1e-5
                                             : precision == Precision::fast ? 1e-3
                                                                            : 2e-3));
    }
  }
}

TEST_CASE("ray casting agrees with the reference for every geometry, and with its transpose") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  for (const Setup& s : setups()) {
    CtOptions options;
    options.model = Model::raycast;
    options.precision = Precision::exact;
    const auto expected = forward(*cpu, s, options);
    for (const Precision precision : {Precision::exact, Precision::fast, Precision::half}) {
      options.precision = precision;
      std::string variant;
      const auto result = forward(*backend, s, options, &variant);
      INFO(s.name << ", " << variant);
      const bool exact = precision == Precision::exact;
      CHECK(relative_l2(expected, result) < (exact ? 2e-5 : precision == Precision::fast ? 2e-3 : 3e-3));

      const auto op = backend->make_ct(s.grid, s.scan, options);
      CHECK(op->matched() == exact);
      for (const Subset& subset : {op->all(), Subset{1, 2, 2}}) {
        const ArrayPtr x = op->make_domain(), ax = op->make_range(subset.count), y = op->make_range(subset.count),
                       aty = op->make_domain();
        backend->upload(random_values(x->count(), 1), *x);
        backend->upload(random_values(y->count(), 2), *y);
        op->forward(*x, *ax, subset, Write::overwrite);
        op->back(*y, *aty, subset, Write::overwrite);
        const double left = backend->dot(*ax, *y), right = backend->dot(*x, *aty);
        CHECK(std::abs(left - right) < (exact ? 2e-5 : 2e-3) * std::abs(left));
      }
    }
  }
}

TEST_CASE("packed projection agrees with the reference where slices along x are the main ones") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  // Small fan and cone angles and base views near the x axis: every ray of a base view has main axis x.
  const Detector d{25, 21, 1.3, 1.3};
  const VolumeGrid even{{24, 24, 17}, {1.1, 1.1, 1.2}, {0, 0, 1}}, odd{{25, 25, 16}, {1.1, 1.1, 1.2}, {0, 0, 1}};
  for (const VolumeGrid& grid : {even, odd})
    for (const auto& views :
         {circular_views(d, equal_angles(8, 20), 500, 600), parallel_views(d, equal_angles(4, -30))}) {
      const Setup s{"", {d, views}, grid};
      CtOptions options;
      options.model = Model::joseph;
      options.packing = Packing::none;
      const auto expected = forward(*cpu, s, options);
      options.packing = Packing::orbit;
      for (const Precision precision : {Precision::fast, Precision::half}) {
        options.precision = precision;
        CHECK(relative_l2(forward(*backend, s, options), expected) < (precision == Precision::fast ? 1e-3 : 2e-3));
      }
    }
}

TEST_CASE("packed rays along the slices of their stack miss the grid, or the scan is not packed") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Detector d{151, 15, 1, 1};
  Setup s{"rays along slices", {d, circular_views(d, {45, 135, 225, 315}, 48, 64)}, {{15, 15, 9}, Vec3(1), Vec3(0)}};
  CtOptions options{.model = Model::joseph, .stack = StackChoice::view};
  const auto expected = forward(*make_backend("cpu"), s, options);
  options = {.model = Model::joseph, .precision = Precision::fast, .packing = Packing::orbit};
  CHECK(relative_l2(forward(*backend, s, options), expected) < 1e-3);
  s.grid.size = {49, 49, 9};
  CHECK_THROWS_WITH(backend->make_ct(s.grid, s.scan, options),
                    Catch::Contains("packing orbit: there is no stack for view 0: it meets the grid at"));
}

TEST_CASE("exact projection is not packed, and says so where that is asked for") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Detector d{25, 21, 1.3, 1.3};
  CtOptions options;
  options.model = Model::joseph;
  options.precision = Precision::exact;
  options.packing = Packing::orbit;
  CHECK_THROWS_WITH(backend->make_ct({{24, 24, 17}, {1.1, 1.1, 1.2}, {0, 0, 1}},
                                     {d, circular_views(d, equal_angles(8, 20), 500, 600)}, options),
                    "packing orbit: precision exact interpolates in software; use `precision` fast or half");
}

TEST_CASE("projection and backprojection are adjoint") {
  BACKLIT_REQUIRE_CUDA(backend);
  for (const Setup& s : setups())
    for (const Precision precision : {Precision::exact, Precision::fast}) {
      CtOptions options;
      options.model = Model::joseph;
      options.packing = Packing::none;
      options.precision = precision;
      const auto op = backend->make_ct(s.grid, s.scan, options);
      CHECK(op->matched() == (precision == Precision::exact));
      const std::int64_t views = s.scan.view_count();
      for (const Subset& subset : {op->all(), Subset{1, 2, 2}, Subset{2, 3, 1}}) {
        const ArrayPtr x = op->make_domain(), ax = op->make_range(subset.count), y = op->make_range(subset.count),
                       aty = op->make_domain();
        backend->upload(random_values(x->count(), 1), *x);
        backend->upload(random_values(y->count(), 2), *y);
        op->forward(*x, *ax, subset, Write::overwrite);
        op->back(*y, *aty, subset, Write::overwrite);
        const double left = backend->dot(*ax, *y), right = backend->dot(*x, *aty);
        const double norms = std::sqrt(backend->dot(*ax, *ax) * backend->dot(*y, *y));
        INFO(s.name << ", " << op->variant() << ", subset of " << subset.count << " of " << views);
        CHECK(std::abs(left - right) < (precision == Precision::exact ? 1e-6 : 1e-4) * norms);
      }
    }
}

TEST_CASE("the transpose agrees with the reference for every geometry, by subsets too") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  auto all = setups();
  const Detector fine{97, 91, 0.45, 0.35};
  const VolumeGrid grid{{23, 27, 19}, {1.1, 0.9, 1.3}, {3, -2, 2}};
  all.push_back({"pixels finer than voxels", {fine, circular_views(fine, equal_angles(7, 10), 200, 310)}, grid});
  all.push_back({"one view", {fine, circular_views(fine, {77}, 200, 310)}, grid});
  DetectorPlacement aside;
  aside.offset_u = 70;
  all.push_back({"mostly beside the grid", {fine, circular_views(fine, equal_angles(5, 10), 200, 310, aside)}, grid});
  for (const Setup& s : all)
    for (const Precision precision : {Precision::exact, Precision::half}) {
      CtOptions options{.model = Model::joseph, .precision = Precision::exact, .packing = Packing::none};
      const std::int64_t views = s.scan.view_count();
      for (const Subset& subset : {Subset{0, views, 1}, Subset{views / 2, 1, 1}, Subset{0, (views + 1) / 2, 2}}) {
        const auto back = [&](Backend& on) {
          const auto op = on.make_ct(s.grid, s.scan, options);
          const ArrayPtr y = op->make_range(subset.count), x = op->make_domain();
          on.upload(random_values(y->count(), 3), *y);
          on.fill(*x, 5);
          op->back(*y, *x, subset, Write::overwrite);
          op->back(*y, *x, subset, Write::accumulate);
          std::vector<float> values(static_cast<std::size_t>(x->count()));
          on.download(*x, values);
          return std::pair{values, op->variant()};
        };
        const auto expected = back(*cpu).first;
        options.precision = precision;  // fp16 holds the volume alone
        const auto [result, variant] = back(*backend);
        options.precision = Precision::exact;
        INFO(s.name << ", " << variant << ", " << subset.count << " views from " << subset.first);
        CHECK(relative_l2(result, expected) < 3e-5);
      }
    }
}

TEST_CASE("the transpose of packed views agrees with the reference, and takes whole groups of quarter turns") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  const Detector coarse{61, 41, 1.3, 1.5}, fine{97, 91, 0.45, 0.35};
  for (const Detector& d : {coarse, fine})
    for (const VolumeGrid& grid :
         {VolumeGrid{{32, 32, 25}, {1.1, 1.1, 1.2}, {0, 0, 1}}, VolumeGrid{{31, 31, 18}, {1.1, 1.1, 1.2}, {0, 0, -1}}})
      for (const auto& views :
           {circular_views(d, equal_angles(24, 10), 200, 310), parallel_views(d, equal_angles(16, -45))})
        for (const Precision precision : {Precision::fast, Precision::half}) {
          const auto count = static_cast<std::int64_t>(views.size());
          // All; whole groups; views without their partners.
          for (const Subset& subset : {Subset{0, count, 1}, Subset{1, count / 2, 2}, Subset{1, 5, 1}}) {
            const auto back = [&](Backend& on, const CtOptions& options) {
              const auto op = on.make_ct(grid, {d, views}, options);
              const ArrayPtr y = op->make_range(subset.count), x = op->make_domain();
              on.upload(random_values(y->count(), 3), *y);
              op->back(*y, *x, subset, Write::overwrite);
              op->back(*y, *x, subset, Write::accumulate);
              std::vector<float> values(static_cast<std::size_t>(x->count()));
              on.download(*x, values);
              return std::pair{values, op->variant()};
            };
            const auto expected = back(*cpu, {.model = Model::joseph, .stack = StackChoice::view}).first;
            const auto [result, variant] =
                back(*backend, {.model = Model::joseph, .precision = precision, .packing = Packing::orbit});
            INFO(variant << ", " << subset.count << " views from " << subset.first << ", " << grid.size[0]);
            CHECK(relative_l2(result, expected) < (precision == Precision::fast ? 3e-5 : 1e-3));
          }
        }
}

TEST_CASE("SART's correction in one pass is that in many") {
  BACKLIT_REQUIRE_CUDA(backend);
  for (const Setup& s : setups()) {
    const auto op = backend->make_ct(s.grid, s.scan, {.model = Model::joseph, .precision = Precision::exact});
    for (const Subset& subset : {Subset{1, 1, 1}, Subset{0, 3, 2}}) {
      const ArrayPtr x = op->make_domain(), steps = op->make_domain(), change = op->make_domain(),
                     sums = op->make_domain(), y = op->make_range(subset.count);
      auto views = random_values(y->count(), 2);
      for (float& v : views) v -= 0.5f;
      backend->upload(views, *y);
      backend->upload(random_values(x->count(), 1), *x);
      backend->copy(*x, *steps);
      if (!op->relax(*y, *x, 0.7f, 0.1f, subset)) {
        CHECK_THAT(op->variant(), !Catch::Contains("by columns"));
        continue;
      }
      op->back(*y, *change, subset, Write::overwrite);
      op->sensitivity(*sums, subset);
      backend->divide(*sums, *change, 1e-5f);
      backend->axpy(0.7f, *change, *steps);
      backend->clamp(*steps, 0.1f, 1e30f);
      std::vector<float> at_once(static_cast<std::size_t>(x->count())), in_steps(at_once.size());
      backend->download(*x, at_once);
      backend->download(*steps, in_steps);
      INFO(s.name << ", " << op->variant());
      CHECK(relative_l2(at_once, in_steps) < 1e-4);
    }
  }
}

TEST_CASE("packed and fp16 projections keep close to the exact transpose") {
  BACKLIT_REQUIRE_CUDA(backend);
  // Cone angles at which slices along x are not every ray's main ones, which only the packed form does not mind.
  const VolumeGrid grid{{32, 32, 25}, {1.1, 1.1, 1.2}, {0, 0, 1}};
  struct Way {
    double pixel_v;  // at most one row a voxel, two, and more
    Packing packing;
    Precision precision;
  };
  std::vector<Way> ways;
  for (const double pixel_v : {2.2, 1.3, 0.5})
    for (const Packing packing : {Packing::none, Packing::orbit})
      for (const Precision precision : {Precision::fast, Precision::half})
        ways.push_back({pixel_v, packing, precision});
  for (const auto& [pixel_v, packing, precision] : ways) {
    const Detector d{61, 41, 1.3, pixel_v};
    const Scan scan{d, circular_views(d, equal_angles(24, 10), 200, 310)};
    CtOptions options;
    options.model = Model::joseph;
    options.packing = packing;
    options.precision = precision;
    const auto op = backend->make_ct(grid, scan, options);
    CHECK_FALSE(op->matched());
    const ArrayPtr x = op->make_domain(), ax = op->make_range(24), y = op->make_range(24), aty = op->make_domain();
    for (const float mean : {0.0f, 0.5f}) {  // about zero, errors cannot hide behind the sum
      auto volume = random_values(x->count(), 1), views = random_values(y->count(), 2);
      for (std::vector<float>* values : {&volume, &views})
        for (float& v : *values) v += mean - 0.5f;
      backend->upload(volume, *x);
      backend->upload(views, *y);
      op->forward(*x, *ax, op->all(), Write::overwrite);
      op->back(*y, *aty, op->all(), Write::overwrite);
      const double gap = std::abs(backend->dot(*ax, *y) - backend->dot(*x, *aty));
      const double norms = std::sqrt(backend->dot(*ax, *ax) * backend->dot(*y, *y));
      INFO(op->variant() << ", pixel " << pixel_v << ", mean " << mean);
      CHECK(gap / norms < 1e-4);
    }
  }
}

TEST_CASE("only the views of a subset are written") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Setup s = setups().front();
  CtOptions options;
  options.model = Model::joseph;
  options.precision = Precision::exact;
  const auto op = backend->make_ct(s.grid, s.scan, options);
  const ArrayPtr x = op->make_domain(), y = op->make_range(12);
  backend->fill(*x, 1);
  backend->fill(*y, 7);
  op->forward(*x, *y, {1, 3, 4}, Write::overwrite);
  std::vector<float> values(static_cast<std::size_t>(y->count()));
  backend->download(*y, values);
  const auto pixels = static_cast<std::size_t>(s.scan.detector.pixels());
  for (std::size_t view = 0; view < 12; ++view) {
    const float middle = values[view * pixels + pixels / 2];
    if (view % 4 == 1)
      CHECK(middle > 10);
    else
      CHECK(middle == 7);
  }
}
