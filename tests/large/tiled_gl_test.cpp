// Volumes larger than a texture or a budget of memory on OpenGL against the same in one piece.
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "large/tiled_backend.hpp"
#include "projectors/unmatched_pair.hpp"
#include "support/gl/backproject_support.hpp"
#include "support/gl/coarse_filter.hpp"
#include "support/tiled_penalty.hpp"

using Catch::Matchers::Contains;

namespace backlit::gl {
namespace {

struct Result {
  std::vector<float> volume, views;
  std::string variant;
};

/// Backward, and forward where there is such, of noise.
Result run(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& o) {
  const auto ct = backend.make_ct(grid, scan, o);
  const std::int64_t n = scan.view_count();
  const auto y = ct->make_range(n), x = ct->make_domain();
  backend.upload(random_values(y->count(), 3, 0.5f, 1), *y);
  ct->back(*y, *x, ct->all(), Write::overwrite);
  Result r;
  r.variant = ct->variant();
  r.volume.resize(static_cast<std::size_t>(x->count()));
  backend.download(*x, r.volume);
  if (o.model == Model::voxel_driven) return r;
  ct->forward(*x, *y, ct->all(), Write::overwrite);
  r.views.resize(static_cast<std::size_t>(y->count()));
  backend.download(*y, r.views);
  return r;
}

TiledBackend tiled(std::int64_t memory = 0) {
  return TiledBackend(std::make_unique<GlBackend>(test_context(), memory), memory);
}

TEST_CASE("In slabs every voxel gets the very bits it gets in one piece") {
  Case c = cases()[0];
  c.grid.size[2] = 61;
  c.grid.spacing.z = 0.37;  // views see every slab
  for (const char* variant :
       {"draw=slices", "transform=fragment", "transform=fragment,accumulate=loop", "kill=stencil", "draw=compute"})
    for (Precision precision : {Precision::exact, Precision::fast, Precision::half}) {
      const CtOptions o{Model::voxel_driven, precision, Packing::none, Weighting::fdk, variant};
      GlBackend whole(test_context());
      const Result truth = run(whole, c.grid, c.scan, o);
      const auto context = test_context();
      Limits limits = context->limits();
      limits.array_layers = 25;  // fewer than slices, not fewer than views
      TiledBackend slabs = tiled();
      context->mask(limits);
      const Result result = run(slabs, c.grid, c.scan, o);
      INFO(result.variant);
      CHECK_THAT(result.variant, Contains("tiles=1x1x3"));  // the last one is smaller
      CHECK(result.volume == truth.volume);
    }
  test_context()->check();
}

TEST_CASE("Within a budget every geometry and model gives what it gives in one piece") {
  for (const Case& c : cases())
    for (Model model : {Model::voxel_driven, Model::joseph}) {
      const CtOptions o{model, Precision::exact, Packing::none, Weighting::none, ""};
      GlBackend whole(test_context());
      const Result truth = run(whole, c.grid, c.scan, o);
      const auto context = test_context();
      TiledBackend parts = tiled(16 * (c.grid.voxels() + 2 * c.scan.detector.pixels()));
      const Result result = run(parts, c.grid, c.scan, o);
      INFO(c.name << ", " << name(model) << ": " << result.variant);
      CHECK_THAT(result.variant, Contains("tiles="));
      CHECK(relative_l2(result.volume, truth.volume) < 1e-6);
      if (!truth.views.empty()) CHECK(relative_l2(result.views, truth.views) < 1e-6);
      context->check();
    }
}

TEST_CASE("Models of rays within a budget give what they give in one piece, ray casting's samples among them") {
  Case c = cases()[0];
  std::erase_if(c.scan.views, [&](const View& v) { return (&v - c.scan.views.data()) % 7 != 0; });
  for (const auto& [model, variant] :
       {std::pair{Model::branchless_dd, ""}, std::pair{Model::siddon, ""}, std::pair{Model::blob, ""},
        std::pair{Model::raycast, ""}, std::pair{Model::raycast, "draw=rays"},
        std::pair{Model::raycast, "draw=compute"}, std::pair{Model::joseph, "draw=rays"},
        std::pair{Model::joseph, "draw=compute"}}) {
    const CtOptions o{model, Precision::exact, Packing::none, Weighting::none, variant};
    GlBackend whole(test_context());
    const Result truth = run(whole, c.grid, c.scan, o);
    TiledBackend parts = tiled(16 * (c.grid.voxels() + 2 * c.scan.detector.pixels()));
    const Result result = run(parts, c.grid, c.scan, o);
    INFO(name(model) << ": " << result.variant << ": " << relative_l2(result.volume, truth.volume) << ", "
                     << relative_l2(result.views, truth.views));
    CHECK_THAT(result.variant, Contains("tiles="));
    CHECK(relative_l2(result.volume, truth.volume) < 1e-6);
    CHECK(relative_l2(result.views, truth.views) < 1e-6);
  }
}

TEST_CASE("Summed areas within a budget round edges where the whole does") {
  for (const Case& c : {cases()[0], cases()[4], cases()[5], cases()[11]})
    for (const auto& [precision, variant] :
         {std::pair{Precision::exact, "bz"}, std::pair{Precision::fast, "bz"}, std::pair{Precision::fast, "bl"}}) {
      const CtOptions o{Model::branchless_dd, precision, Packing::none, Weighting::none, variant};
      GlBackend whole(test_context());
      const Result truth = run(whole, c.grid, c.scan, o);
      // A plan has edges of all views' columns, 32 bytes each, in half of the budget.
      const std::int64_t edges = 64 * c.scan.view_count() * (c.scan.detector.columns + 1);
      TiledBackend parts = tiled(16 * (c.grid.voxels() + 2 * c.scan.detector.pixels()) + edges);
      const Result result = run(parts, c.grid, c.scan, o);
      INFO(c.name << ": " << result.variant << ": " << relative_l2(result.volume, truth.volume) << ", "
                  << relative_l2(result.views, truth.views));
      CHECK_THAT(result.variant, Contains("tiles=1x"));
      CHECK(relative_l2(result.volume, truth.volume) < 1e-6);
      CHECK(relative_l2(result.views, truth.views) < 1e-6);
    }
  test_context()->check();
}

TEST_CASE("Summed areas of more slabs and slices than a texture has layers") {
  const Case c = cases()[0];
  for (const Precision precision : {Precision::exact, Precision::fast}) {
    const CtOptions o{Model::branchless_dd, precision, Packing::none, Weighting::none, ""};
    GlBackend whole(test_context());
    const Result truth = run(whole, c.grid, c.scan, o);
    const auto context = test_context();
    Limits limits = context->limits();
    limits.array_layers = 7;
    TiledBackend parts = tiled();
    context->mask(limits);
    const Result result = run(parts, c.grid, c.scan, o);
    INFO(result.variant << ": " << relative_l2(result.volume, truth.volume) << ", "
                        << relative_l2(result.views, truth.views));
    CHECK_THAT(result.variant, Contains("tiles=1x1x2"));
    CHECK(relative_l2(result.volume, truth.volume) < 1e-6);
    // Tables hold what columns differ by from their means, which parts of columns have of their own: rounded weights
    // (hardware's have 8 bits) tell.
    const double fast = limits.software ? 3e-6 : 1e-5;
    CHECK(relative_l2(result.views, truth.views) < (precision == Precision::exact ? 1e-6 : fast));
  }
}

TEST_CASE("Plans of tiles move to other tiles, those of whole grids of rays do not") {
  const Case c = cases()[0];
  GlBackend backend(test_context());
  for (const Model model : {Model::raycast, Model::joseph}) {
    const CtOptions o{model, Precision::exact, Packing::none, Weighting::none, ""};
    CHECK_FALSE(backend.make_ct(c.grid, c.scan, o)->move_by({0, 0, 2}));
    const Box lower{{0, 0, 0}, {c.grid.size[0], c.grid.size[1], 4}}, upper{{0, 0, 2}, lower.size};
    const auto moved = backend.make_tile(c.grid, lower, c.scan, o), made = backend.make_tile(c.grid, upper, c.scan, o);
    REQUIRE(moved->move_by({0, 0, 2}));
    std::vector<std::vector<float>> views;
    for (LinearOperator* a : {moved.get(), made.get()}) {
      const auto x = a->make_domain(), y = a->make_range(c.scan.view_count());
      backend.upload(random_values(x->count(), 6), *x);
      a->forward(*x, *y, a->all(), Write::overwrite);
      views.emplace_back(static_cast<std::size_t>(y->count()));
      backend.download(*y, views.back());
    }
    CHECK(views[0] == views[1]);
  }
}

TEST_CASE("A call goes one way, however few of its views a budget has room for") {
  const Case c = cases()[0];
  const CtOptions o{Model::joseph, Precision::fast, Packing::none, Weighting::none, "draw=compute"};
  GlBackend whole(test_context());
  const Result truth = run(whole, c.grid, c.scan, o);
  TiledBackend parts = tiled(40 * 4 * c.scan.detector.pixels());  // two views at a time
  const Result result = run(parts, c.grid, c.scan, o);
  INFO(result.variant << ": " << relative_l2(result.views, truth.views));
  CHECK_THAT(result.variant, Contains("tiles="));
  CHECK(relative_l2(result.views, truth.views) < 1e-6);
}

TEST_CASE("Views of a call that is handed over in parts go its way, through pairs and tiles too") {
  const Case c = cases()[0];
  const CtOptions o{Model::joseph, Precision::fast, Packing::none, Weighting::none, "draw=compute"};
  for (const std::int64_t memory : {std::int64_t{0}, 40 * 4 * c.scan.detector.pixels()}) {
    TiledBackend backend = tiled(memory);
    const auto back = [&] { return backend.make_ct(c.grid, c.scan, {.packing = Packing::none}); };
    UnmatchedPair pair(backend.make_ct(c.grid, c.scan, o), back());
    const auto x = pair.make_domain(), y = pair.make_range(6), one = pair.make_range(1);
    backend.upload(random_values(x->count(), 6), *x);
    std::vector<float> all(static_cast<std::size_t>(y->count())), view(static_cast<std::size_t>(one->count()));
    pair.forward(*x, *y, {2, 6, 3}, Write::overwrite);
    backend.download(*y, all);
    pair.part_of_call(6);
    backend.upload(random_values(x->count(), 6), *x);  // nothing that was made of it serves
    pair.forward(*x, *one, {2, 1, 3}, Write::overwrite);
    backend.download(*one, view);
    all.resize(view.size());
    INFO(pair.variant());
    CHECK(view == all);
  }
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - b[i]));
    scale = std::max(scale, std::abs(static_cast<double>(b[i])));
  }
  return most / scale;
}

