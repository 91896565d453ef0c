// Branchless distance-driven projection and backprojection against the cpu's, which walk over edges in double.
#include <backlit/geometry/trajectory.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/gl/projection_pair.hpp"
#include "support/projectors/one_view_back.hpp"
#include "support/projectors/random_upright.hpp"
#include "support/recon/follow_reference.hpp"

namespace backlit::gl {
namespace {

/// Those of cases() whose detectors are upright and whose sources stay outside, and some more.
std::vector<Case> upright_cases() {
  std::vector<Case> all = cases();
  std::erase_if(all, [](const Case& c) {
    return c.name.find("tilted") != std::string::npos || c.name.find("laminography") != std::string::npos ||
           c.name == "source inside the grid";
  });
  const Detector d{41, 33, 2.1, 1.9}, fine{153, 35, 0.5, 0.5};
  const VolumeGrid oblong{{29, 23, 17}, {1.0, 1.3, 0.9}, {4, -3, 5}}, thick{{25, 21, 2}, {1, 1.2, 30}, {0, 0, 0}};
  Scan down{d, circular_views(d, equal_angles(18, 10), 200, 310, {3.25, -2, 0, 0, 0})};
  for (View& v : down.views) v.v = -v.v;
  all.push_back({"rows that run down", oblong, down});
  all.push_back({"flying focal spot", oblong, {d, test::flying_views(d, equal_angles(18, 10), 200, 310, 0.8)}});
  all.push_back({"many cells a voxel", thick, {fine, circular_views(fine, equal_angles(18, 10), 200, 310)}});
  return all;
}

CtOptions way(Precision precision, const char* variant) {
  return {Model::branchless_dd, precision, Packing::automatic, Weighting::none, variant};
}

}  // namespace

TEST_CASE("Summed areas project as the distance-driven reference does, and nearly with its transpose") {
  GlBackend backend(test_context());
  for (Case& c : upright_cases()) {
    std::erase_if(c.scan.views, [&](const View& v) { return (&v - c.scan.views.data()) % 3 != 0; });
    const Pair truth = reference(c, Model::distance_driven);
    for (const CtOptions& o : {way(Precision::exact, ""), way(Precision::exact, "bl"), way(Precision::fast, "bz")}) {
      Pair p = random_pair(c);
      apply(backend, c, o, p);
      INFO(c.name << ", " << name(o.precision) << " " << o.variant << ": " << relative_l2(p.forward, truth.forward)
                  << ", " << relative_l2(p.back, truth.back) << ", pair " << mismatch(p));
      const bool exact = o.precision == Precision::exact;
      const bool narrow = c.name == "many cells a voxel";  // three 256ths a cell: hardware's weights are too coarse
      CHECK(relative_l2(p.forward, truth.forward) < (exact ? 1e-5 : narrow ? 5e-2 : 2e-3));
      CHECK(relative_l2(p.back, truth.back) < 1e-2);
      CHECK(mismatch(p) < 1e-3);
    }
  }
  backend.context().check();
}

TEST_CASE("Summed areas of sizes at random: forward as the reference, and a pair within 1e-3") {
  GlBackend backend(test_context());
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const auto scan = test::random_upright(seed);
    const Case c{scan.name, scan.grid, scan.scan};
    const Pair truth = reference(c, Model::distance_driven);
    for (const CtOptions& o : {way(Precision::exact, "bl"), way(Precision::fast, "bz")}) {
      Pair p = random_pair(c);
      apply(backend, c, o, p);
      INFO(c.name << ", " << name(o.precision) << " " << o.variant << ": " << relative_l2(p.forward, truth.forward)
                  << ", " << relative_l2(p.back, truth.back) << ", pair " << mismatch(p));
      CHECK(relative_l2(p.forward, truth.forward) < (o.precision == Precision::exact ? 1e-5 : 2e-3));
      CHECK(mismatch(p) < 1e-3);
    }
  }
  backend.context().check();
}

TEST_CASE("Whole reconstructions from summed areas follow those with the exact transpose") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  for (const std::string method : {"ossart", "fista", "cgls", "pcg", "pwls"}) {
    const auto expected = test::distance_driven_head(*cpu, method, "distance_driven");
    for (const auto& [precision, variant] : {std::pair("fast", "bz"), std::pair("exact", "bl")}) {
      if (method != "ossart" && precision == std::string("exact")) continue;
      const double off =
          relative_l2(test::distance_driven_head(backend, method, "branchless_dd", precision, variant), expected);
      INFO(method << ", " << precision << " " << variant << ": " << off);
      CHECK(off < 1e-2);
    }
  }
  backend.context().check();
}

