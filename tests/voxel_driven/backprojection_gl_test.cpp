// Backprojection by slices against the cpu backend, which computes in double.
#include <algorithm>
#include <functional>

#include <backlit/core/error.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/backproject_support.hpp"
#include "support/gl/gl_cases.hpp"

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace backlit::gl {
namespace {

TEST_CASE("Backprojection agrees with double precision for every geometry") {
  GlBackend backend(test_context());
  for (const Case& c : cases()) {
    const auto projections = random_projections(c.scan);
    for (Weighting weighting : {Weighting::fdk, Weighting::none}) {
      INFO(c.name << (weighting == Weighting::fdk ? ", FDK weights" : ", no weights"));
      const auto truth = expected(c, projections, weighting, {0, c.scan.view_count(), 1});
      const auto error = [&](Precision p) {
        return relative_l2(backproject(backend, c, projections, options(p, weighting)), truth);
      };
      // Beside the source the weight goes to infinity, and takes the rounding of the depth with it.
      const double singular = c.name == "source inside the grid" && weighting == Weighting::fdk ? 10 : 1;
      CHECK(error(Precision::exact) < 1e-5 * singular);
      CHECK(error(Precision::fast) < 1e-3 * singular);
      CHECK(error(Precision::half) < 2e-3 * singular);
      backend.context().check();
    }
  }
}

TEST_CASE("Every variant gives the same volume") {
  GlBackend backend(test_context());
  const auto all = cases();
  for (std::size_t i : {0u, 4u, 8u}) {
    const Case& c = all[i];
    const auto projections = random_projections(c.scan);
    const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
    for (const char* variant :
         {"transform=vertex,accumulate=ping_pong,views=1", "transform=vertex,accumulate=blend,views=5",
          "transform=vertex,accumulate=ping_pong,views=64", "transform=fragment,accumulate=ping_pong,views=4",
          "transform=fragment,accumulate=blend,views=16", "transform=fragment,accumulate=loop"}) {
      INFO(c.name << ", " << variant);
      CHECK(relative_l2(backproject(backend, c, projections, options(Precision::exact, Weighting::fdk, variant)),
                        truth) < 1e-5);
    }
  }
  backend.context().check();
}

TEST_CASE("Passes of one view add up, and no more of them than some are under way at a time") {
  const auto context = test_context();
  GlBackend backend(context);
  const Case c = cases()[0];
  const auto projections = random_projections(c.scan);
  const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
  const std::int64_t before = context->waits();
  context->set_pace(3 * static_cast<double>(c.grid.voxels()));
  for (const char* variant :
       {"views=1", "views=1,accumulate=ping_pong", "views=1,target=image", "views=1,target=slice"})
    CHECK(relative_l2(backproject(backend, c, projections, options(Precision::exact, Weighting::fdk, variant)), truth) <
          1e-5);
  context->set_pace(Context::most_updates);
  CHECK(context->waits() == before + 4 * (c.scan.view_count() / 3));
}

TEST_CASE("Lesser hardware takes another road to the same volume") {
  const auto context = test_context();
  const Limits real = context->limits();
  GlBackend backend(context);
  const Case c = cases()[0];
  const auto projections = random_projections(c.scan);
  const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
  const auto error = [&](const Limits& limits) {
    context->mask(limits);
    return relative_l2(backproject(backend, c, projections, options(Precision::exact, Weighting::fdk, "draw=slices")),
                       truth);
  };
  SECTION("gl_Layer from a geometry shader") {
    Limits l = real;
    l.layer_from_vertex_shader = false;
    CHECK(error(l) < 1e-5);
  }
  const auto ask_for_all = [&](std::int64_t components) {
    Limits l = real;
    l.varying_components = components;
    context->mask(l);
    return backend.make_ct(c.grid, c.scan, options(Precision::fast, Weighting::fdk, "views=64"))->variant();
  };
  SECTION("varyings for two views only") {
    Limits l = real;
    l.varying_components = 15;
    CHECK(error(l) < 1e-5);
    CHECK_THAT(ask_for_all(15), EndsWith("views=2,varyings=15"));
  }
  SECTION("varyings that leave room for what drivers count besides") {
    const std::int64_t mine = std::min<std::int64_t>(124, real.varying_components);
    CHECK_THAT(ask_for_all(mine), Contains(",varyings=" + std::to_string(mine)));
  }
  SECTION("a driver that promises more varyings than it links") {
    CHECK_THAT(ask_for_all(1000), Contains(",varyings=1000"));
  }
  SECTION("few layers, so that volume and views are split") {
    Limits l = real;
    l.array_layers = 5;
    CHECK(error(l) < 1e-5);
  }
  context->check();
}

TEST_CASE("Subsets: strided, compact batches, overwrite and accumulate") {
  GlBackend backend(test_context());
  for (const std::string variant : {"accumulate=ping_pong", "accumulate=blend"}) {
    const Case c = cases()[2];
    const auto projections = random_projections(c.scan);
    const auto ct = backend.make_ct(c.grid, c.scan, options(Precision::exact, Weighting::none, variant));
    const auto x = ct->make_domain(), y = ct->make_range(c.scan.view_count());
    backend.upload(projections, *y);
    const Subset odd{1, 10, 2}, middle{5, 7, 1};
    auto truth = expected(c, projections, Weighting::none, odd);
    std::vector<float> volume(truth.size());
    const auto error = [&] {
      backend.download(*x, volume);
      return relative_l2(volume, truth);
    };
    backend.fill(*x, 7);
    ct->back(*y, *x, odd, Write::overwrite);
    CHECK(error() < 1e-5);
    // The same views as an array of their own.
    const auto few = ct->make_range(odd.count);
    std::vector<float> packed;
    for (std::int64_t i = 0; i < odd.count; ++i) {
      const auto first = projections.begin() + (odd.first + i * odd.stride) * c.scan.detector.pixels();
      packed.insert(packed.end(), first, first + c.scan.detector.pixels());
    }
    backend.upload(packed, *few);
    ct->back(*few, *x, odd, Write::overwrite);
    CHECK(error() < 1e-5);
    const auto more = expected(c, projections, Weighting::none, middle);
    std::ranges::transform(truth, more, truth.begin(), std::plus());
    ct->back(*y, *x, middle, Write::accumulate);
    CHECK(error() < 1e-5);
    ct->back(*y, *x, {3, 0, 1}, Write::accumulate);
    CHECK(error() < 1e-5);
    ct->back(*y, *x, {3, 0, 1}, Write::overwrite);
    CHECK(backend.dot(*x, *x) == 0);
  }
  backend.context().check();
}

TEST_CASE("Sensitivity is the backprojection of ones") {
  GlBackend backend(test_context());
  const Case c = cases()[1];
  const std::vector<float> ones(static_cast<std::size_t>(c.scan.view_count() * c.scan.detector.pixels()), 1);
  const auto ct = backend.make_ct(c.grid, c.scan, options(Precision::exact, Weighting::none));
  const auto x = ct->make_domain();
  const Subset subset{2, 6, 2};
  ct->sensitivity(*x, subset);
  std::vector<float> volume(static_cast<std::size_t>(c.grid.voxels()));
  backend.download(*x, volume);
  CHECK(relative_l2(volume, expected(c, ones, Weighting::none, subset)) < 1e-5);
  backend.context().check();
}

TEST_CASE("What the gl backend cannot do it refuses, and says what it can") {
  GlBackend backend(test_context());
  const Case c = cases()[0];
  const auto make = [&](const CtOptions& o, const Scan& scan) { return backend.make_ct(c.grid, scan, o); };
  CtOptions o;
  o.model = Model::distance_driven;
  CHECK_THROWS_WITH(make(o, c.scan),
                    "model: the gl backend does not offer 'distance_driven'; it offers voxel_driven, joseph, "
                    "raycast, siddon, blob, branchless_dd");
  o = {};
  o.variant = "transform=sideways";
  CHECK_THROWS_WITH(make(o, c.scan), "variant: unknown transform 'sideways'; choose one of vertex, fragment");
  o.variant = "speed=9";
  CHECK_THROWS_WITH(make(o, c.scan), StartsWith("variant: unknown key 'speed'"));
  o.variant = "views=99";
  CHECK_THROWS_WITH(make(o, c.scan), StartsWith("variant: views '99' is not a number of views a pass"));
  o.variant = "accumulate=loop";
  CHECK_THROWS_WITH(make(o, c.scan), Contains("add transform=fragment"));
  Scan bent = c.scan;
  bent.detector.shape = Detector::Shape::curved;
  bent.detector.radius = 500;
  CHECK_THROWS_WITH(make({}, bent), StartsWith("view 0: the gl backend takes curved detectors only when focused"));
  const auto ct = make({}, c.scan);
  const auto x = ct->make_domain(), y = ct->make_range(4);
  CHECK_THROWS_WITH(ct->forward(*x, *y, ct->all(), Write::overwrite),
                    Contains("voxel_driven only backprojects on the gl backend"));
  CHECK_THROWS_WITH(ct->back(*y, *x, {19, 4, 1}, Write::overwrite), "subset: rows 19, 20, ... (4 of them) of 21");
  CHECK_THROWS_WITH(ct->back(*y, *x, {0, 5, 1}, Write::overwrite),
                    StartsWith("subset: an array of 37 x 29 x 4 for 5 of 21 rows"));
  backend.context().check();
}

}  // namespace
}  // namespace backlit::gl