TEST_CASE("Slices within a budget have the whole's weights wherever a tile begins, single rays among them") {
  const Case c = cases()[0];
  const Limits limits = test_context()->limits();
  Limits hardware = limits;
  hardware.software = false;  // shaders round places
  for (const char* draw : {"draw=rays", "draw=compute", "draw=slices", "draw=slices,accumulate=ping_pong"}) {
    const CtOptions o{Model::joseph, Precision::fast, Packing::none, Weighting::none, draw};
    std::vector<Result> wholes;
    for (const Limits& masked : {limits, hardware}) {
      GlBackend whole(test_context());
      TiledBackend parts = tiled(16 * (c.grid.voxels() + 2 * c.scan.detector.pixels()));
      whole.context().mask(masked);
      wholes.push_back(run(whole, c.grid, c.scan, o));
      const Result result = run(parts, c.grid, c.scan, o);
      INFO(result.variant << (masked.software ? ", software" : ""));
      CHECK_THAT(result.variant, Contains("tiles="));
      CHECK(relative_l2(result.views, wholes.back().views) < 1e-6);
      CHECK(largest_difference(result.views, wholes.back().views) < 3e-6);
    }
    if (limits.software) CHECK(relative_l2(wholes[0].views, wholes[1].views) > 1e-5);
  }
  test_context()->check();
}