TEST_CASE("Summed areas give one view back within 0.2 %") {
  GlBackend backend(test_context());
  const test::OneViewBack v = test::one_view_back(100, true);
  for (const char* variant : {"bl", "bz"}) {
    const test::Errors e = test::errors_of(v, backend, way(Precision::fast, variant));
    INFO(variant << ": " << e.normalised << ", " << e.relative);
    CHECK(e.normalised < 1.3e-3);
    CHECK(e.relative < 6e-4);  // 1.05e-3 where tables hold the means of columns too
  }
}

TEST_CASE("Summed areas work on subsets, add to what is there and follow a volume that changes") {
  GlBackend backend(test_context());
  const Case c = cases().front();
  const auto a = backend.make_ct(c.grid, c.scan, way(Precision::exact, ""));
  const Pair p = random_pair(c);
  const auto pixels = static_cast<std::size_t>(c.scan.detector.pixels());
  const ArrayPtr x = a->make_domain(), all = a->make_range(21), some = a->make_range(5), back = a->make_domain();
  const Subset subset{2, 5, 4};
  std::vector<float> whole(pixels * 21), part(pixels * 5);
  for (const float factor : {1.0f, 3.0f}) {  // twice on one plan: tables of the first must not serve the second
    backend.upload(p.volume, *x);
    backend.scale(*x, factor);
    a->forward(*x, *all, a->all(), Write::overwrite);
    a->forward(*x, *some, subset, Write::overwrite);
    a->forward(*x, *some, subset, Write::accumulate);
    backend.download(*all, whole);
    backend.download(*some, part);
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < pixels; j += 97)
        CHECK(part[i * pixels + j] == Approx(2 * whole[(2 + 4 * i) * pixels + j]).epsilon(1e-6));
  }
  const double before = backend.dot(*some, *some);
  a->back(*some, *back, subset, Write::overwrite);
  a->back(*some, *back, subset, Write::accumulate);
  CHECK(backend.dot(*back, *x) == Approx(2 * 0.5 * before).epsilon(1e-3));  // some = 2 A x
  backend.context().check();
}

TEST_CASE("Summed areas of more slabs than a texture has layers, and of as many voxels as it has texels") {
  const Detector d{37, 29, 2.5, 1.25};
  const Case c{"wide", {{40, 40, 13}, {1.0, 0.9, 1.3}, {0, 0, 0}}, {d, circular_views(d, equal_angles(8, 5), 90, 130)}};
  for (const CtOptions& o : {way(Precision::exact, "bz"), way(Precision::fast, "bz"), way(Precision::fast, "bl")}) {
    GlBackend backend(test_context());
    Pair whole = random_pair(c), parts = whole;
    apply(backend, c, o, whole);
    Limits limits = backend.context().limits();
    limits.array_layers = 16;
    limits.texture_size = 40;
    backend.context().mask(limits);
    apply(backend, c, o, parts);
    INFO(name(o.precision) << " " << o.variant << ": " << relative_l2(parts.forward, whole.forward));
    CHECK(parts.forward != whole.forward);  // sums of sums
    CHECK(relative_l2(parts.forward, whole.forward) < 1e-6);
    CHECK(parts.back == whole.back);
    backend.context().check();
  }
}

TEST_CASE("Summed areas: what they cannot do is said") {
  GlBackend backend(test_context());
  const auto all = cases();
  const auto make = [&](const Case& c, const CtOptions& o) { return backend.make_ct(c.grid, c.scan, o); };
  CHECK_THROWS_WITH(make(all[2], way(Precision::fast, "")),
                    Catch::StartsWith("view 0: distance-driven projection: the detector is tilted"));
  CHECK_THROWS_WITH(make(all[0], way(Precision::half, "")),
                    "precision: the gl backend does not offer 'half'; it offers exact, fast");
  CHECK_THROWS_WITH(make(all[0], way(Precision::fast, "bc")),
                    "variant: the gl backend does not offer 'bc'; it offers bz, bl");
  CHECK(make(all[0], way(Precision::fast, ""))->variant() == "model=branchless_dd,precision=fast,packing=none,bz");
  CHECK_FALSE(make(all[0], way(Precision::exact, ""))->matched());
  Limits limits = backend.context().limits();
  limits.array_layers = 12;
  backend.context().mask(limits);
  CHECK_THROWS_WITH(make(all[0], way(Precision::fast, "")),
                    "model branchless_dd: 13 slices are more than one texture array holds; choose joseph");
  limits = query_limits();
  limits.texture_size = 39;
  backend.context().mask(limits);
  CHECK_THROWS_WITH(make(all[0], way(Precision::fast, "")), Catch::Contains("tables of more than 39 edges"));
  backend.context().check();
}

}  // namespace backlit::gl
