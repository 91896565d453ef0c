// PCG and FISTA, masks, initial volumes and stopping, on the CPU reference.
#include <backlit/core/error.hpp>
#include <backlit/data/selected_views.hpp>
#include "recon/support_mask.hpp"
#include "support/recon/convergence.hpp"
#include "support/recon/recon_options.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

std::shared_ptr<const Volume> shared(Volume v) { return std::make_shared<const Volume>(std::move(v)); }

Volume filled(const VolumeGrid& g, float value) {
  Volume v(g);
  for (float& x : v.values) x = value;
  return v;
}

}  // namespace

TEST_CASE("FISTA gets in 16 iterations further than SIRT in 40, with subsets further still") {
  auto backend = make_backend("cpu");
  const Run sirt = run({.method = "sirt", .iterations = 40, .nonnegative = true}, *backend, small_scan());
  const Run fista = run({.method = "fista", .iterations = 16, .nonnegative = true}, *backend, small_scan());
  CHECK(fista.residuals[0] == Approx(1));
  CHECK(fista.residuals[1] == Approx(sirt.residuals[1]));  // no momentum yet
  CHECK(relative_error(fista.volume) < relative_error(sirt.volume));
  for (float v : fista.volume.values) REQUIRE(v >= 0);
  const Run subsets =
      run({.method = "fista", .iterations = 16, .subsets = 4, .nonnegative = true}, *backend, small_scan());
  CHECK(relative_error(subsets.volume) < 0.7 * relative_error(fista.volume));
}

TEST_CASE("PCG without a preconditioner is CGLS, with it residuals fall all the same") {
  auto backend = make_backend("cpu");
  const Run cgls = run({.method = "cgls", .iterations = 8}, *backend, small_scan());
  const Run plain = run({.method = "pcg", .iterations = 8, .preconditioner = "none"}, *backend, small_scan());
  CHECK(plain.residuals == cgls.residuals);
  const Run pcg = run({.method = "pcg", .iterations = 30}, *backend, small_scan());
  for (std::size_t i = 1; i < pcg.residuals.size(); ++i) CHECK(pcg.residuals[i] < pcg.residuals[i - 1]);
  CHECK(pcg.residuals.back() < 2e-3);
  CHECK(relative_error(pcg.volume) < 0.1);
}

TEST_CASE("OS-SART of the noiseless head comes closer to it than FDK does") {
  check_subsets_beat_fdk(*make_backend("cpu"));
}

TEST_CASE("Voxels and rays without weight are left alone") { check_zero_weights(*make_backend("cpu")); }

TEST_CASE("Selected views are a scan of their own") {
  const Scan scan = small_scan(7);
  auto all = std::make_shared<MemorySource>(consistent_data(*make_backend("cpu"), scan));
  SelectedViews some(all, 1, 6, 2);
  REQUIRE(some.scan().view_count() == 3);
  CHECK(some.scan().views[2] == scan.views[5]);
  const auto pixels = static_cast<std::size_t>(scan.detector.pixels());
  std::vector<float> got(2 * pixels), wanted(pixels);
  some.read(1, 2, got);
  for (const std::int64_t view : {3, 5}) {
    all->read(view, 1, wanted);
    CHECK(
        std::equal(wanted.begin(), wanted.end(), got.begin() + (view == 3 ? 0 : static_cast<std::ptrdiff_t>(pixels))));
  }
  SelectedViews shuffled(all, {5, 2, 4, 3, 6, 0});
  got.resize(4 * pixels);
  shuffled.read(1, 4, got);  // 2, 4, 3, 6: neighbours that lie apart
  for (const std::size_t place : {0, 1, 2, 3}) {
    all->read(std::array{2, 4, 3, 6}[place], 1, wanted);
    CHECK(std::equal(wanted.begin(), wanted.end(), got.begin() + static_cast<std::ptrdiff_t>(place * pixels)));
  }
  CHECK_THROWS_WITH(SelectedViews(all, 3, 8, 1), Catch::StartsWith("views: 3:8:1 selects nothing of 7 views"));
}

TEST_CASE("Where the source passes close to the object, the preconditioner saves iterations") {
  Scan scan = small_scan();
  scan.views = circular_views(scan.detector, equal_angles(24), 30, 45);
  auto backend = make_backend("cpu");
  const Run cgls = run({.method = "cgls", .iterations = 10}, *backend, scan);
  const Run pcg = run({.method = "pcg", .iterations = 10}, *backend, scan);
  CHECK(pcg.residuals.back() < 0.95 * cgls.residuals.back());
  CHECK(relative_error(pcg.volume) < relative_error(cgls.volume));
}

TEST_CASE("Nothing is reconstructed outside a mask, and the inside fits the data all the same") {
  auto backend = make_backend("cpu");
  Volume wide = truth();
  for (const std::string method : {"sirt", "ossart", "fista", "cgls", "pcg", "tv", "pdhg", "asdpocs", "mlem", "osem"}) {
    INFO(method);
    ReconOptions options{.method = method, .iterations = 8, .mask = "truth.mha"};
    options.mask_volume = shared(Volume(grid, wide.values.clone()));
    if (method == "ossart" || method == "osem") options.subsets = 4;
    const Run masked = run(options, *backend, small_scan());
    for (std::int64_t i = 0; i < wide.values.size(); ++i)
      if (wide.values[i] == 0) REQUIRE(masked.volume.values[i] == 0);
    ReconOptions open = options;
    open.mask.clear();
    open.mask_volume.reset();
    if (method == "asdpocs") continue;  // whose steps of variation are longer where the data change more
    CHECK(relative_error(masked.volume) < relative_error(run(open, *backend, small_scan()).volume));
  }
}