/// Quarter turns far apart in the order of views.
Case packed_case(const Detector& d, std::int64_t n) {
  return {"quarter turns", {{n, n, 34}, {7, 7, 5}, {0, 0, 2}}, {d, circular_views(d, equal_angles(24, 3), 600, 900)}};
}

/// Of noise.
Result project(Backend& backend, const Case& c, const CtOptions& o) {
  const auto ct = backend.make_ct(c.grid, c.scan, o);
  const auto x = ct->make_domain(), y = ct->make_range(c.scan.view_count());
  backend.upload(random_values(x->count(), 3, 0.5f, 1), *x);
  ct->forward(*x, *y, ct->all(), Write::overwrite);
  std::vector<float> views(static_cast<std::size_t>(y->count()));
  backend.download(*y, views);
  return {{}, views, ct->variant()};
}

struct Packed {
  Precision precision;
  Packing packing;
  Detector detector;
  std::int64_t memory, side = 26;
  const char* tiles = "tiles=1x1x";
};

TEST_CASE("Quarter turns within a budget, and views without their partners, are what they are in one pass") {
  const Limits limits = test_context()->limits();
  Limits hardware = limits;
  hardware.software = false;  // shaders round places
  const Detector few{33, 13, 8, 12}, many{61, 41, 4.5, 4};
  // With room for all views, and without, and for no whole slices: then they go unpacked.
  for (const Packed& p : {Packed{Precision::fast, Packing::orbit, few, 520 << 10},
                          Packed{Precision::fast, Packing::orbit, few, 520 << 10, 27},
                          Packed{Precision::half, Packing::automatic, few, 520 << 10},
                          Packed{Precision::half, Packing::automatic, many, 300 << 10, 25},
                          Packed{Precision::half, Packing::automatic, many, 90 << 10, 27, "x34"}})
    for (const char* draw : {"draw=rays", "draw=compute", "draw=slices", "draw=slices,accumulate=ping_pong"})
      for (const Limits& masked : {limits, hardware}) {
        const CtOptions o{Model::joseph, p.precision, p.packing, Weighting::none, draw};
        const Case c = packed_case(p.detector, p.side);
        GlBackend whole(test_context());
        TiledBackend parts = tiled(p.memory);
        parts.time_passes(true);
        whole.context().mask(masked);
        const Result truth = project(whole, c, o), result = project(parts, c, o);
        INFO(result.variant << (masked.software ? ", software: " : ": ") << relative_l2(result.views, truth.views));
        CHECK_THAT(truth.variant, Contains("packing=orbit") && Contains("stack=view"));
        CHECK_THAT(result.variant, Contains(p.tiles) && Contains("stack=view"));
        CHECK(parts.pass_times().contains("project packed") == (p.packing == Packing::orbit));
        // Hardware rounds what it has filtered of halves: on borders between tiles once for each.
        const bool rounds = p.precision == Precision::half && !limits.software;
        CHECK(relative_l2(result.views, truth.views) < (rounds ? 1e-4 : 1e-6));
      }
  test_context()->check();
}

