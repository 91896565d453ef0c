// Volumes larger than a texture's layers or a budget of memory on OpenGL, against the same in one piece.
#include <backlit/core/error.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "large/large_backend.hpp"
#include "large/ranks/ranked_backend.hpp"
#include "large/thread_ranks.hpp"
#include "support/gl/backproject_support.hpp"
#include "support/recon/large_penalty.hpp"

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
  backend.upload(random_values(x->count(), 4, 0.5f, 1), *x);
  ct->forward(*x, *y, ct->all(), Write::overwrite);
  r.views.resize(static_cast<std::size_t>(y->count()));
  backend.download(*y, r.views);
  return r;
}

LargeBackend large(std::int64_t memory = 0) {
  return LargeBackend(std::make_unique<GlBackend>(test_context(), memory), memory);
}

/// Room for a few slices and views.
std::int64_t little(const Case& c) { return 16 * (c.grid.voxels() + 2 * c.scan.detector.pixels()); }

void check(const Case& c, const CtOptions& o, std::int64_t memory, double limit) {
  GlBackend whole(test_context());
  const Result truth = run(whole, c.grid, c.scan, o);
  LargeBackend parts = large(memory);
  const Result result = run(parts, c.grid, c.scan, o);
  INFO(c.name << ", " << name(o.model) << ", " << result.variant << ": " << relative_l2(result.volume, truth.volume)
              << ", " << (truth.views.empty() ? 0 : relative_l2(result.views, truth.views)));
  CHECK_THAT(truth.variant, !Contains("slabs="));
  CHECK_THAT(result.variant, Contains("slabs="));
  CHECK(relative_l2(result.volume, truth.volume) < limit);
  if (!truth.views.empty()) CHECK(relative_l2(result.views, truth.views) < limit);
  test_context()->check();
}

TEST_CASE("Volumes of more slices than a texture has layers are cut into slabs") {
  Case c = cases()[0];
  c.grid.size[2] = 61;
  c.grid.spacing.z = 0.37;  // views see every slab
  for (const Precision precision : {Precision::exact, Precision::half}) {
    const CtOptions o{Model::voxel_driven, precision, Packing::none, Weighting::fdk, ""};
    GlBackend whole(test_context());
    const Result truth = run(whole, c.grid, c.scan, o);
    const auto context = test_context();
    Limits limits = context->limits();
    limits.array_layers = 25;  // fewer than slices, not fewer than views
    LargeBackend slabs = large();
    context->mask(limits);
    const Result result = run(slabs, c.grid, c.scan, o);
    CHECK_THAT(result.variant, Contains("slabs=3"));  // the last one is smaller
    CHECK(relative_l2(result.volume, truth.volume) < 1e-5);
    context->mask(query_limits());
  }
}

TEST_CASE("Within a budget every geometry gives what it gives in one piece") {
  const auto all = cases();
  for (std::size_t i = 0; i < all.size(); i += 3)
    if (const Case& c = all[i]; c.grid.size[2] > 1)
      check(c, {Model::joseph, Precision::exact, Packing::none, Weighting::none, ""}, little(c), 1e-5);
}

TEST_CASE("Within a budget every model gives what it gives in one piece") {
  Case c = cases()[0];
  std::erase_if(c.scan.views, [&](const View& v) { return (&v - c.scan.views.data()) % 7 != 0; });
  for (const Model model : {Model::voxel_driven, Model::branchless_dd, Model::siddon, Model::blob})
    check(c, {model, Precision::exact, Packing::none, Weighting::none, ""}, little(c), 1e-5);
  check(c, {Model::joseph, Precision::fast, Packing::none, Weighting::none, "draw=rays"}, little(c), 1e-4);
  check(c, {Model::joseph, Precision::fast, Packing::slices, Weighting::none, "draw=slices"}, little(c), 1e-4);
  // Samples begin anew in each slab: the difference is the sums' own, of noise.
  check(c, {Model::raycast, Precision::exact, Packing::none, Weighting::none, ""}, little(c), 2e-2);
}

TEST_CASE("Volumes that are not cut are refused with the size that fits") {
  const VolumeGrid grid{{3072, 2048, 8}, {0.1, 0.1, 0.1}, {0, 0, 0}};
  const Detector d{160, 12, 2.5, 0.5};
  const Scan scan{d, circular_views(d, equal_angles(1, 20), 600, 900)};
  Limits limits = test_context()->limits();
  limits.texture_size = 2048;
  LargeBackend parts = large();
  test_context()->mask(limits);
  CHECK_THROWS_WITH(parts.make_ct(grid, scan, {}), Contains("3072 x 2048 voxels") && Contains("at most 2048 x 2048"));
  test_context()->mask(query_limits());
}

