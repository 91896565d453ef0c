// Emission of volumes larger than a budget or a texture, slab by slab and box by box, against the same in one piece.
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "large/device_group.hpp"
#include "large/tiled_backend.hpp"
#include "support/gl/emission_support.hpp"

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace backlit::gl {
namespace {

TiledBackend tiled(std::int64_t memory) {
  return TiledBackend(std::make_unique<GlBackend>(test_context(), memory), memory);
}

void check_same(const Emitted& result, const Emitted& truth, double limit = 1e-6) {
  CHECK(relative_l2(result.forward, truth.forward) < limit);
  CHECK(relative_l2(result.back, truth.back) < limit);
}

/// Some of the cases, with attenuation alone and with scatter, on a context whose limits change() has lowered.
template <class Change>
void check_limited(const EmissionOptions& options, std::initializer_list<std::size_t> cases, Change change,
                   const std::string& cut) {
  GlBackend whole(test_context());
  for (const std::size_t i : cases)
    for (const std::size_t w : {0u, 8u}) {
      const auto c = test::emission_cases()[i];
      EmissionOptions o = test::emission_ways()[w];
      o.slices = options.slices;
      o.variant = options.variant;
      const Emitted truth = apply(whole, c, o);
      const auto context = test_context();
      Limits limits = context->limits();
      change(limits);
      TiledBackend parts = tiled(0);
      context->mask(limits);
      const Emitted result = apply(parts, c, o);
      context->mask(query_limits());
      INFO(c.name << ", " << test::text(o) << ", " << result.variant);
      CHECK_THAT(result.variant, Contains(cut));
      check_same(result, truth);
    }
  whole.context().check();
}

constexpr std::int64_t narrow = 100 << 10;  // some slices, and views one at a time
constexpr std::int64_t narrow_facing = 180 << 10;

}  // namespace

TEST_CASE("Emission within a budget is that of the whole, for every geometry and kernel") {
  GlBackend whole(test_context());
  TiledBackend parts = tiled(narrow);
  const auto cases = test::emission_cases();
  const auto ways = test::emission_ways();
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (i == 1 ? w % 2 == 1 : w != 0 && w != 8) continue;
      for (const Precision precision : {Precision::exact, Precision::fast})
        for (const std::string draw : {"compute", "fragment"}) {
          if (draw == "fragment" && (i != 1 || (w != 0 && w != 8))) continue;
          EmissionOptions o = ways[w];
          o.precision = precision;
          o.variant = "draw=" + draw;
          const Emitted truth = apply(whole, cases[i], o), result = apply(parts, cases[i], o);
          INFO(cases[i].name << ", " << test::text(o) << ", " << result.variant);
          CHECK_THAT(truth.variant, !Contains("slabs="));
          if (cases[i].grid.size[2] > 1) CHECK_THAT(result.variant, Contains("slabs=") && !Contains("slabs=1|"));
          check_same(result, truth);
        }
    }
  whole.context().check();
}

TEST_CASE("Emission through planes that face the detector, box by box, is that of the whole") {
  GlBackend whole(test_context());
  TiledBackend parts = tiled(narrow_facing);
  const auto cases = test::emission_cases();
  const auto ways = test::emission_ways();
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (std::size_t w = 0; w < ways.size(); ++w)
      for (const Precision precision : {Precision::exact, Precision::fast, Precision::half})
        for (const std::string draw : {"compute", "fragment"}) {
          if (cases[i].grid.size[2] == 1) continue;  // below
          if (i != 1 && (w != 8 || draw == "fragment" || precision != Precision::exact)) continue;
          if (w != 8 && (draw == "fragment" || precision == Precision::half)) continue;
          if (draw == "fragment" && precision == Precision::half) continue;
          EmissionOptions o = ways[w];
          o.slices = EmissionOptions::Slices::facing;
          o.precision = precision;
          o.variant = "draw=" + draw;
          const Emitted truth = apply(whole, cases[i], o), result = apply(parts, cases[i], o);
          INFO(cases[i].name << ", " << test::text(o) << ", " << result.variant << ": "
                             << relative_l2(result.forward, truth.forward) << ", "
                             << relative_l2(result.back, truth.back));
          CHECK_THAT(truth.variant, !Contains("boxes="));
          CHECK_THAT(result.variant, Contains("boxes=") && !Contains("boxes=1x1x1"));
          // Hardware rounds what it has filtered of halves: on borders between boxes once for each.
          const bool rounds = precision == Precision::half && !whole.context().limits().software;
          check_same(result, truth, rounds ? 1e-4 : 1e-6);
        }
  whole.context().check();
}