TEST_CASE("The cylinder touches the grid's nearer sides") {
  const Volume mask = cylinder_mask({{7, 9, 2}, {1, 1, 3}, {5, 0, 0}});
  double inside = 0;
  for (float v : mask.values) inside += static_cast<double>(v);
  CHECK(inside == 2 * 37);  // the disc of radius 3.5: 37 voxels' centres
  CHECK(mask.at(0, 4, 1) == 1);
  CHECK(mask.at(3, 0, 0) == 0);
  CHECK(mask.at(0, 1, 0) == 0);
}

TEST_CASE("Iterations start from the volume they are given, or from FDK's") {
  auto backend = make_backend("cpu");
  for (const std::string method : {"sirt", "ossart", "fista", "cgls", "pcg", "mlem", "osem"}) {
    INFO(method);
    ReconOptions options{.method = method, .iterations = 2, .initial = "truth.mha"};
    options.initial_volume = shared(truth());
    // The truth explains the data: nothing is left to do. (EM lifts zeros a little.)
    const bool em = method.ends_with("em");
    const Run from_truth = run(options, *backend, small_scan());
    CHECK(from_truth.residuals.front() < (em ? 1e-3 : 1e-6));
    CHECK(relative_error(from_truth.volume) < (em ? 2e-3 : 1e-5));

    options.initial = "fdk";
    options.initial_volume.reset();
    options.filter.force = true;
    const Run from_fdk = run(options, *backend, small_scan());
    options.initial.clear();
    options.filter.force = false;
    CHECK(from_fdk.residuals.front() < run(options, *backend, small_scan()).residuals.front());
  }
}

TEST_CASE("Iterations stop when the residual or the noise asks for it, and say so") {
  auto backend = make_backend("cpu");
  const Scan scan = small_scan();
  const Projections data = consistent_data(*backend, scan);
  double square = 0;
  for (float v : data.values) square += static_cast<double>(v) * static_cast<double>(v);
  const double rms = std::sqrt(square / static_cast<double>(data.values.size()));
  const auto stop = [&](const ReconOptions& options) {
    auto recon = make_reconstruction(*backend, std::make_shared<MemorySource>(Projections(scan, data.values.clone())),
                                     grid, options);
    while (recon->step() != Reconstruction::Status::finished) continue;
    CHECK(recon->progress().done == recon->progress().total);
    const auto r = recon->residuals();
    return std::pair{std::vector<double>(r.begin(), r.end()), recon->stopped_by()};
  };
  const auto [by_residual, why] = stop({.method = "cgls", .iterations = 50, .stop_residual = 0.01});
  CHECK(by_residual.back() <= 0.01);
  CHECK(by_residual[by_residual.size() - 2] > 0.01);
  CHECK_THAT(why, Catch::Contains("of the data, no more than 0.01"));
  const auto [by_noise, reason] = stop({.method = "cgls", .iterations = 50, .noise = 0.02 * rms});
  CHECK(by_noise.back() <= 0.02);
  CHECK(by_noise[by_noise.size() - 2] > 0.02);
  CHECK_THAT(reason, Catch::StartsWith("r.m.s. residual "));
  CHECK(stop({.method = "cgls", .iterations = 3}).second.empty());
}

TEST_CASE("Masks and initial volumes that do not fit are refused by name") {
  auto backend = make_backend("cpu");
  auto source = std::make_shared<MemorySource>(Projections(small_scan(4)));
  const auto make = [&](const ReconOptions& o) { return make_reconstruction(*backend, source, grid, o); };
  ReconOptions o{.method = "sirt", .mask = "m.mha"};
  o.mask_volume = shared(Volume({{19, 21, 8}, Vec3(2), Vec3(0)}));
  CHECK_THROWS_WITH(make(o), Catch::StartsWith("m.mha: has 19 x 21 x 8 voxels of 2 x 2 x 2 mm about (0, 0, 0), the "
                                               "reconstruction 19 x 21 x 9"));
  o.mask_volume = shared(Volume(grid));
  CHECK_THROWS_WITH(make(o), Catch::StartsWith("m.mha: is 0 everywhere"));
  o.mask_volume.reset();
  CHECK_THROWS_WITH(make(o), "mask: 'm.mha' has not been read; use cylinder or name a volume");
  o = {.method = "sirt", .initial = "i.mha"};
  o.initial_volume = shared(filled({grid.size, Vec3(2), Vec3(0, 0, 1)}, 1));
  CHECK_THROWS_WITH(make(o), Catch::StartsWith("i.mha: has"));
  CHECK_THROWS_WITH(make({.method = "fdk", .mask = "cylinder"}),
                    "mask: fdk does not take it; use `method` sirt, sart, ossart, fista, cgls, pcg, pwls, tv, pdhg, "
                    "asdpocs, mlem or osem");
  CHECK_THROWS_WITH(make({.method = "cgls", .back_model = "voxel_driven"}),
                    Catch::StartsWith("back_model: cgls does not take it; use `method` sirt"));
  CHECK_THROWS_WITH(make({.method = "cgls", .preconditioner = "none"}),
                    "preconditioner: cgls does not take it; use `method` pcg");
}

TEST_CASE("An unmatched pair converges near the truth in the methods that divide by its own sums") {
  auto backend = make_backend("cpu");
  for (const std::string method : {"sirt", "ossart", "osem"}) {
    INFO(method);
    ReconOptions options{.method = method, .iterations = 10};
    if (method != "sirt") options.subsets = 4;
    const double matched = relative_error(run(options, *backend, small_scan()).volume);
    options.back_model = "voxel_driven";
    CHECK(relative_error(run(options, *backend, small_scan()).volume) < 1.3 * matched);
  }
}
