// All rays of a view through one stack of slices, the one most parallel to the detector (stack=view), against the cpu
// backend's same choice in double precision.
#include <backlit/core/error.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "large/large_backend.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/gl/projection_pair.hpp"
#include "support/recon/follow_reference.hpp"
#include "support/recon/recon_options.hpp"

using Catch::Matchers::Contains;

namespace backlit::gl {
namespace {

const auto drawn = {"rays", "slices", "compute", "rays,accumulate=ping_pong", "slices,accumulate=ping_pong"};

CtOptions by_view(Precision precision, const std::string& draw, Packing packing = Packing::none) {
  return {Model::joseph, precision, packing, Weighting::none, "draw=" + draw + ",stack=view"};
}

Pair by_view_in_double(const Case& c) { return reference(c, Model::joseph, CtOptions{}.step, "stack=view"); }

double tolerance(Precision p) { return p == Precision::exact ? 1e-5 : p == Precision::fast ? 1e-3 : 2e-3; }

void check(GlBackend& backend, const Case& c, const CtOptions& o, const Pair& truth) {
  Pair p = random_pair(c);
  apply(backend, c, o, p);
  INFO(c.name << ", " << name(o.precision) << " " << name(o.packing) << " " << o.variant);
  CHECK(relative_l2(p.forward, truth.forward) < tolerance(o.precision));
  // The transpose of packed fp16 copies has fp16's and the filter's own error.
  const bool packed_half = o.precision == Precision::half && o.packing == Packing::orbit;
  CHECK(relative_l2(p.back, truth.back) < (packed_half ? 2e-4 : 1e-5));
  CHECK(mismatch(p) < (o.precision == Precision::exact ? 1e-5 : 1e-3));
}

/// A source above the grid, all around which rays are too steep for slices along z.
Case wide_cone() {
  const Detector d{41, 37, 5, 5};
  View view;
  view.source = Vec3(0.3, -0.4, -40);
  view.center = Vec3(0.5, 0.2, -20);
  view.u = Vec3(5, 0, 0);
  view.v = Vec3(0, 5, 0);
  return {"wide cone", {{95, 97, 19}, {3, 3, 3}, {0, 0, 0}}, {d, {view}}};
}

/// Views on quarter turns, among them those at 45 degrees, with fans that reach past that.
Case wide_fans(bool parallel) {
  const Detector d{41, 27, 2.2, 1.25};
  std::vector<double> angles;
  for (const double first : {-45.0, -20.0, 31.0})
    for (const double turn : {180.0, 0.0, 270.0, 90.0}) angles.push_back(first + turn);
  const DetectorPlacement offset{3.25, -1.5, 0, 0, 0};
  return {"quarter turns",
          {{21, 21, 13}, {1.1, 1.1, 0.9}, {0, 0, 1.5}},
          {d, parallel ? parallel_views(d, angles, offset) : circular_views(d, angles, 40, 80, offset)}};
}

}  // namespace

TEST_CASE("A stack a view gives what it gives in double precision for every geometry, and its transpose is exact") {
  GlBackend backend(test_context());
  for (const Case& c : cases()) {
    const Pair truth = by_view_in_double(c);
    for (const char* draw : drawn) check(backend, c, by_view(Precision::exact, draw), truth);
    for (const char* draw : {"rays", "slices", "compute"}) check(backend, c, by_view(Precision::fast, draw), truth);
    check(backend, c, by_view(Precision::half, "rays"), truth);
    backend.context().check();
  }
}

TEST_CASE("A stack a view is another choice than a stack a ray only where a ray's main axis is not its view's") {
  for (const Case& c : cases()) {
    const double difference = relative_l2(by_view_in_double(c).forward, reference(c).forward);
    INFO(c.name << ": " << difference);
    CHECK((difference == 0) == (c.scan.beam() == Beam::parallel));
  }
}

TEST_CASE("A stack a view with four slices a texel, and with four quarter turns") {
  GlBackend backend(test_context());
  for (const std::size_t i : {0u, 4u, 11u}) {
    const Case c = cases()[i];
    const Pair truth = by_view_in_double(c);
    for (const char* draw : drawn) check(backend, c, by_view(Precision::exact, draw, Packing::slices), truth);
    for (const char* draw : {"rays", "slices", "compute"})
      for (const Precision p : {Precision::fast, Precision::half})
        check(backend, c, by_view(p, draw, Packing::slices), truth);
  }
  for (const bool parallel : {false, true}) {
    const Case c = wide_fans(parallel);
    const Pair truth = by_view_in_double(c);
    for (const char* draw : drawn)
      for (const Precision p : {Precision::fast, Precision::half}) {
        const CtOptions o = by_view(p, draw, Packing::orbit);
        CHECK_THAT(backend.make_ct(c.grid, c.scan, o)->variant(), Contains("packing=orbit"));
        check(backend, c, o, truth);
      }
    // Packed by quarter turns, all that there is goes so, named or not.
    CtOptions unnamed = by_view(Precision::fast, "rays", Packing::orbit);
    unnamed.variant = "draw=rays";
    CHECK_THAT(backend.make_ct(c.grid, c.scan, unnamed)->variant(), Contains("stack=view"));
    check(backend, c, unnamed, truth);
    if (!parallel) CHECK(relative_l2(truth.forward, reference(c).forward) > 1e-3);
  }
  backend.context().check();
}

TEST_CASE("Packed rays along the slices of their stack, which miss the grid, are nothing") {
  GlBackend backend(test_context());
  const Detector d{151, 15, 1, 1};
  const Case c{
      "rays along slices", {{15, 15, 9}, {1, 1, 1}, {0, 0, 0}}, {d, circular_views(d, {45, 135, 225, 315}, 48, 64)}};
  const Pair truth = by_view_in_double(c);
  for (const char* draw : drawn) check(backend, c, by_view(Precision::fast, draw, Packing::orbit), truth);
  backend.context().check();
}

TEST_CASE("A stack a view within a budget of memory is that of the whole") {
  for (const std::size_t i : {0u, 4u, 12u, 14u})
    for (const char* draw : {"rays", "slices", "compute"}) {
      const Case c = cases()[i];
      const Pair truth = by_view_in_double(c);
      const std::int64_t memory = 16 * (c.grid.voxels() + 2 * c.scan.detector.pixels());
      LargeBackend parts(std::make_unique<GlBackend>(test_context(), memory), memory);
      const CtOptions o = by_view(Precision::exact, draw);
      CHECK_THAT(parts.make_ct(c.grid, c.scan, o)->variant(), Contains("slabs=") && Contains("stack=view"));
      Pair p = random_pair(c);
      apply(parts, c, o, p);
      INFO(c.name << ", " << draw);
      CHECK(relative_l2(p.forward, truth.forward) < 1e-5);
      // The transpose of packed fp16 copies has fp16's and the filter's own error.
      const bool packed_half = o.precision == Precision::half && o.packing == Packing::orbit;
      CHECK(relative_l2(p.back, truth.back) < (packed_half ? 2e-4 : 1e-5));
    }
  test_context()->check();
}

TEST_CASE("SART fills one stack a view where rays that choose for themselves fill two") {
  GlBackend backend(test_context());
  ReconOptions o;
  o.method = "sart";
  o.precision = "exact";
  o.iterations = 3;
  const auto fills_of_two_iterations = [&](const std::string& stack) {
    o.variant = "stack=" + stack;
    const auto expected = test::reconstruct_head(*make_backend("cpu"), o);
    o.variant = "draw=rays,stack=" + stack;
    const auto recon = test::head_reconstruction(backend, test::head_scan(), test::head_grid(), o);
    CHECK((recon->variant().find("stack=view") != std::string::npos) == (stack == "view"));
    const auto fills_after = [&](std::size_t iterations) {
      while (recon->residuals().size() < iterations)
        REQUIRE((recon->step() != Reconstruction::Status::finished || recon->residuals().size() == iterations));
      return backend.pass_times().at("fill stack").calls;
    };
    backend.time_passes(true);
    // What ones project to and timed trial calls fill stacks, too; how many, a clock decides.
    const auto before = fills_after(1);
    const auto fills = fills_after(3) - before;
    CHECK(relative_l2(recon->download().values.span(), expected.volume) < 1e-4);
    return fills;
  };
  // Of 20 views four are within a fan of 45 degrees.
  CHECK(fills_of_two_iterations("view") == 2 * 20);
  CHECK(fills_of_two_iterations("ray") == 2 * 24);
  backend.time_passes(false);
  backend.context().check();
}

TEST_CASE("Views of which rays run nearly along the slices of their stack are refused, where these meet the grid") {
  GlBackend backend(test_context());
  Case c = wide_cone();
  for (const char* draw : {"rays", "slices", "compute"})
    CHECK_THROWS_WITH(
        backend.make_ct(c.grid, c.scan, by_view(Precision::exact, draw)),
        "stack: there is no stack for view 0: it meets the grid at 82 degrees to z, more than 76; use `stack` ray");
  CHECK_THROWS_WITH(make_backend("cpu")->make_ct(c.grid, c.scan, {.model = Model::joseph, .variant = "stack=view"}),
                    Contains("there is no stack for view 0"));
  // The same rays beside a smaller grid do nothing, and no harm.
  c.grid.size = {15, 17, 19};
  const Pair truth = by_view_in_double(c);
  for (const char* draw : drawn) check(backend, c, by_view(Precision::exact, draw), truth);

  const Case circle = cases()[0];
  const auto make = [&](CtOptions o) { return backend.make_ct(circle.grid, circle.scan, o); };
  CtOptions o = by_view(Precision::fast, "rays");
  CHECK_THAT(make(o)->variant(), Contains("draw=rays,stack=view"));
  for (const Model other : {Model::raycast, Model::siddon, Model::blob}) {
    o.model = other;
    CHECK_THROWS_WITH(make(o), Contains(std::string("stack=view does not go with model ") + name(other) +
                                        "; leave it out, or choose joseph"));
  }
  o = {.model = Model::joseph, .variant = "stack=each"};
  CHECK_THROWS_WITH(make(o), "variant: unknown stack 'each'; choose one of ray, view");
  backend.context().check();
}

}  // namespace backlit::gl