TEST_CASE("Emission blended from front to back, in slabs and in boxes, is that of the whole") {
  GlBackend whole(test_context());
  const auto c = test::emission_cases()[1];
  for (const bool facing : {false, true}) {
    TiledBackend parts = tiled(facing ? narrow_facing : narrow);
    EmissionOptions o;
    o.slices = facing ? EmissionOptions::Slices::facing : EmissionOptions::Slices::axis;
    o.variant = "composite=front_to_back_blended";
    const Emitted truth = apply(whole, c, o), result = apply(parts, c, o);
    INFO(result.variant);
    CHECK_THAT(result.variant, Contains("front_to_back_blended") && Contains(facing ? "boxes=" : "slabs="));
    check_same(result, truth);
  }
  whole.context().check();
}

TEST_CASE("Emission through planes that face the detector, with sides that a 3-D texture has not") {
  check_limited(
      {.slices = EmissionOptions::Slices::facing}, {1, 3}, [](Limits& limits) { limits.texture_3d_size = 6; },
      "boxes=3x3x2");
}

TEST_CASE("Emission through planes that face the detector takes a few planes of several views at once") {
  check_limited(
      {.slices = EmissionOptions::Slices::facing}, {1, 3, 4, 5},
      [](Limits& limits) {
        limits.array_layers = 19;  // four views' images, four planes of each; then three's, six of each
        limits.texture_3d_size = 9;
      },
      "boxes=2x2x");
}

TEST_CASE("Emission within a budget takes several views and several of a slab's planes at once, in halves too") {
  GlBackend whole(test_context());
  TiledBackend parts = tiled(28 << 10);
  for (const std::size_t i : {4u, 5u})
    for (const std::size_t w : {0u, 7u})
      for (const Precision precision : {Precision::exact, Precision::half}) {
        auto c = test::emission_cases()[i];
        const auto angles = equal_angles(40, 11);
        c.scan.views =
            i == 4 ? parallel_views(c.scan.detector, angles) : circular_views(c.scan.detector, angles, 90, 150);
        EmissionOptions o = test::emission_ways()[w];
        o.precision = precision;
        o.variant = "draw=compute";
        const Emitted truth = apply(whole, c, o), result = apply(parts, c, o);
        INFO(c.name << ", " << test::text(o) << ", " << result.variant << ": "
                    << relative_l2(result.forward, truth.forward) << ", " << relative_l2(result.back, truth.back));
        CHECK_THAT(result.variant, Contains("slabs=3|"));
        check_same(result, truth);  // every slab's halves have a unit of their own, but units are powers of two
      }
  whole.context().check();
}

TEST_CASE("Emission of more slices than a texture has layers, computed and drawn") {
  for (const std::string draw : {"compute", "fragment"})
    check_limited(
        {.variant = "draw=" + draw}, {0, 1, 3}, [](Limits& limits) { limits.array_layers = 6; }, "slabs=3|3|2");
}

TEST_CASE("Emission within a budget: subsets, what is added, unmatched partners, and the transpose") {
  GlBackend whole(test_context());
  TiledBackend parts = tiled(narrow_facing);
  const auto c = test::emission_cases()[1];
  EmissionOptions o = test::emission_ways()[4];
  o.slices = GENERATE(EmissionOptions::Slices::axis, EmissionOptions::Slices::facing);
  const char* cut = o.slices == EmissionOptions::Slices::axis ? "slabs=" : "boxes=";
  INFO(name(o.slices));
  CHECK_THAT(parts.make_emission(c.grid, c.scan, matter(c.grid), o)->variant(), Contains(cut));
  check_alike(in_subsets(parts, c, o), in_subsets(whole, c, o), 1e-6);
  // <A x, y> = <x, A' y>
  const auto a = parts.make_emission(c.grid, c.scan, matter(c.grid), o);
  const auto x = a->make_domain(), back = a->make_domain(), y = a->make_range(7), other = a->make_range(7);
  parts.upload(random_values(x->count(), 1), *x);
  parts.upload(random_values(other->count(), 4), *other);
  a->forward(*x, *y, a->all(), Write::overwrite);
  a->back(*other, *back, a->all(), Write::overwrite);
  const double left = parts.dot(*y, *other), right = parts.dot(*x, *back);
  CHECK(std::abs(left - right) < 1e-5 * std::sqrt(parts.dot(*y, *y) * parts.dot(*other, *other)));
  // Volumes that are not cut.
  const auto uncut = parts.make_array(x->shape());
  parts.upload(values_of(parts, *x), *uncut);
  const auto expected = values_of(parts, *y), given = values_of(parts, *back);
  a->forward(*uncut, *y, a->all(), Write::overwrite);
  CHECK(values_of(parts, *y) == expected);
  a->back(*other, *uncut, a->all(), Write::overwrite);
  CHECK(values_of(parts, *uncut) == given);
  a->back(*other, *uncut, a->all(), Write::accumulate);
  parts.scale(*uncut, 0.5f);
  CHECK(relative_l2(values_of(parts, *uncut), given) < 1e-6);
  for (const auto kind : {EmissionOptions::Back::attenuated, EmissionOptions::Back::plain}) {
    o.back = kind;
    CHECK(relative_l2(apply(parts, c, o).back, apply(whole, c, o).back) < 1e-6);
  }
  whole.context().check();
}