TEST_CASE("Projection packed by quarter turns stays packed in slabs") {
  const Detector d{33, 13, 8, 12};
  const Case c{
      "quarter turns", {{26, 26, 34}, {7, 7, 5}, {0, 0, 2}}, {d, circular_views(d, equal_angles(24, 3), 600, 900)}};
  const CtOptions o{Model::joseph, Precision::fast, Packing::orbit, Weighting::none, ""};
  LargeBackend parts = large(520 << 10);
  parts.time_passes(true);
  run(parts, c.grid, c.scan, o);
  CHECK(parts.pass_times().contains("project packed"));
  parts.time_passes(false);
  check(c, o, 520 << 10, 1e-4);
}

/// FDK (or another method) of the head, within a budget; 0: as a whole.
struct Head {
  Detector detector{61, 37, 4.5, 5};
  VolumeGrid grid{{26, 26, 34}, {7, 7, 5}, {0, 0, 0}};
  std::int64_t views = 24;

  Result reconstruct(std::int64_t memory, const ReconOptions& options) const {
    const Scan scan{detector, circular_views(detector, equal_angles(views, 3), 600, 900)};
    LargeBackend backend = large(memory);
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
  Head flat;
  flat.grid.size[2] = 6;
  const Head head;
  for (const auto& [h, memory] : {std::pair{&head, 3600 << 10}, {&head, 400 << 10}, {&flat, 700 << 10}}) {
    const ReconOptions options{.precision = "fast"};
    const Result whole = h->reconstruct(0, options), parts = h->reconstruct(memory, options);
    INFO(parts.variant << ": " << relative_l2(parts.volume, whole.volume));
    CHECK_THAT(whole.variant, Contains("packing=orbit"));
    CHECK_THAT(parts.variant, Contains("packing=orbit"));
    CHECK(relative_l2(parts.volume, whole.volume) < 1e-4);
  }
  test_context()->check();
}

TEST_CASE("Methods within a budget agree with the whole") {
  const Head head;
  const auto check_method = [&](const ReconOptions& options, double limit) {
    const Result whole = head.reconstruct(0, options), parts = head.reconstruct(400 << 10, options);
    INFO(options.method << ", " << parts.variant << ": " << relative_l2(parts.volume, whole.volume));
    CHECK_THAT(whole.variant, !Contains("slabs="));
    CHECK_THAT(parts.variant, Contains("slabs="));
    CHECK(relative_l2(parts.volume, whole.volume) < limit);
  };
  check_method({.precision = "exact"}, 1e-5);
  // Filtered by hardware, parts and whole are each as far from exact interpolation as the other.
  ReconOptions ifdk{.method = "ifdk", .precision = "exact", .iterations = 2};
  const Result exact = head.reconstruct(0, ifdk);
  ifdk.precision = "fast";
  const Result whole = head.reconstruct(0, ifdk);
  check_method(ifdk, 2 * relative_l2(whole.volume, exact.volume) + 1e-4);
  check_method({.method = "sart", .back_model = "voxel_driven", .precision = "exact", .iterations = 1}, 1e-5);
  check_method({.method = "ossart", .precision = "exact", .iterations = 1, .subsets = 4}, 1e-5);
}

TEST_CASE("Penalties within a budget are those of the whole") {
  const auto make = [](std::int64_t budget) {
    return std::make_unique<LargeBackend>(std::make_unique<GlBackend>(test_context(), budget), budget);
  };
  test::check_large_penalties(make, 1e-4);
}

TEST_CASE("Ranks that keep doubles and floats do not iterate together") {
  const Case c = cases().front();
  std::string said[2];
  test::in_ranks(2, [&](const std::shared_ptr<Ranks>& ranks) {
    RankedBackend backend(make_backend(ranks->rank() == 0 ? "cpu" : "gl"), ranks);
    try {
      backend.make_ct(c.grid, c.scan, {.model = Model::joseph});
    } catch (const InputError& error) {
      said[ranks->rank()] = error.what();
    }
  });
  for (const std::string& text : said) CHECK_THAT(text, Contains("give all ranks the same `backend`"));
}

}  // namespace
}  // namespace backlit::gl
