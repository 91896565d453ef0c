// Ray casting, box lengths and splats and their transposes against the cpu backend, which computes in double.
#include <algorithm>

#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/gl/projection_pair.hpp"

using Catch::Matchers::Contains;

namespace backlit::gl {
namespace {

/// `ways`: the first for every geometry, the others for a cone, a parallel and a curved one.
void check_model(Model model, const std::vector<CtOptions>& ways, double fast) {
  GlBackend backend(test_context());
  const std::vector<Case> all = cases();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Case c = all[i];
    if (model == Model::blob && (c.grid.size[2] == 1 || c.name == "source inside the grid")) continue;
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

TEST_CASE("Splats and short steps are handed over no more at a time than a slow device takes seconds for") {
  const auto context = test_context();
  GlBackend backend(context);
  const Case c = cases()[2];
  const double all = static_cast<double>(c.grid.voxels() * c.scan.view_count());
  /// Of the projection and of the transpose.
  const auto waits_of = [&](const CtOptions& o) {
    const auto ct = backend.make_ct(c.grid, c.scan, o);
    const ArrayPtr x = ct->make_domain(), y = ct->make_range(c.scan.view_count());
    backend.fill(*x, 1);
    const auto waits = [&](auto run) {
      context->set_pace(10 * all);
      context->pace(10 * all);  // nothing of earlier passes counts
      const std::int64_t before = context->waits();
      run();
      context->set_pace(Context::most_updates);
      return context->waits() - before;
    };
    const std::int64_t forward = waits([&] { ct->forward(*x, *y, ct->all(), Write::overwrite); });
    return std::pair(forward, waits([&] { ct->back(*y, *x, ct->all(), Write::overwrite); }));
  };
  using Waits = std::pair<std::int64_t, std::int64_t>;
  CtOptions rays = way(Model::raycast, Precision::fast, "draw=rays");
  CHECK(waits_of(rays) == Waits{0, 0});
  rays.step = 0.04;
  const Waits fine = waits_of(rays);
  CHECK(fine.first > 0);
  CHECK(fine.second > 0);
  CHECK(waits_of(way(Model::blob, Precision::exact, "draw=rays")) == Waits{0, 0});
  CHECK(waits_of(way(Model::blob, Precision::exact, "draw=slices")).first > 1);
}

TEST_CASE("Box lengths agree with double precision for every geometry, and with their transpose") {
  check_model(Model::siddon,
              {way(Model::siddon, Precision::exact, "draw=rays"), way(Model::siddon, Precision::fast, "draw=compute"),
               way(Model::siddon, Precision::exact, "draw=slices"),
               way(Model::siddon, Precision::fast, "draw=slices,accumulate=ping_pong"),
               way(Model::siddon, Precision::fast, "draw=rays,accumulate=ping_pong")},
              2e-5);
}

TEST_CASE("Splats agree with double precision for every geometry, and with their transpose") {
  check_model(Model::blob,
              {way(Model::blob, Precision::exact, "draw=rays"), way(Model::blob, Precision::fast, "draw=compute"),
               way(Model::blob, Precision::fast, "draw=slices")},
              2e-5);
}

TEST_CASE("What line models cannot do on OpenGL they refuse") {
  GlBackend backend(test_context());
  const auto all = cases();
  const auto make = [&](const Case& c, Model model, Packing packing, const std::string& variant) {
    return backend.make_ct(c.grid, c.scan, {model, Precision::fast, packing, Weighting::none, variant});
  };
  CHECK_THROWS_WITH(make(all[0], Model::raycast, Packing::orbit, ""),
                    "packing: the gl backend does not offer 'orbit'; it offers auto, none");
  CHECK_THROWS_WITH(make(all[0], Model::raycast, Packing::none, "draw=slices"),
                    "variant: draw=slices does not go with model raycast; use draw=rays or draw=compute, or choose "
                    "joseph");
  CHECK_THROWS_WITH(make(all[0], Model::blob, Packing::none, "accumulate=ping_pong"),
                    Contains("accumulate=ping_pong does not go with model blob"));
  for (const Model model : {Model::joseph, Model::siddon, Model::blob})
    CHECK_THROWS_WITH(make(all[0], model, Packing::none, "fetch=slices"),
                      Contains("fetch is raycast's and does not go with model") && Contains("leave it out"));
  CHECK_THROWS_WITH(
      backend.make_ct(all[0].grid, all[0].scan,
                      {Model::raycast, Precision::exact, Packing::none, Weighting::none, "fetch=texture3d"}),
      Contains("precision exact interpolates in software") && Contains("fetch=slices"));
  const auto half = [&](Model model, const char* variant) {
    return backend.make_ct(all[0].grid, all[0].scan, {model, Precision::half, Packing::none, Weighting::none, variant});
  };
  CHECK_THROWS_WITH(half(Model::blob, ""), Contains("does not offer 'half'"));
  CHECK_THROWS_WITH(half(Model::raycast, "fetch=slices"),
                    Contains("precision half: ") && Contains("in fp32; use --precision fast"));
  CHECK_THROWS_WITH(make(all[14], Model::blob, Packing::none, ""),
                    "model blob: the source lies within the grid; choose joseph");
  CHECK_THROWS_WITH(make(all[9], Model::blob, Packing::none, ""), Contains("the grid has one slice"));
  CHECK_THAT(make(all[0], Model::raycast, Packing::none, "draw=rays,fetch=slices")->variant(),
             Contains("model=raycast") && Contains("draw=rays,fetch=slices"));
  backend.context().check();
}

TEST_CASE("Volumes larger than a 3-D texture are cast in several, at the samples of the whole") {
  const auto context = test_context();
  GlBackend backend(context);
  const Case c = cases()[0];
  for (const auto& [draw, precision] :
       {std::pair{"draw=rays", Precision::fast}, std::pair{"draw=compute", Precision::half}}) {
    Pair whole = random_pair(c), parts = whole;
    apply(backend, c, way(Model::raycast, precision, draw), whole);
    Limits limits = context->limits();
    limits.texture_3d_size = 8;
    context->mask(limits);
    CHECK_THAT(backend.make_ct(c.grid, c.scan, way(Model::raycast, precision, draw))->variant(),
               Contains("fetch=texture3d,bricks="));
    apply(backend, c, way(Model::raycast, precision, draw), parts);
    context->mask(query_limits());
    INFO(draw << ", " << name(precision));
    // Hardware rounds weights to 256ths, and the places of samples are rounded brick by brick.
    CHECK(relative_l2(parts.forward, whole.forward) < 5e-5);
    CHECK(parts.back == whole.back);
  }
  // What interpolates in software needs no 3-D texture.
  CHECK_THAT(backend.make_ct(c.grid, c.scan, way(Model::raycast, Precision::exact, ""))->variant(),
             Contains("fetch=slices"));
  context->check();
}

}  // namespace backlit::gl