TEST_CASE("Emission within a budget on several devices is the first one's") {
  GlBackend whole(test_context());
  std::vector<std::unique_ptr<Backend>> devices;
  for (int i = 0; i < 2; ++i) devices.push_back(std::make_unique<GlBackend>(test_context(), narrow_facing));
  TiledBackend parts(make_device_group(std::move(devices)), narrow_facing);
  const auto c = test::emission_cases()[1];
  for (const auto slices : {EmissionOptions::Slices::axis, EmissionOptions::Slices::facing}) {
    EmissionOptions o;
    o.slices = slices;
    const Emitted truth = apply(whole, c, o), result = apply(parts, c, o);
    CHECK_THAT(result.variant, Contains(slices == EmissionOptions::Slices::axis ? "slabs=" : "boxes="));
    check_same(result, truth);
  }
  whole.context().check();
}

TEST_CASE("Emission methods within a budget are those of the whole") {
  const auto c = test::emission_cases()[1];
  for (const auto& [method, slices] :
       {std::pair<std::string, std::string>{"osem", "axis"}, {"sart", "axis"}, {"osem", "facing"}}) {
    const auto reconstruct = [&](std::int64_t memory) {
      TiledBackend backend = tiled(memory);
      Projections views(c.scan);
      const auto a = backend.make_emission(c.grid, c.scan, matter(c.grid), {});
      const auto x = a->make_domain(), y = a->make_range(7);
      backend.upload(random_values(x->count(), 1, 0.5f, 1), *x);
      a->forward(*x, *y, a->all(), Write::overwrite);
      backend.download(*y, views.values.span());
      ReconOptions options{.method = method, .precision = "exact"};
      options.emission.emission_slices = slices;
      options.model = "emission";
      options.iterations = 2;
      options.subsets = method == "osem" ? 2 : 1;
      const auto recon =
          make_reconstruction(backend, std::make_shared<MemorySource>(std::move(views)), c.grid, options);
      while (recon->step() != Reconstruction::Status::finished) continue;
      const Volume v = recon->download();
      return Emitted{{}, {v.values.begin(), v.values.end()}, recon->variant()};
    };
    const Emitted truth = reconstruct(0), result = reconstruct(narrow_facing);
    INFO(method << ", " << result.variant << ": " << relative_l2(result.back, truth.back));
    CHECK_THAT(result.variant, Contains(slices == "axis" ? "slabs=" : "boxes="));
    CHECK(relative_l2(result.back, truth.back) < 2e-6);
  }
}

TEST_CASE("Emission within a budget says what it cannot do") {
  const auto c = test::emission_cases()[1];
  TiledBackend parts = tiled(narrow), tiny = tiled(4 << 10), small = tiled(60 << 10),
               wide = tiled(std::int64_t{64} << 20);
  EmissionOptions o;
  CHECK_THROWS_WITH(small.make_emission(c.grid, c.scan, matter(c.grid), o),
                    "--gpu-memory: 60 KiB is too little for emission: images of one view of 27 x 23 pixels take "
                    "69.86 KiB; give more");
  const Detector pixel{1, 1, 2, 2};
  CHECK_THROWS_WITH(
      tiny.make_emission(c.grid, {pixel, circular_views(pixel, equal_angles(7, 11), 110, 170)}, matter(c.grid), o),
      StartsWith("--gpu-memory: 4 KiB is too little for emission: one slice of 143 voxels takes ") &&
          Contains("give more, or take fewer voxels"));
  CHECK_THAT(wide.make_emission(c.grid, c.scan, matter(c.grid), o)->variant(), !Contains("slabs="));
  o.slices = EmissionOptions::Slices::facing;
  CHECK_THROWS_WITH(small.make_emission(c.grid, c.scan, matter(c.grid), o),
                    "--gpu-memory: 60 KiB is too little for emission: images of one view of 27 x 23 pixels take "
                    "69.86 KiB; give more");
  std::vector<float> bad = matter(c.grid);
  bad[7] = -1;
  CHECK_THROWS_WITH(parts.make_emission(c.grid, c.scan, bad, {}),
                    StartsWith("attenuation: value -1 of voxel 7 is no attenuation"));
  test_context()->check();
}

}  // namespace backlit::gl
