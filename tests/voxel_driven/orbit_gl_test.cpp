// Views packed by quarter turns, and the compute variants, against the cpu backend, which computes in double.
#include <backlit/core/error.hpp>
#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "support/gl/backproject_support.hpp"
#include "support/recon/recon_options.hpp"

using Catch::Matchers::Contains;

namespace backlit::gl {
namespace {

std::vector<Case> packable() {
  const Detector d{41, 29, 1.5, 1.25};
  const VolumeGrid even{{22, 22, 13}, {1.1, 1.1, 0.9}, {0, 0, 1}}, odd{{21, 21, 10}, {1.1, 1.1, 1.3}, {0, 0, -2}};
  const DetectorPlacement off{2.25, -1.5, 0, 0, 0};
  return {{"circular", even, {d, circular_views(d, equal_angles(44, 7), 60, 90, off)}},
          {"circular, odd grid", odd, {d, circular_views(d, equal_angles(12, 7), 60, 90)}},
          {"parallel, odd grid", odd, {d, parallel_views(d, equal_angles(36, 5), off)}},
          {"one slice", {{16, 16, 1}, {1, 1, 1}, {0, 0, 0}}, {d, circular_views(d, equal_angles(20), 60, 90)}}};
}

CtOptions packed(Precision precision, Weighting weighting, const std::string& draw) {
  return {Model::voxel_driven, precision, Packing::orbit, weighting, "draw=" + draw};
}

TEST_CASE("Packed views give the volume of unpacked ones") {
  GlBackend backend(test_context());
  for (const Case& c : packable())
    for (Weighting weighting : {Weighting::fdk, Weighting::none}) {
      const auto projections = random_projections(c.scan);
      const auto truth = expected(c, projections, weighting, {0, c.scan.view_count(), 1});
      for (const char* draw : {"slices", "slices,transform=fragment", "slices,transform=fragment,accumulate=loop",
                               "slices,views=4", "compute"})
        for (Precision precision : {Precision::fast, Precision::half}) {
          INFO(c.name << ", " << draw << ", " << name(precision));
          CHECK(relative_l2(backproject(backend, c, projections, packed(precision, weighting, draw)), truth) <
                (precision == Precision::fast ? 1e-3 : 2e-3));
        }
    }
  backend.context().check();
}

TEST_CASE("Packed backprojection adds, and small values keep their digits in halves") {
  GlBackend backend(test_context());
  const Case c = packable()[0];
  auto projections = random_projections(c.scan);
  for (float& v : projections) v *= 1e-7f;  // far below what a half float can hold
  const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
  for (const char* draw : {"slices", "compute"}) {
    INFO(draw);
    const auto ct = backend.make_ct(c.grid, c.scan, packed(Precision::half, Weighting::fdk, draw));
    CHECK_THAT(ct->variant(), Contains("packing=orbit") && Contains("texel=rgba16f"));
    CHECK(ct->prefers_whole());
    const auto y = ct->make_range(c.scan.view_count()), x = ct->make_domain();
    backend.upload(projections, *y);
    ct->back(*y, *x, ct->all(), Write::overwrite);
    ct->back(*y, *x, ct->all(), Write::accumulate);
    ct->back(*y, *x, {0, 22, 2}, Write::accumulate);  // a part goes unpacked
    ct->back(*y, *x, {1, 22, 2}, Write::accumulate);
    backend.scale(*x, 1.0f / 3);
    std::vector<float> volume(static_cast<std::size_t>(c.grid.voxels()));
    backend.download(*x, volume);
    CHECK(relative_l2(volume, truth) < 2e-3);
  }
  backend.context().check();
}

TEST_CASE("Views in the order of their groups are packed in batches") {
  GlBackend backend(test_context());
  Case c = packable()[1];
  c.scan.views =
      circular_views(c.scan.detector, equal_angles(76, 7), 60, 90);  // 19 groups, more than are packed at a time
  Case ordered = c;
  const auto order = find_quarter_turns(c.scan, c.grid).order();
  const auto projections = random_projections(c.scan);
  const auto pixels = static_cast<std::size_t>(c.scan.detector.pixels());
  std::vector<float> values;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto view = static_cast<std::size_t>(order[i]);
    ordered.scan.views[i] = c.scan.views[view];
    values.insert(values.end(), projections.begin() + static_cast<std::ptrdiff_t>(view * pixels),
                  projections.begin() + static_cast<std::ptrdiff_t>((view + 1) * pixels));
  }
  for (const char* draw : {"slices", "slices,transform=fragment,accumulate=loop", "slices,kill=stencil", "compute"})
    for (const Precision precision : {Precision::fast, Precision::half}) {
      const CtOptions o = packed(precision, Weighting::fdk, draw);
      const auto whole = backproject(backend, c, projections, o);
      const auto ct = backend.make_ct(ordered.grid, ordered.scan, o);
      INFO(ct->variant());
      CHECK_FALSE(ct->prefers_whole());
      const auto all = ct->make_range(76), some = ct->make_range(12), x = ct->make_domain();
      backend.upload(values, *all);
      backend.upload(std::span(values).first(12 * pixels), *some);
      const auto check = [&] {
        std::vector<float> volume(static_cast<std::size_t>(c.grid.voxels()));
        backend.download(*x, volume);
        CHECK(relative_l2(volume, whole) < 1e-6);
      };
      ct->back(*all, *x, ct->all(), Write::overwrite);
      check();
      ct->back(*some, *x, {0, 12, 1}, Write::overwrite);
      ct->back(*all, *x, {12, 64, 1}, Write::accumulate);
      check();
    }
  backend.context().check();
}

TEST_CASE("Packing goes another way where the vertex shader cannot choose the layer") {
  const auto context = test_context();
  GlBackend backend(context);
  Limits limits = context->limits();
  limits.layer_from_vertex_shader = false;
  context->mask(limits);
  const Case c = packable()[1];
  const auto projections = random_projections(c.scan);
  const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
  CHECK(relative_l2(backproject(backend, c, projections, packed(Precision::fast, Weighting::fdk, "slices")), truth) <
        1e-3);
  context->check();
}

TEST_CASE("Packed views a pass end where varyings do, and are whole groups") {
  const auto context = test_context();
  GlBackend backend(context);
  const Case c = packable()[0];
  const auto make = [&](const std::string& draw) {
    return backend.make_ct(c.grid, c.scan, packed(Precision::fast, Weighting::fdk, draw));
  };
  CHECK_THAT(make("slices,views=44")->variant(), Contains("views=44") && !Contains("varyings"));
  Limits limits = context->limits();
  limits.varying_components = limits.geometry_output_components = 19;  // 11 beside the driver's own: 5 groups
  context->mask(limits);
  CHECK_THAT(make("slices,views=44")->variant(), Contains("views=20,varyings=19"));
  CHECK_THAT(make("slices,transform=fragment,views=44")->variant(), Contains("views=44") && !Contains("varyings"));
  const auto projections = random_projections(c.scan);
  const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
  const auto volume = backproject(backend, c, projections, packed(Precision::fast, Weighting::fdk, "slices,views=44"));
  CHECK(relative_l2(volume, truth) < 1e-3);
  CHECK_THROWS_WITH(make("slices,views=6"),
                    "variant: views=6 is no number of whole groups of four views; with packing orbit choose 8 or 4");
  context->check();
}

TEST_CASE("Scans that cannot be packed on OpenGL say why, and auto takes them unpacked") {
  const auto context = test_context();
  GlBackend backend(context);
  const Case c = packable()[0];
  const auto make = [&](const VolumeGrid& grid, Precision precision, Packing packing) {
    return backend.make_ct(grid, c.scan, {Model::voxel_driven, precision, packing, Weighting::fdk, ""})->variant();
  };
  VolumeGrid moved = c.grid, wide = c.grid;
  moved.center.x = 3;
  wide.spacing = {5, 5, 1};
  CHECK_THROWS_WITH(make(moved, Precision::fast, Packing::orbit),
                    "packing orbit: the axis is not in the middle of the grid; use `packing` auto");
  CHECK_THROWS_WITH(make(wide, Precision::fast, Packing::orbit), Contains("the source lies within the grid"));
  CHECK_THROWS_WITH(make(c.grid, Precision::exact, Packing::orbit), Contains("precision exact"));
  CHECK_THAT(make(moved, Precision::fast, Packing::automatic), Contains("packing=none"));
  CHECK_THAT(make(c.grid, Precision::exact, Packing::automatic), Contains("packing=none"));
  CHECK_THAT(make(c.grid, Precision::fast, Packing::automatic), Contains("packing=orbit"));
  // More than 4 GiB of views: nothing is allocated for them, they stream through unpacked.
  const Detector huge{8000, 8000, 0.01, 0.01};
  const Scan large{huge, circular_views(huge, equal_angles(44, 7), 60, 90)};
  CHECK_THAT(
      backend.make_ct(c.grid, large, {Model::voxel_driven, Precision::fast, Packing::automatic, Weighting::fdk, ""})
          ->variant(),
      Contains("packing=none"));
  Limits limits = context->limits();
  limits.array_layers = 20;
  context->mask(limits);
  CHECK_THROWS_WITH(make(c.grid, Precision::fast, Packing::orbit),
                    Contains("44 views are more than one texture array"));
}

TEST_CASE("The compute shader gives the volume of the drawn slices for every geometry") {
  GlBackend backend(test_context());
  for (const Case& c : cases()) {
    const auto projections = random_projections(c.scan);
    INFO(c.name);
    const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
    const double singular = c.name == "source inside the grid" ? 10 : 1;
    for (Precision precision : {Precision::exact, Precision::fast}) {
      CtOptions o = options(precision, Weighting::fdk, "draw=compute");
      o.packing = Packing::none;
      CHECK(relative_l2(backproject(backend, c, projections, o), truth) <
            (precision == Precision::exact ? 1e-5 : 1e-3) * singular);
    }
  }
  backend.context().check();
}

TEST_CASE("FDK on OpenGL packs where it may, and holds the views so far when it is stopped") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  const Detector d{61, 37, 4.5, 5};
  const Scan scan{d, circular_views(d, equal_angles(40, 3), 600, 900)};
  const VolumeGrid grid{{26, 26, 17}, {7, 7, 7}, {0, 0, 0}};
  const auto projections = [&] {
    Projections views(scan);
    project_phantom(load_phantom("shepp-logan-3d"), scan, 0, scan.view_count(), 1, views.values.span());
    return std::make_shared<MemorySource>(std::move(views));
  };
  const auto start = [&](Backend& b, const char* precision, std::shared_ptr<ProjectionSource> source) {
    ReconOptions options;
    options.precision = precision;
    return make_reconstruction(b, std::move(source), grid, options);
  };
  /// Views of the first groups of quarter turns, or the scan's first views; the others are 0.
  const auto first_views = [&](std::int64_t count, bool by_groups) {
    const auto source = projections();
    const std::vector<std::int64_t> order = find_quarter_turns(scan, grid).order();
    Projections views(scan);
    for (std::int64_t n = 0; n < count; ++n) {
      const std::int64_t view = by_groups ? order[static_cast<std::size_t>(n)] : n;
      source->read(view, 1,
                   views.values.span().subspan(static_cast<std::size_t>(view * d.pixels()),
                                               static_cast<std::size_t>(d.pixels())));
    }
    return std::make_shared<MemorySource>(std::move(views));
  };
  const auto finished = [](const std::unique_ptr<Reconstruction>& run) {
    while (run->step() != Reconstruction::Status::finished) {
    }
    return run->download();
  };
  const auto whole = start(backend, "fast", projections()), early = start(backend, "fast", projections());
  CHECK_THAT(whole->variant(), Contains("packing=orbit"));
  CHECK(relative_l2(finished(whole).values, finished(start(*cpu, "exact", projections())).values.span()) < 2.5e-3);
  early->step();
  const std::int64_t done = early->progress().done;
  REQUIRE(done < 40);
  const Volume so_far = early->download();
  const auto error = [&](bool by_groups) {
    return relative_l2(so_far.values, finished(start(*cpu, "exact", first_views(done, by_groups))).values.span());
  };
  CHECK(std::min(error(false), error(true)) < 2.5e-3);
  backend.context().check();
}

}  // namespace
}  // namespace backlit::gl
