// Emission with attenuation and scatter and its transpose against the cpu backend, which computes in double.
#include <algorithm>

#include <backlit/core/error.hpp>
#include "support/gl/emission_support.hpp"

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace backlit::gl {

TEST_CASE("Emission agrees with double precision for every geometry and kernel, forwards and backwards") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  const auto cases = test::emission_cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& c = cases[i];
    const auto ways = test::emission_variants();
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (i == 1 ? w % 2 == 1 : w != 0 && w != 8) continue;
      EmissionOptions o = ways[w];
      const Emitted truth = apply(*cpu, c, o);
      for (const std::string draw : {"compute", "fragment"}) {
        if (draw == "fragment" && w != 8 && w != 0) continue;
        o.variant = "draw=" + draw;
        INFO(c.name << ", " << test::text(o) << ", " << o.variant);
        const Emitted r = apply(backend, c, o);
        CHECK(relative_l2(r.forward, truth.forward) < 1e-5);
        CHECK(relative_l2(r.back, truth.back) < 1e-5);
      }
    }
  }
  backend.context().check();
}

TEST_CASE("Compositing from front to back and from back to front is the same to 1e-5, hardware filtering to 1e-3") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  for (const auto& c : test::emission_cases()) {
    EmissionOptions o;
    const Emitted truth = apply(*cpu, c, o, false);
    o.variant = "composite=front_to_back";
    const Emitted front = apply(backend, c, o, false);
    o.variant = "composite=back_to_front";
    const Emitted back = apply(backend, c, o, false);
    INFO(c.name);
    CHECK(relative_l2(front.forward, back.forward) < 1e-5);
    CHECK(relative_l2(front.forward, truth.forward) < 1e-5);
    for (const auto slices : {EmissionOptions::Slices::axis, EmissionOptions::Slices::facing}) {
      o.slices = slices;
      o.variant = "composite=back_to_front";
      const Emitted over = apply(backend, c, o);
      o.variant = "composite=front_to_back_blended";
      const Emitted under = apply(backend, c, o);
      INFO(under.variant);
      CHECK_THAT(under.variant, Contains("composite=front_to_back_blended,draw=fragment"));
      CHECK(relative_l2(under.forward, over.forward) < 1e-5);
      CHECK(relative_l2(under.forward, apply(*cpu, c, {.slices = slices}, false).forward) < 1e-5);
    }
    o.slices = EmissionOptions::Slices::axis;
    o.variant = "composite=back_to_front";
    for (const Precision p : {Precision::fast, Precision::half}) {
      o.precision = p;
      CHECK(relative_l2(apply(backend, c, o, false).forward, truth.forward) < (p == Precision::fast ? 1e-3 : 2e-3));
    }
  }
  backend.context().check();
}

TEST_CASE("Emission with hardware filtering and in halves, computed and drawn, forwards and backwards") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  for (const std::size_t i : {1u, 4u})
    for (const double scatter : {0.0, 6.0}) {
      const auto c = test::emission_cases()[i];
      EmissionOptions o;
      o.scatter_mm = scatter;
      const Emitted truth = apply(*cpu, c, o);
      for (const Precision p : {Precision::fast, Precision::half})
        for (const std::string draw : {"compute", "fragment"}) {
          o.precision = p;
          o.variant = "draw=" + draw;
          INFO(c.name << ", scatter " << scatter << ", " << name(p) << ", " << draw);
          const Emitted r = apply(backend, c, o);
          CHECK(relative_l2(r.forward, truth.forward) < (p == Precision::fast ? 1e-3 : 2e-3));
          CHECK(relative_l2(r.back, truth.back) < (p == Precision::fast ? 1e-3 : 2e-3));
        }
      o.variant.clear();
    }
  backend.context().check();
}

TEST_CASE("Every variant of emission that has a name gives double precision's, forwards and backwards") {
  GlBackend backend(test_context());
  const auto c = test::emission_cases()[1];
  const Emitted truth = apply(*make_backend("cpu"), c, {});
  const auto variants = static_cast<const Backend&>(backend).emission_variants();
  CHECK(variants.size() == 15);
  for (const EmissionOptions& o : variants) {
    const Emitted r = apply(backend, c, o);
    INFO(name(o.precision) << ", " << r.variant);
    CHECK_THAT(r.variant, Contains(o.variant));
    const double limit = o.precision == Precision::exact ? 1e-5 : o.precision == Precision::fast ? 1e-3 : 2e-3;
    CHECK(relative_l2(r.forward, truth.forward) < limit);
    CHECK(relative_l2(r.back, truth.back) < limit);
  }
  backend.context().check();
}

