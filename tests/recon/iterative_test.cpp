#include <catch2/catch.hpp>
#include <set>

#include <omp.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "device/host_display_volume.hpp"
#include "recon/subset_plan.hpp"
#include "support/recon/convergence.hpp"
#include "support/recon/quality.hpp"
#include "support/recon/recon_options.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("SIRT and CGLS approach the truth on consistent data, and their residuals only fall") {
  check_residuals_fall(*make_backend("cpu"));
}

TEST_CASE("Subsets make an iteration go further: SART and OS-SART beat SIRT, OSEM beats MLEM") {
  auto backend = make_backend("cpu");
  const Scan scan = small_scan(23);  // not a multiple of the subsets
  const double sirt = relative_error(run({.method = "sirt", .iterations = 3}, *backend, scan).volume);
  const double ossart = relative_error(run({.method = "ossart", .iterations = 3, .subsets = 5}, *backend, scan).volume);
  const double sart = relative_error(
      run({.method = "sart", .iterations = 3, .relaxation = 0.5, .nonnegative = true}, *backend, scan).volume);
  const double mlem = relative_error(run({.method = "mlem", .iterations = 3}, *backend, scan).volume);
  const double osem = relative_error(run({.method = "osem", .iterations = 3, .subsets = 5}, *backend, scan).volume);
  CHECK(ossart < 0.8 * sirt);
  CHECK(sart < 0.8 * sirt);
  CHECK(osem < 0.8 * mlem);
  CHECK(osem < 0.2);
}

TEST_CASE("MLEM keeps the sum of the measured line integrals from its first iteration on") {
  check_counts_are_kept(*make_backend("cpu"));
}

TEST_CASE("SIRT gives absolute values: a ball of 0.02/mm from its exact line integrals") {
  Phantom ball;
  ball.bodies.resize(1);
  ball.bodies[0].half = Vec3(14);
  ball.bodies[0].value = 0.02;
  auto backend = make_backend("cpu");
  Projections data(small_scan(30));
  project_phantom(ball, data.scan, 0, 30, 2, data.values.span());
  const VolumeGrid wide{{19, 19, 19}, Vec3(2), Vec3(0)};
  auto source = std::make_shared<MemorySource>(std::move(data));
  for (const char* method : {"sirt", "ossart", "cgls", "osem"}) {
    const bool subsets = std::string(method).starts_with("os");
    auto recon =
        make_reconstruction(*backend, source, wide, {.method = method, .iterations = 10, .subsets = subsets ? 5 : 1});
    while (recon->step() != Reconstruction::Status::finished) continue;
    const Volume v = recon->download();
    double sum = 0;
    for (std::int64_t k = 8; k < 11; ++k)
      for (std::int64_t j = 7; j < 12; ++j)
        for (std::int64_t i = 7; i < 12; ++i) sum += v.at(i, j, k);
    INFO(method);
    CHECK(sum / 75 == Approx(0.02).epsilon(0.03));
  }
}

TEST_CASE("A run that is stopped half way holds the volume of its last finished iteration") {
  auto backend = make_backend("cpu");
  const Scan scan = small_scan();
  for (const char* method : {"sirt", "ossart", "osem", "cgls", "tv", "pdhg", "asdpocs"}) {
    INFO(method);
    const bool subsets = std::string(method).starts_with("os");
    ReconOptions options{.method = method, .iterations = 2, .subsets = subsets ? 4 : 1};
    const Run whole = run(options, *backend, scan);
    options.iterations = 50;
    auto source = std::make_shared<MemorySource>(consistent_data(*backend, scan));
    auto recon = make_reconstruction(*backend, source, grid, options);
    for (int finished = 0; finished < 2;) finished += recon->step() == Reconstruction::Status::iteration_done;
    if (subsets) recon->step();  // into the third iteration
    const Volume stopped = recon->download();
    CHECK(recon->residuals().size() == 2);
    const auto q = test::quality(stopped.values.span(), whole.volume.values.span(), 1);
    CHECK(q.mean_abs < 1e-6);
  }
}