TEST_CASE("Four slices a texel, boxes and splats within a budget are what they are in one pass, however precise") {
  Case c = cases()[0];
  std::erase_if(c.scan.views, [&](const View& v) { return (&v - c.scan.views.data()) % 7 != 0; });
  for (const auto& [model, packing] :
       {std::pair{Model::joseph, Packing::slices}, {Model::siddon, Packing::none}, {Model::blob, Packing::none}})
    for (const Precision precision : {Precision::exact, Precision::fast, Precision::half})
      for (const char* draw : {"draw=rays", "draw=slices"}) {
        if (model == Model::blob && precision == Precision::half) continue;
        const CtOptions o{model, precision, packing, Weighting::none, draw};
        GlBackend whole(test_context());
        TiledBackend parts = tiled(16 * (c.grid.voxels() + 2 * c.scan.detector.pixels()));
        const Result truth = project(whole, c, o), result = project(parts, c, o);
        INFO(name(model) << ": " << result.variant << ": " << relative_l2(result.views, truth.views));
        CHECK_THAT(result.variant, Contains("tiles="));
        CHECK(relative_l2(result.views, truth.views) < 1e-6);
      }
  test_context()->check();
}

TEST_CASE("Ray casting through 3-D textures within a budget takes the whole's samples and weights") {
  Case c = cases()[0];
  std::erase_if(c.scan.views, [&](const View& v) { return (&v - c.scan.views.data()) % 7 != 0; });
  for (const Precision precision : {Precision::fast, Precision::half}) {
    const CtOptions o{Model::raycast, precision, Packing::none, Weighting::none, ""};
    GlBackend whole(test_context());
    const Result truth = run(whole, c.grid, c.scan, o);
    TiledBackend parts = tiled(16 * (c.grid.voxels() + 2 * c.scan.detector.pixels()));
    const Result result = run(parts, c.grid, c.scan, o);
    INFO(result.variant << ": " << relative_l2(result.volume, truth.volume) << ", "
                        << relative_l2(result.views, truth.views));
    CHECK_THAT(result.variant, Contains("tiles="));
    CHECK(relative_l2(result.volume, truth.volume) < 1e-6);
    // Hardware rounds what it has filtered of halves: on borders between tiles once for each.
    const bool rounds = precision == Precision::half && !whole.context().limits().software;
    CHECK(relative_l2(result.views, truth.views) < (rounds ? 1e-4 : 1e-6));
  }
}

