// The transpose by columns and by quarter turns (projectors/joseph/gl_transpose.hpp), against double precision.
#include <algorithm>

#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/gl/projection_pair.hpp"

using Catch::Matchers::Contains;

namespace backlit::gl {
namespace {

CtOptions options(Precision precision, Packing packing) {
  return {.model = Model::joseph, .precision = precision, .packing = packing};
}

/// Columns along z, beside those of cases().
std::vector<Case> column_cases() {
  std::vector<Case> all = cases();
  const VolumeGrid odd{{19, 23, 13}, {1.0, 0.9, 1.3}, {0, 0, 0}}, square{{15, 15, 27}, Vec3(1), Vec3(0)};
  const Detector fine{133, 91, 0.37, 0.37}, coarse{37, 29, 1.5, 2.5}, one_column{1, 29, 1.5, 1.25};
  const auto turns = equal_angles(8, 45);
  const auto add = [&](const char* name, const Detector& d, std::vector<View> views, const VolumeGrid& grid) {
    all.push_back({name, grid, {d, std::move(views)}});
  };
  add("fine pixels, diagonal views", fine, circular_views(fine, turns, 60, 100), odd);
  add("parallel rays at 45 degrees", fine, parallel_views(fine, turns), square);
  add("rows farther apart than voxels", coarse, circular_views(coarse, turns, 60, 100), square);
  add("one column", one_column, circular_views(one_column, turns, 60, 100), odd);
  add("mostly beside the grid", fine, circular_views(fine, turns, 60, 100, {90, 70, 0, 0, 0}), odd);
  add("row 0 above", coarse, circular_views(coarse, turns, 60, 100), square);
  for (View& view : all.back().scan.views) view.v = -view.v;
  return all;
}

TEST_CASE("The transpose by columns is the reference's, wherever columns run along z") {
  GlBackend backend(test_context());
  std::size_t by_columns = 0;
  for (const Case& c : column_cases()) {
    const Pair truth = reference(c);
    for (const Precision precision : {Precision::exact, Precision::half}) {
      const CtOptions o = options(precision, Packing::none);
      const std::string variant = backend.make_ct(c.grid, c.scan, o)->variant();
      INFO(c.name << ", " << variant);
      Pair p = random_pair(c);
      apply(backend, c, o, p);
      CHECK(relative_l2(p.back, truth.back) < 1e-5);
      if (precision == Precision::exact) CHECK(mismatch(p) < 2e-6);
      by_columns += variant.find("transpose=columns") != std::string::npos ? 1 : 0;
    }
  }
  CHECK(by_columns == 2 * 16);
  backend.context().check();
}

TEST_CASE("The transpose by quarter turns takes whole groups, and leaves the others to columns") {
  GlBackend backend(test_context());
  for (const std::int64_t n : {18, 21})
    for (const bool parallel : {false, true})
      for (const double pixel : {1.25, 0.9, 0.4}) {  // at most one row a voxel, two, and more
        Case c = quarter_turns(n, parallel);
        c.scan.detector.pixel_v = pixel;
        for (View& view : c.scan.views) view.v *= pixel / glm::length(view.v);
        INFO(n << (parallel ? ", parallel, " : ", cone, ") << pixel);
        const Pair truth = reference(c);
        const CtOptions o = options(Precision::half, Packing::orbit);
        Pair p = random_pair(c);
        apply(backend, c, o, p);
        CHECK(relative_l2(p.back, truth.back) < 5e-4);
        CHECK(mismatch(p) < 1e-4);

        // Two whole groups of the three, twice; then views without their partners; then what ones give.
        const auto ct = backend.make_ct(c.grid, c.scan, o);
        const auto cpu = make_backend("cpu");
        const auto exact = cpu->make_ct(c.grid, c.scan, options(Precision::exact, Packing::none));
        const auto x = ct->make_domain(), y = ct->make_range(12), rx = exact->make_domain(), ry = exact->make_range(12);
        backend.upload(truth.projections, *y);
        cpu->upload(truth.projections, *ry);
        std::vector<float> volume(truth.volume.size()), expected(volume.size());
        const auto error = [&](float factor) {
          backend.scale(*x, factor);
          backend.download(*x, volume);
          cpu->download(*rx, expected);
          return relative_l2(volume, expected);
        };
        for (const Subset& subset : {Subset{4, 8, 1}, Subset{2, 3, 3}}) {
          exact->back(*ry, *rx, subset, Write::overwrite);
          backend.fill(*x, 7);
          ct->back(*y, *x, subset, Write::overwrite);
          ct->back(*y, *x, subset, Write::accumulate);
          CHECK(error(0.5f) < 5e-4);
        }
        exact->sensitivity(*rx, ct->all());
        ct->sensitivity(*x, ct->all());
        CHECK(error(1) < 5e-4);
      }
  backend.context().check();
}

TEST_CASE("Who asks for fragments gets the transpose by pixels") {
  GlBackend backend(test_context());
  const Case c = cases().front();
  CtOptions o = options(Precision::exact, Packing::none);
  CHECK_THAT(backend.make_ct(c.grid, c.scan, o)->variant(), Contains("transpose=columns"));
  o.pipeline = Pipeline::fragment;
  CHECK_THAT(backend.make_ct(c.grid, c.scan, o)->variant(), Contains("transpose=pixels"));
}

}  // namespace
}  // namespace backlit::gl