TEST_CASE("Results are the same bit for bit whatever the number of threads") {
  auto backend = make_backend("cpu");
  const auto with_threads = [&](int threads) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    const Projections p = consistent_data(*backend, small_scan(7));
    auto a = backend->make_ct(grid, p.scan, {.model = Model::joseph});
    auto x = a->make_domain(), y = a->make_range(7);
    backend->upload(p.values.span(), *y);
    a->back(*y, *x, a->all(), Write::overwrite);
    Volume v(grid);
    backend->download(*x, v.values.span());
    const double norm = backend->dot(*x, *x);
    omp_set_num_threads(before);
    return std::pair{std::vector<float>(v.values.begin(), v.values.end()), norm};
  };
  CHECK(with_threads(1) == with_threads(5));
}

TEST_CASE("Subsets hold every view once, in an order that spreads them") {
  CHECK(subset_order(SubsetOrder::sequential, 5) == std::vector<std::int64_t>{0, 1, 2, 3, 4});
  CHECK(subset_order(SubsetOrder::bit_reversed, 8) == std::vector<std::int64_t>{0, 4, 2, 6, 1, 5, 3, 7});
  CHECK(subset_order(SubsetOrder::bit_reversed, 6) == std::vector<std::int64_t>{0, 4, 2, 1, 5, 3});
  CHECK(subset_order(SubsetOrder::bit_reversed, 1) == std::vector<std::int64_t>{0});
  CHECK(subset_order(SubsetOrder::golden, 8) == std::vector<std::int64_t>{0, 5, 2, 7, 4, 1, 6, 3});
  CHECK(subset_order(SubsetOrder::golden, 1) == std::vector<std::int64_t>{0});
  std::vector<int> seen(23);
  const SubsetPlan plan(23, 5);
  CHECK(plan.view_order().empty());
  for (std::int64_t s = 0; s < 5; ++s)
    for (const Subset& piece : plan.pieces_of(s, 2)) {
      CHECK(piece.count <= 2);
      for (std::int64_t i = 0; i < piece.count; ++i)
        ++seen.at(static_cast<std::size_t>(piece.first + i * piece.stride));
    }
  CHECK(seen == std::vector<int>(23, 1));
}

TEST_CASE("Subsets of quarter turns hold whole groups, the same views as without where groups share out evenly") {
  const VolumeGrid square{{16, 16, 8}, Vec3(1), Vec3(0)};
  const Detector d{20, 12, 1, 1};
  const Scan scan{d, circular_views(d, equal_angles(36, 3), 100, 150)};
  const QuarterTurns turns = find_quarter_turns(scan, square);
  REQUIRE(turns.groups.size() == 9);
  for (const std::int64_t subsets : {1, 3, 4, 9}) {
    const SubsetPlan plan(turns, subsets);
    std::vector<int> seen(36);
    for (const std::int64_t view : plan.view_order()) ++seen.at(static_cast<std::size_t>(view));
    CHECK(seen == std::vector<int>(36, 1));
    std::int64_t next = 0;
    for (std::int64_t s = 0; s < subsets; ++s)
      for (const Subset& piece : plan.pieces_of(s, 6)) {
        CHECK(piece.first == next);
        CHECK(piece.count == 4);
        CHECK(piece.stride == 1);
        next += piece.count;
        std::set<std::int64_t> quarters, groups;
        for (std::int64_t i = piece.first; i < next; ++i) {
          const std::int64_t view = plan.view_order()[static_cast<std::size_t>(i)];
          quarters.insert(view / 9), groups.insert(view % 9);
          if (9 % subsets == 0) CHECK(view % subsets == s);
        }
        CHECK(quarters.size() == 4);
        CHECK(groups.size() == 1);
      }
    CHECK(next == 36);
    CHECK(plan.pieces_of(0, 36).size() == 1);
  }
}