struct Way {
  std::string method, back_model = "matched";
  const char* precision = "exact";
  double limit = 1e-6;
  std::string back_variant{};
};

/// Three iterations within `memory` (0: as a whole) of a device like `limits`.
Result reconstruct(const Way& way, const VolumeGrid& grid, const Scan& scan, std::int64_t memory,
                   const Limits& limits) {
  TiledBackend backend = tiled(memory);
  test_context()->mask(limits);
  Projections views(scan);
  project_phantom(load_phantom("shepp-logan-3d"), scan, 0, scan.view_count(), 1, views.values.span());
  ReconOptions options{.method = way.method, .back_model = way.back_model, .precision = way.precision};
  options.back_variant = way.back_variant;
  options.iterations = 3;
  if (way.method == "ossart") options.subsets = 4;
  const auto recon = make_reconstruction(backend, std::make_shared<MemorySource>(std::move(views)), grid, options);
  while (recon->step() != Reconstruction::Status::finished) continue;
  const Volume v = recon->download();
  return {{v.values.begin(), v.values.end()}, {}, recon->variant()};
}

/// The largest difference of a slice, relative to what that slice holds.
double worst_slice(const Result& result, const Result& truth, const VolumeGrid& grid) {
  const auto slice = grid.size[0] * grid.size[1];
  double worst = 0;
  for (std::int64_t k = 0; k < grid.size[2]; ++k) {
    const auto of = [&](const Result& r) {
      return std::vector(r.volume.begin() + k * slice, r.volume.begin() + (k + 1) * slice);
    };
    const auto wanted = of(truth);
    if (std::ranges::any_of(wanted, [](float v) { return v != 0; }))
      worst = std::max(worst, relative_l2(of(result), wanted));
  }
  return worst;
}

/// Where rays graze the grid, what is next to nothing is divided by next to nothing.
void check_slabs(const Way& way, const Limits& limits) {
  const Detector d{61, 37, 4.5, 5};
  const Scan scan{d, circular_views(d, equal_angles(24, 3), 600, 900)};
  const VolumeGrid grid{{26, 26, 34}, {7, 7, 5}, {0, 0, 0}};
  const Result whole = reconstruct(way, grid, scan, 0, limits), slabs = reconstruct(way, grid, scan, 300 << 10, limits);
  const double difference = relative_l2(slabs.volume, whole.volume), worst = worst_slice(slabs, whole, grid);
  INFO(way.method << ", " << way.precision << ": " << slabs.variant << ": " << difference << ", of a slice at most "
                  << worst);
  CHECK_THAT(slabs.variant, Contains("tiles=1x1x"));
  CHECK(difference < way.limit);
  CHECK(worst < 10 * way.limit);
  test_context()->check();
}

TEST_CASE("Methods within a budget agree with the whole in the outermost slices too, where rays graze the grid") {
  const Limits limits = test_context()->limits();
  for (const char* method : {"sirt", "ossart", "cgls"}) check_slabs({method}, limits);
  check_slabs({"sart", "voxel_driven"}, limits);
}

