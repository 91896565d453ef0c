// Projection through stacks of slices and its transpose against the cpu backend, which computes in double.
#include <algorithm>
#include <functional>

#include <backlit/core/error.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "large/large_backend.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/gl/projection_pair.hpp"

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace backlit::gl::projection_gl_test {
namespace {

CtOptions options(Precision precision, const std::string& variant = "") {
  return {Model::joseph, precision, Packing::automatic, Weighting::none, variant};
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
    check(options(Precision::exact, "draw=rays,accumulate=ping_pong"), 1e-5, 1e-5);
    check(options(Precision::exact, "draw=slices,accumulate=ping_pong"), 1e-5, 1e-5);
    check(options(Precision::fast), 1e-3, 1e-3);
    check(options(Precision::fast, "draw=slices"), 1e-3, 1e-3);
    check(options(Precision::half), 2e-3, 1e-3);
    backend.context().check();
  }
}

/// The images of a subset's views, in its order.
std::vector<float> images_of(const std::vector<float>& all, const Scan& scan, const Subset& s) {
  std::vector<float> some;
  for (std::int64_t i = 0; i < s.count; ++i) {
    const auto first = all.begin() + (s.first + i * s.stride) * scan.detector.pixels();
    some.insert(some.end(), first, first + scan.detector.pixels());
  }
  return some;
}

TEST_CASE("Projection of subsets: strided, compact batches, overwrite and accumulate") {
  GlBackend backend(test_context());
  const Case c = cases()[2];
  const Pair truth = reference(c);
  const Subset odd{1, 10, 2};
  for (const std::string variant : {"draw=rays", "draw=slices", "draw=compute"}) {
    INFO(variant);
    const auto ct = backend.make_ct(c.grid, c.scan, options(Precision::exact, variant));
    const auto x = ct->make_domain(), y = ct->make_range(c.scan.view_count()), few = ct->make_range(odd.count);
    backend.upload(truth.volume, *x);
    std::vector<float> all(truth.projections.size());
    const auto error = [&](double factor, double offset) {
      backend.download(*y, all);
      auto expected = images_of(truth.forward, c.scan, odd);
      for (float& value : expected) value = static_cast<float>(factor * value + offset);
      return relative_l2(images_of(all, c.scan, odd), expected);
    };
    backend.fill(*y, 7);
    ct->forward(*x, *y, odd, Write::overwrite);
    CHECK(error(1, 0) < 1e-5);
    const auto others = images_of(all, c.scan, {0, 11, 2});
    CHECK(std::ranges::all_of(others, [](float value) { return value == 7; }));
    ct->forward(*x, *y, odd, Write::accumulate);
    CHECK(error(2, 0) < 1e-5);
    ct->forward(*x, *y, {3, 0, 1}, Write::overwrite);
    CHECK(error(2, 0) < 1e-5);
    ct->forward(*x, *few, odd, Write::overwrite);
    std::vector<float> compact(static_cast<std::size_t>(few->count()));
    backend.download(*few, compact);
    CHECK(relative_l2(compact, images_of(truth.forward, c.scan, odd)) < 1e-5);

    // The transpose of the same views, from all and from their own array, once and again.
    const auto cpu = make_backend("cpu");
    const auto reference = cpu->make_ct(c.grid, c.scan, options(Precision::exact));
    const auto rx = reference->make_domain(), ry = reference->make_range(c.scan.view_count());
    std::vector<float> expected(truth.volume.size()), volume(truth.volume.size());
    cpu->upload(truth.projections, *ry);
    reference->back(*ry, *rx, odd, Write::overwrite);
    cpu->download(*rx, expected);
    backend.upload(truth.projections, *y);
    backend.upload(images_of(truth.projections, c.scan, odd), *few);
    ct->back(*y, *x, odd, Write::overwrite);
    backend.download(*x, volume);
    CHECK(relative_l2(volume, expected) < 1e-5);
    ct->back(*few, *x, odd, Write::accumulate);
    backend.scale(*x, 0.5f);
    backend.download(*x, volume);
    CHECK(relative_l2(volume, expected) < 1e-5);
    backend.fill(*few, 1);
    ct->back(*few, *x, odd, Write::overwrite);
    backend.download(*x, expected);
    ct->sensitivity(*x, odd);
    backend.download(*x, volume);
    CHECK(relative_l2(volume, expected) < 1e-6);
  }
  backend.context().check();
}

TEST_CASE("Stacks follow every change of the volume") {
  GlBackend backend(test_context());
  const Case c = cases()[0];
  const auto ct = backend.make_ct(c.grid, c.scan, options(Precision::exact));
  const auto x = ct->make_domain(), other = ct->make_domain(), y = ct->make_range(c.scan.view_count());
  backend.upload(random_pair(c).volume, *x);
  const auto total = [&](const DeviceArray& volume) {
    ct->forward(volume, *y, ct->all(), Write::overwrite);
    return backend.sum(*y);
  };
  const double once = total(*x);
  CHECK(total(*x) == once);
  backend.copy(*x, *other);
  CHECK(total(*other) == once);
  backend.scale(*x, 2);
  CHECK(total(*x) == Approx(2 * once));
  CHECK(total(*other) == once);
  backend.fill(*x, 0);
  CHECK(total(*x) == 0);
  backend.upload(random_pair(c).volume, *x);
  CHECK(total(*x) == once);
  ct->back(*y, *x, ct->all(), Write::overwrite);
  CHECK(total(*x) > 2 * once);
  backend.context().check();
}

TEST_CASE("Projection on lesser hardware takes other roads to the same values") {
  const auto context = test_context();
  Limits limits = context->limits();
  SECTION("gl_Layer from a geometry shader") { limits.layer_from_vertex_shader = false; }
  SECTION("few layers, so that volume, stacks and views are split") { limits.array_layers = 5; }
  SECTION("layers and framebuffers of different depth") { limits.framebuffer_layers = 7; }
  context->mask(limits);
  GlBackend backend(context);
  for (std::size_t i : {0u, 4u}) {
    const Case c = cases()[i];
    const Pair truth = reference(c);
    for (const std::string variant : {"draw=rays", "draw=slices", "draw=compute"}) {
      INFO(c.name << ", " << variant);
      Pair p = random_pair(c);
      apply(backend, c, options(Precision::exact, variant), p);
      CHECK(relative_l2(p.forward, truth.forward) < 1e-5);
      CHECK(relative_l2(p.back, truth.back) < 1e-5);
    }
  }
  context->check();
}

TEST_CASE("Rays through the middle of a wide cone have a main axis that none at its border has") {
  GlBackend backend(test_context());
  const Detector d{41, 37, 5, 5};
  // The source looks along z from below; beyond 45 degrees all around, rays run along x or y.
  View view;
  view.source = Vec3(0.3, -0.4, -40);
  view.center = Vec3(0.5, 0.2, 20);
  view.u = Vec3(5, 0, 0);
  view.v = Vec3(0, 5, 0);
  const Case c{"wide cone", {{15, 17, 19}, {3, 3, 3}, {0, 0, 0}}, {d, {view}}};
  const Pair truth = reference(c);
  Pair p = random_pair(c);
  apply(backend, c, options(Precision::exact), p);
  CHECK(relative_l2(p.forward, truth.forward) < 1e-5);
  CHECK(relative_l2(p.back, truth.back) < 1e-5);
}

TEST_CASE("Four views on quarter turns share samples of one stack, even and odd grids, cone and parallel") {
  GlBackend backend(test_context());
  for (const std::string draw : {"rays", "slices", "compute", "rays,accumulate=ping_pong"})
    for (const std::int64_t n : {18, 21})
      for (const bool parallel : {false, true}) {
        const Case c = quarter_turns(n, parallel);
        const Pair truth = reference(c);
        for (const Precision precision : {Precision::fast, Precision::half}) {
          INFO(draw << ", " << n << (parallel ? ", parallel, " : ", cone, ") << name(precision));
          CtOptions o = options(precision, "draw=" + draw);
          o.packing = Packing::orbit;
          const auto ct = backend.make_ct(c.grid, c.scan, o);
          CHECK_THAT(ct->variant(), Contains("packing=orbit"));
          Pair p = random_pair(c);
          apply(backend, c, o, p);
          CHECK(relative_l2(p.forward, truth.forward) < (precision == Precision::half ? 2e-3 : 1e-3));
          // Two whole groups of the three, adding to what is there; then views whose partners are missing.
          const auto x = ct->make_domain(), y = ct->make_range(12), few = ct->make_range(3), one = ct->make_range(4);
          backend.upload(truth.volume, *x);
          ct->forward(*x, *one, {0, 4, 1}, Write::overwrite);  // a group by itself first: what is made for it must grow
          backend.fill(*y, 7);
          ct->forward(*x, *y, {4, 8, 1}, Write::accumulate);
          std::vector<float> all(truth.projections.size()), some;
          backend.download(*y, all);
          for (float& v : all) v -= 7;
          CHECK(relative_l2(images_of(all, c.scan, {4, 8, 1}), images_of(truth.forward, c.scan, {4, 8, 1})) < 2e-3);
          const auto others = images_of(all, c.scan, {0, 4, 1});
          CHECK(std::ranges::all_of(others, [](float v) { return v == 0; }));
          ct->forward(*x, *few, {2, 3, 3}, Write::overwrite);
          some.resize(static_cast<std::size_t>(few->count()));
          backend.download(*few, some);
          CHECK(relative_l2(some, images_of(truth.forward, c.scan, {2, 3, 3})) < 2e-3);
        }
      }
  backend.context().check();
}

TEST_CASE("Four rows of the detector share texels of four slices, wherever columns are parallel to z") {
  GlBackend backend(test_context());
  std::size_t packed = 0;
  for (const Case& c : cases()) {
    const Pair truth = reference(c);
    for (const Precision precision : {Precision::exact, Precision::fast, Precision::half})
      for (const char* draw : {"draw=rays", "draw=compute", "draw=slices", "draw=rays,accumulate=ping_pong",
                               "draw=slices,accumulate=ping_pong"}) {
        const bool polygons = std::string(draw).starts_with("draw=slices");
        if (polygons && precision != Precision::fast && c.name != "circular") continue;
        INFO(c.name << ", " << name(precision) << " " << draw);
        CtOptions o = options(precision, draw);
        o.packing = Packing::slices;
        const bool turned = c.name.find("tilted") != std::string::npos || c.name.find("lamino") != std::string::npos;
        if (turned) {
          CHECK_THROWS_WITH(backend.make_ct(c.grid, c.scan, o), StartsWith("packing slices: ") && Contains("z"));
          continue;
        }
        const auto ct = backend.make_ct(c.grid, c.scan, o);
        CHECK_THAT(ct->variant(), Contains("packing=slices"));
        Pair p = random_pair(c);
        apply(backend, c, o, p);
        const double limit = precision == Precision::exact ? 1e-5 : precision == Precision::fast ? 1e-3 : 2e-3;
        CHECK(relative_l2(p.forward, truth.forward) < limit);
        CHECK(mismatch(p) < (precision == Precision::exact ? 1e-5 : 1e-3));
        ++packed;
      }
  }
  CHECK(packed == 125);
  backend.context().check();
}

TEST_CASE("What projection on OpenGL cannot pack it refuses, or leaves unpacked where nobody asked") {
  GlBackend backend(test_context());
  const auto pack = [&](const Case& c, Precision precision) {
    CtOptions o = options(precision);
    o.packing = Packing::orbit;
    return backend.make_ct(c.grid, c.scan, o)->variant();
  };
  Case c = quarter_turns(18, false);
  CHECK_THROWS_WITH(pack(c, Precision::exact), StartsWith("packing orbit: precision exact interpolates in software"));
  CHECK_THAT(backend.make_ct(c.grid, c.scan, options(Precision::half))->variant(), Contains("packing=orbit"));
  CtOptions by_ray = options(Precision::half, "stack=ray");
  CHECK_THAT(backend.make_ct(c.grid, c.scan, by_ray)->variant(), Contains("packing=none") && !Contains("stack=view"));
  by_ray.packing = Packing::orbit;
  CHECK_THROWS_WITH(backend.make_ct(c.grid, c.scan, by_ray),
                    "packing orbit: quarter turns go through the stacks of views, not of rays; leave `stack` ray out");
  c.scan.views.pop_back();
  CHECK_THROWS_WITH(pack(c, Precision::half), Contains("use `packing` auto"));
  const auto left_unpacked = [&] {
    const auto ct = backend.make_ct(c.grid, c.scan, options(Precision::half));
    CHECK_THAT(ct->variant(), Contains("packing=none") && !Contains("stack=view"));
  };
  left_unpacked();
  // Rays of one fan on either side of the 76 degrees that one stack a view is good for.
  c = quarter_turns(18, false);
  c.grid.spacing.x = c.grid.spacing.y = 5.2;
  const Detector wide{41, 27, 15, 1.25};
  c.scan = {wide, circular_views(wide, equal_angles(12, 0), 70, 100)};
  CHECK_THROWS_WITH(pack(c, Precision::fast),
                    StartsWith("packing orbit: there is no stack for view 1: it meets the grid at 83 ") &&
                        Contains("use `packing` auto"));
  left_unpacked();
}

TEST_CASE("Packed plans are known to take stacks of four copies besides those of single views") {
  const GlBackend backend(test_context());
  const Case c = quarter_turns(18, false);
  const std::int64_t voxels = c.grid.voxels(), images = 2 * c.scan.detector.pixels();
  const auto bytes = [&](Precision precision, Packing packing) {
    return backend.plan_bytes(c.grid, c.scan, {Model::joseph, precision, packing}, 2);
  };
  CHECK(bytes(Precision::fast, Packing::none) == 4 * (2 * voxels + 2 * images));
  CHECK(bytes(Precision::fast, Packing::automatic) == bytes(Precision::fast, Packing::none));
  CHECK(bytes(Precision::fast, Packing::orbit) == 4 * (6 * voxels + 2 * images));
  CHECK(bytes(Precision::half, Packing::automatic) == 2 * 6 * voxels + 4 * 2 * images);
}

TEST_CASE("Packing that a budget has no room for is refused where it was asked for") {
  Case c = quarter_turns(18, false);
  CtOptions o = options(Precision::fast);
  o.packing = Packing::orbit;
  const auto within = [&](std::int64_t memory) {
    return LargeBackend(std::make_unique<GlBackend>(test_context(), memory), memory).make_ct(c.grid, c.scan, o);
  };
  CHECK_THAT(within(8 << 20)->variant(), Contains("packing=orbit"));
  CHECK_THAT(within(360 << 10)->variant(), Contains("packing=orbit") && Contains("slabs="));
  const auto too_little = [](const std::string& size) {
    return "gpu_memory: " + size +
           " has no room for a slice and, at once, all views that packing orbit takes; give more, or use "
           "`packing` auto";
  };
  CHECK_THROWS_WITH(within(100 << 10), too_little("100 KiB"));
  std::swap(c.scan.views[0], c.scan.views[5]);  // not group after group: all views at a time
  CHECK_THROWS_WITH(within(160 << 10), too_little("160 KiB"));
  c.scan.views.pop_back();  // what no memory would help is said first
  CHECK_THROWS_WITH(within(100 << 10), StartsWith("packing orbit: view ") && Contains("use `packing` auto"));
  o.model = Model::raycast;
  CHECK_THROWS_WITH(within(100 << 10), StartsWith("packing: the gl backend does not offer 'orbit'"));
  Case wide = quarter_turns(60, false);
  wide.grid.spacing = {0.33, 0.33, 0.9};
  Limits limits = test_context()->limits();
  limits.texture_size = 48;
  o.model = Model::joseph;
  for (const std::int64_t memory : {std::int64_t{0}, std::int64_t{64} << 20}) {
    LargeBackend small(std::make_unique<GlBackend>(test_context(), memory), memory);
    test_context()->mask(limits);
    CHECK_THROWS_WITH(small.make_ct(wide.grid, wide.scan, o), Contains("use at most 48 x 48 voxels"));
    test_context()->mask(query_limits());
  }
}

TEST_CASE("What projection on OpenGL cannot do it refuses") {
  GlBackend backend(test_context());
  const Case c = cases()[0];
  const auto make = [&](const CtOptions& o) { return backend.make_ct(c.grid, c.scan, o); };
  CHECK_THROWS_WITH(make(options(Precision::exact, "draw=by hand")),
                    "variant: unknown draw 'by hand'; choose one of rays, slices, compute, best");
  CHECK_THROWS_WITH(make(options(Precision::exact, "transform=vertex")),
                    "variant: unknown key 'transform'; there are draw, fetch, accumulate and stack");
  CHECK_THROWS_WITH(make(options(Precision::fast, "draw=compute,accumulate=ping_pong")),
                    StartsWith("variant: draw=compute adds in place, without a ping-pong; use draw=rays"));
  CtOptions fdk = options(Precision::fast);
  fdk.weighting = Weighting::fdk;
  CHECK_THROWS_WITH(make(fdk), StartsWith("model: joseph has no FDK weighting"));
  const auto ct = make(options(Precision::fast));
  CHECK_THAT(ct->variant(), Contains("model=joseph,precision=fast") && Contains("draw="));
  CHECK_FALSE(ct->matched());
  CHECK(make(options(Precision::exact))->matched());
  const auto x = ct->make_domain(), y = ct->make_range(4);
  CHECK_THROWS_WITH(ct->forward(*x, *y, {19, 4, 1}, Write::overwrite), StartsWith("subset: rows 19, 20"));
  CHECK_THROWS_WITH(ct->forward(*y, *y, {0, 4, 1}, Write::overwrite), Contains("another shape"));
  backend.context().check();
}

}  // namespace
}  // namespace backlit::gl::projection_gl_test