TEST_CASE("Options that do not go together are refused before any work") {
  auto backend = make_backend("cpu");
  auto source = std::make_shared<MemorySource>(Projections(small_scan(4)));
  const auto make = [&](const ReconOptions& o) { return make_reconstruction(*backend, source, grid, o); };
  CHECK_THROWS_WITH(make({.method = "magic"}), Catch::StartsWith("method: unknown value 'magic'; "
                                                                 "choose one of fdk, ifdk, sirt"));
  CHECK_THROWS_WITH(make({.method = "sirt", .subsets = 2}),
                    "subsets: sirt does not take it; use `method` ossart, fista, pwls, tv, pdhg, asdpocs or osem");
  CHECK_THROWS_WITH(make({.method = "osem", .subsets = 5}), "subsets: 5 subsets of 4 views; give at most one a view");
  CHECK_THROWS_WITH(make({.method = "cgls", .nonnegative = true}),
                    Catch::StartsWith("nonnegative: cgls does not take it; use `method` ifdk, sirt"));
  CHECK_THROWS_WITH(
      make({.method = "mlem", .relaxation = 0.5}),
      "relaxation: mlem does not take it; use `method` ifdk, sirt, sart, sart_in_place, ossart, fista, pwls "
      "or asdpocs");
  CHECK_THROWS_WITH(make({.method = "sirt", .model = "voxel_driven"}),
                    "model: voxel_driven gives no line integrals, which sirt needs; choose joseph");
}

TEST_CASE("Options that were named and would do nothing are refused") {
  using Given = std::vector<std::string>;
  const auto refused = [](const ReconOptions& o, const std::string& name) {
    try {
      check(o, Given{name});
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(
      refused({.method = "fdk"}, "iterations") ==
      "iterations: fdk does not take it; use `method` ifdk, sirt, sart, sart_in_place, ossart, fista, cgls, pcg, pwls, "
      "tv, pdhg, asdpocs, mlem or osem");
  CHECK(refused({.method = "ifdk"}, "iterations").empty());
  CHECK(refused({.method = "sirt"}, "subset_order") ==
        "subset_order: sirt does not take it; use `method` sart, sart_in_place, ossart, fista, pwls, tv, asdpocs or "
        "osem");
  CHECK(refused({.method = "sart"}, "subset_order").empty());
  CHECK(refused({.method = "sirt"}, "checkpoint_every") == "checkpoint_every: needs `checkpoint` with `method` sirt");
  CHECK(refused({.method = "pwls"}, "penalty_q") == "penalty_q: needs `penalty` qggmrf with `method` pwls");
  CHECK(refused({.method = "pwls", .penalty = "tv"}, "strength").empty());
  CHECK(refused({.method = "pwls", .penalty = "tv"}, "penalty_p") ==
        "penalty_p: needs `penalty` qggmrf with `method` pwls");
  CHECK(refused({.method = "sirt"}, "cutoff") == "cutoff: needs `initial` fdk or hfdk with `method` sirt");
  CHECK(refused({.method = "sirt", .initial = "fdk"}, "cutoff").empty());
  CHECK(refused({.method = "hfdk"}, "filter").empty());
}

TEST_CASE("A display volume shows what was published, with the range of every brick") {
  auto backend = make_backend("cpu");
  const VolumeGrid g{{20, 17, 3}, Vec3(1), Vec3(0)};
  HostDisplayVolume display(*backend);
  CHECK(display.generation() == 0);
  CHECK(display.grid().voxels() == 0);
  auto array = backend->make_array(shape_of(g));
  Volume v(g);
  v.at(3, 4, 1) = 7;
  v.at(16, 0, 0) = -2;  // the first voxel of the second brick: the first brick interpolates towards it
  v.at(19, 16, 2) = 5;
  backend->upload(v.values.span(), *array);
  display.publish(*array, g);
  const auto frame = display.frame();
  CHECK(display.generation() == 1);
  CHECK(frame->bricks == Size3{2, 2, 1});
  CHECK(frame->high == std::vector<float>{7, 5, 0, 5});
  CHECK(frame->low == std::vector<float>{-2, -2, 0, 0});
  backend->fill(*array, 1);
  display.publish(*array, g);
  display.publish(*array, g);
  CHECK(frame->volume.at(3, 4, 1) == 7);  // still ours
  CHECK(display.frame()->volume.at(3, 4, 1) == 1);
  CHECK(display.generation() == 3);
}