TEST_CASE("Emission through slices that face the detector agrees with double precision, forwards and backwards") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  for (const auto& c : test::emission_cases())
    for (const double scatter : {0.0, 8.0}) {
      EmissionOptions o;
      o.slices = EmissionOptions::Slices::facing;
      o.scatter_mm = scatter;
      if (scatter > 0 && !c.name.starts_with("cone")) continue;
      const Emitted truth = apply(*cpu, c, o);
      for (const std::string draw : {"compute", "fragment"}) {
        if (draw == "fragment" ? c.name != "cone" : scatter > 0 && c.name != "cone, tilted") continue;
        for (const Precision precision : {Precision::exact, Precision::fast}) {
          o.precision = precision;
          o.variant = "draw=" + draw;
          INFO(c.name << ", scatter " << scatter << ", " << draw << ", " << name(precision));
          const Emitted r = apply(backend, c, o);
          CHECK(relative_l2(r.forward, truth.forward) < (precision == Precision::exact ? 1e-5 : 2e-3));
          CHECK(relative_l2(r.back, truth.back) < (precision == Precision::exact ? 1e-5 : 2e-3));
        }
      }
      o.variant.clear();
      o.precision = Precision::exact;
    }
  backend.context().check();
}

TEST_CASE("Emission in halves through slices that face the detector keeps large and small activity") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  const auto c = test::emission_cases()[1];
  EmissionOptions o;
  o.slices = EmissionOptions::Slices::facing;
  const auto seen = [&](Backend& b, float factor) {
    const auto a = b.make_emission(c.grid, c.scan, matter(c.grid), o);
    const auto x = a->make_domain(), y = a->make_range(c.scan.view_count());
    b.upload(random_values(x->count(), 1), *x);
    b.scale(*x, factor);
    a->forward(*x, *y, a->all(), Write::overwrite);
    return values_of(b, *y);
  };
  for (const float factor : {1e7f, 1e-7f}) {
    o.precision = Precision::exact;
    const auto truth = seen(*cpu, factor);
    o.precision = Precision::half;
    CHECK(relative_l2(seen(backend, factor), truth) < 2e-3);
  }
  backend.context().check();
}

TEST_CASE("Emission's unmatched backprojections, subsets and batches of views") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  auto c = test::emission_cases()[1];
  EmissionOptions o = test::emission_variants()[4];
  for (const auto back : {EmissionOptions::Back::attenuated, EmissionOptions::Back::plain}) {
    o.back = back;
    CHECK(relative_l2(apply(backend, c, o).back, apply(*cpu, c, o).back) < 1e-5);
  }
  o.back = EmissionOptions::Back::matched;
  check_alike(in_subsets(backend, c, o), in_subsets(*cpu, c, o), 1e-5);
  backend.context().check();
}

TEST_CASE("Emission's backprojection a few planes at a time where a texture array has few layers") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  Limits limits = backend.context().limits();
  limits.array_layers = 17;  // seven views: two planes of each at a time, and one at the end
  backend.context().mask(limits);
  for (const std::size_t i : {0u, 2u})
    for (const std::size_t way : {0u, 8u}) {
      const auto c = test::emission_cases()[i];
      EmissionOptions o = test::emission_variants()[way];
      const Emitted truth = apply(*cpu, c, o);
      o.variant = "draw=compute";
      INFO(c.name << ", " << test::text(o));
      CHECK(relative_l2(apply(backend, c, o).back, truth.back) < 1e-5);
      o.slices = EmissionOptions::Slices::facing;
      o.variant.clear();
      INFO("facing");
      CHECK(relative_l2(apply(backend, c, o).back, apply(*cpu, c, o).back) < 1e-5);
    }
  backend.context().mask(query_limits());
  backend.context().check();
}

TEST_CASE("What emission on OpenGL cannot do it refuses") {
  GlBackend backend(test_context());
  const auto c = test::emission_cases()[1];
  const std::vector<float> mu(static_cast<std::size_t>(c.grid.voxels()), 0.01f);
  const auto make = [&](const EmissionOptions& o) { return backend.make_emission(c.grid, c.scan, mu, o); };
  EmissionOptions o;
  o.variant = "composite=sideways";
  CHECK_THROWS_WITH(make(o), StartsWith("variant: unknown composite 'sideways'; choose one of front_to_back"));
  o.variant = "views=3";
  CHECK_THROWS_WITH(make(o), "variant: unknown key 'views'; there are composite and draw");
  o.variant = "composite=front_to_back";
  CHECK_THAT(make(o)->variant(),
             Contains("model=emission") && Contains("composite=front_to_back") && Contains("draw=compute"));
  o.scatter_mm = 5;
  CHECK_THROWS_WITH(make(o),
                    "variant: composite=front_to_back does not have the slices behind when a slice scatters; use "
                    "composite=back_to_front");
  o.variant = "composite=front_to_back_blended";
  CHECK_THROWS_WITH(make(o),
                    "variant: composite=front_to_back_blended does not have the slices behind when a slice scatters; "
                    "use composite=back_to_front");
  o.scatter_mm = 0;
  o.variant += ",draw=compute";
  CHECK_THROWS_WITH(make(o), "variant: composite=front_to_back_blended blends what is drawn; use draw=fragment");
  o.scatter_mm = 5;
  o.variant.clear();
  o.slices = EmissionOptions::Slices::facing;
  CHECK(make(o)->matched());
  o.precision = Precision::fast;
  CHECK_FALSE(make(o)->matched());
  Limits limits = backend.context().limits();
  limits.texture_3d_size = 8;
  backend.context().mask(limits);
  CHECK_THROWS_WITH(make(o),
                    StartsWith("emission slices: facing slices are cut from a 3-D texture, whose sides end at 8"));
  backend.context().mask(query_limits());
  backend.context().check();
}

}  // namespace backlit::gl
