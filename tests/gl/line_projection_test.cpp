// Ray casting, box lengths and splats and their transposes against the cpu backend, which computes in double.
#include <algorithm>

#include "backend/gl/gl_backend_class.hpp"
#include "gl_cases.hpp"
#include "projection_pair.hpp"

using Catch::Matchers::Contains;

namespace backlit::gl {
namespace {

/// `ways`: the first for every geometry, the others for a cone, a parallel and a curved one.
void check_model(Model model, const std::vector<CtOptions>& ways, double fast) {
  GlBackend backend(test_context());
  const std::vector<Case> all = cases();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Case c = all[i];
    if (model == Model::splat && (c.grid.size[2] == 1 || c.name == "source inside the grid")) continue;
    std::erase_if(c.scan.views, [&](const View& v) { return (&v - c.scan.views.data()) % 9 != 0; });
    const Pair truth = reference(c, model);
    for (const CtOptions& o : ways) {
      if (&o != &ways.front() && i != 2 && i != 5 && i != 11) continue;
      INFO(c.name << ", " << name(o.model) << ", " << name(o.precision) << " " << o.variant);
      const double exact = model == Model::raycast ? 1e-3 : 2e-5;  // single precision may take a step more
      const double tolerance = o.precision == Precision::exact ? exact : o.precision == Precision::half ? 2e-3 : fast;
      Pair p = random_pair(c);
      apply(backend, c, o, p);
      CHECK(relative_l2(p.forward, truth.forward) < tolerance);
      CHECK(relative_l2(p.back, truth.back) < exact);
      CHECK(mismatch(p) < (o.precision == Precision::exact ? 1e-5 : 1e-3));
    }
  }
  backend.context().check();
}

CtOptions way(Model model, Precision precision, const std::string& variant) {
  return {model, precision, Packing::automatic, Weighting::none, variant};
}

}  // namespace

TEST_CASE("Ray casting agrees with double precision for every geometry, and with its transpose") {
  check_model(Model::raycast,
              {way(Model::raycast, Precision::exact, "draw=rays"),
               way(Model::raycast, Precision::exact, "draw=compute"), way(Model::raycast, Precision::fast, "draw=rays"),
               way(Model::raycast, Precision::fast, "draw=compute,fetch=slices"),
               way(Model::raycast, Precision::half, "draw=rays")},
              1e-3);
}

TEST_CASE("Box lengths agree with double precision for every geometry, and with their transpose") {
  check_model(Model::box_line_integrated,
              {way(Model::box_line_integrated, Precision::exact, "draw=rays"),
               way(Model::box_line_integrated, Precision::fast, "draw=compute")},
              2e-5);
}

TEST_CASE("Splats agree with double precision for every geometry, and with their transpose") {
  check_model(Model::splat,
              {way(Model::splat, Precision::exact, "draw=rays"), way(Model::splat, Precision::fast, "draw=compute"),
               way(Model::splat, Precision::fast, "draw=slices")},
              2e-5);
}

TEST_CASE("What line models cannot do on OpenGL they refuse") {
  GlBackend backend(test_context());
  const auto all = cases();
  const auto make = [&](const Case& c, Model model, Packing packing, const std::string& variant) {
    return backend.make_ct(c.grid, c.scan, {model, Precision::fast, packing, Weighting::none, variant});
  };
  CHECK_THROWS_WITH(make(all[0], Model::raycast, Packing::orbit, ""),
                    "packing orbit: it goes with slice_interpolated and voxel_driven; use --packing auto");
  CHECK_THROWS_WITH(make(all[0], Model::raycast, Packing::none, "draw=slices"),
                    "model raycast: draw=slices goes with slice_interpolated; choose slice_interpolated");
  CHECK_THROWS_WITH(make(all[14], Model::splat, Packing::none, ""),
                    "model splat: the source lies within the grid; choose slice_interpolated");
  CHECK_THROWS_WITH(make(all[9], Model::splat, Packing::none, ""), Contains("the grid has one slice"));
  CHECK_THAT(make(all[0], Model::raycast, Packing::none, "draw=rays,fetch=slices")->variant(),
             Contains("model=raycast") && Contains("draw=rays,fetch=slices"));
  Limits limits = backend.context().limits();
  limits.texture_3d_size = 16;
  backend.context().mask(limits);
  CHECK_THROWS_WITH(make(all[0], Model::raycast, Packing::none, ""), Contains("fetch=slices takes it"));
  backend.context().check();
}

}  // namespace backlit::gl