TEST_CASE("Methods within a budget agree with the whole where hardware filters") {
  Limits limits = test_context()->limits();
  std::optional<CoarseFilter> filter;
  if (limits.software) filter.emplace();
  limits.software = false;                                      // shaders round places
  check_slabs({"sart", "voxel_driven", "fast", 3e-6}, limits);  // 72 updates divide by what rays that graze weigh
  for (const char* way : {"draw=compute", "draw=slices", "draw=slices,views=2", "draw=slices,transform=fragment"})
    check_slabs({"ossart", "voxel_driven", "fast", 1e-6, way}, limits);
  check_slabs({"sirt", "voxel_driven", "fast"}, limits);
  check_slabs({"osem", "voxel_driven", "fast"}, limits);
}

TEST_CASE("What operators cut in different ways is copied and added, as an FDK that iterations start from") {
  const Detector d{61, 37, 4.5, 5};
  const Scan scan{d, circular_views(d, equal_angles(24, 3), 600, 900)};
  const VolumeGrid grid{{26, 26, 34}, {7, 7, 5}, {0, 0, 0}};
  TiledBackend parts = tiled(300 << 10);
  const auto slabs = parts.make_ct(grid, scan, {.model = Model::voxel_driven}),
             strips = parts.make_ct(grid, scan, {.model = Model::branchless_dd});
  CHECK_THAT(slabs->variant(), Contains("tiles=1x1x"));
  CHECK_THAT(strips->variant(), Contains("tiles=1x") && !Contains("tiles=1x1x"));
  const ArrayPtr x = slabs->make_domain(), y = strips->make_domain();
  const auto values = random_values(grid.voxels(), 5);
  parts.upload(values, *x);
  parts.copy(*x, *y);
  std::vector<float> copied(values.size());
  parts.download(*y, copied);
  CHECK(copied == values);
  parts.axpy(1, *x, *y);
  parts.download(*y, copied);
  for (float& v : copied) v /= 2;
  CHECK(copied == values);
}

TEST_CASE("3072 x 2048 x 8 voxels, past a texture limit of 2048") {
  const VolumeGrid grid{{3072, 2048, 8}, {0.1, 0.1, 0.1}, {0, 0, 0}};
  const Detector d{160, 12, 2.5, 0.5};
  const Scan scan{d, circular_views(d, equal_angles(1, 20), 600, 900)};
  const CtOptions o{Model::voxel_driven, Precision::fast, Packing::none, Weighting::none, "transform=fragment"};
  const auto context = test_context();
  Limits limits = context->limits();
  limits.texture_size = limits.texture_3d_size = 2048;
  TiledBackend parts = tiled();
  context->mask(limits);
  const Result cut = run(parts, grid, scan, o);
  CHECK_THAT(cut.variant, Contains("tiles=2x1x1"));
  GlBackend narrow(context);
  CHECK_THROWS_WITH(run(narrow, grid, scan, o), Contains("3072 x 2048 is larger than a texture of this device"));
  // A device that takes such slices gives the same.
  if (query_limits().texture_size < 3072) return;
  GlBackend wide(test_context());
  CHECK(cut.volume == run(wide, grid, scan, o).volume);
}

TEST_CASE("3072 x 2048 x 8 voxels through 3-D textures, where these end at 2048 as on llvmpipe") {
  const VolumeGrid grid{{3072, 2048, 8}, {0.1, 0.1, 0.1}, {0, 0, 0}};
  const Detector d{160, 6, 2.5, 0.5};
  const Case c{"wide", grid, {d, circular_views(d, equal_angles(2, 20), 600, 900)}};
  GlBackend backend(test_context());
  const auto through = [&](const char* fetch) {
    const CtOptions o{Model::raycast, Precision::fast, Packing::none, Weighting::none, std::string("fetch=") + fetch};
    return project(backend, c, o);
  };
  const Result textures = through("texture3d"), slices = through("slices");
  if (query_limits().texture_3d_size < 3072) CHECK_THAT(textures.variant, Contains("bricks=2"));
  // Hardware rounds the third weight, too.
  CHECK(relative_l2(textures.views, slices.views) < (query_limits().software ? 3e-6 : 1e-3));
  test_context()->check();
}

/// FDK (or another method) of the head, within a budget; 0: as a whole.
struct Head {
  Detector detector{61, 37, 4.5, 5};
  VolumeGrid grid{{26, 26, 34}, {7, 7, 5}, {0, 0, 0}};
  std::int64_t views = 44;
  double arc = 360, offset = 0;

  Result reconstruct(std::int64_t memory, const ReconOptions& options) const {
    DetectorPlacement placement;
    placement.offset_u = offset;
    const Scan scan{detector, circular_views(detector, equal_angles(views, 3, arc), 600, 900, placement)};
    TiledBackend backend = tiled(memory);
    Projections projections(scan);
    project_phantom(load_phantom("shepp-logan-3d"), scan, 0, views, 1, projections.values.span());
    const auto source = std::make_shared<MemorySource>(std::move(projections));
    const auto recon = make_reconstruction(backend, source, grid, options);
    while (recon->step() != Reconstruction::Status::finished) continue;
    const Volume v = recon->download();
    return {{v.values.begin(), v.values.end()}, {}, recon->variant()};
  }
};

TEST_CASE("FDK within a budget packs by quarter turns slab by slab, and batch by batch where views have no room") {
  Head flat, displaced;
  flat.grid.size[2] = 6;
  displaced.offset = 9;
  struct Budget {
    const char* name;
    const Head& head;
    std::int64_t memory;
    const char* tiles;
  };
  const Head head;
  const Budget budgets[] = {{"views fit", head, 3600 << 10, ""},
                            {"neither fits", head, 400 << 10, "tiles=1x1x"},
                            {"only the volume fits", flat, 700 << 10, ""},
                            {"of a widened detector", displaced, 500 << 10, "tiles=1x1x"}};
  for (const Budget& b : budgets)
    for (const char* precision : {"fast", "half"})
      for (const char* variant : {"draw=compute", "draw=slices"}) {
        const ReconOptions options{.precision = precision, .variant = variant};
        const Result whole = b.head.reconstruct(0, options), parts = b.head.reconstruct(b.memory, options);
        INFO(b.name << ", " << parts.variant << ": " << relative_l2(parts.volume, whole.volume));
        CHECK_THAT(whole.variant, Contains("packing=orbit") && !Contains("tiles"));
        CHECK_THAT(parts.variant, Contains("packing=orbit") && Contains(b.tiles));
        CHECK(relative_l2(parts.volume, whole.volume) < 1e-6);
      }
  test_context()->check();
}

TEST_CASE("FDK within a budget is the whole's where nothing is packed, and iterative FDK's where it is") {
  const Head head;
  Head half_turn;
  half_turn.arc = 230;
  const auto check = [](const Head& h, const ReconOptions& options, const char* packing, double limit) {
    const Result whole = h.reconstruct(0, options), parts = h.reconstruct(400 << 10, options);
    INFO(parts.variant << ": " << relative_l2(parts.volume, whole.volume));
    CHECK_THAT(whole.variant, Contains(packing) && !Contains("tiles"));
    CHECK_THAT(parts.variant, Contains(packing) && Contains("tiles=1x1x"));
    CHECK(relative_l2(parts.volume, whole.volume) < limit);
  };
  check(head, {.precision = "exact"}, "packing=none", 1e-6);
  check(head, {.packing = "none"}, "packing=none", 1e-6);
  check(half_turn, {}, "packing=none", 1e-6);
  // llvmpipe's filter does not round places, in the projector's slabs as little as in the whole: 1.1e-6.
  check(head, {.method = "ifdk", .iterations = 2}, "packing=orbit", 2e-6);
}

TEST_CASE("Penalties within a budget are those of the whole") {
  const auto make = [](std::int64_t budget) {
    return std::make_unique<TiledBackend>(std::make_unique<GlBackend>(test_context(), budget), budget);
  };
  test::check_tiled_penalties(make, 1e-4);
}

}  // namespace
}  // namespace backlit::gl
