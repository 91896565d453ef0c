// Ranks give what one process gives. Threads stand in for processes; tests/app/ranks_test.cpp has real ones.
#include <cstring>
#include <limits>
#include <backlit/core/error.hpp>
#include <backlit/data/reads_rows.hpp>
#include <backlit/phantom/phantom.hpp>

#include "large/cut.hpp"
#include "large/ranks/rank_share.hpp"
#include "large/ranks/ranked_backend.hpp"
#include "large/ranks/timelines.hpp"
#include "large/seen_views.hpp"
#include "large/thread_ranks.hpp"
#include "support/recon/small_problem.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using namespace backlit::test;
using Catch::Matchers::Contains;

namespace ranks_test {
namespace {

std::unique_ptr<Backend> ranked(const std::shared_ptr<Ranks>& ranks, int slabs = 0) {
  share_among(ranks, slabs);
  auto backend = make_backend("cpu");
  share_among(nullptr);
  return backend;
}

/// Rows that nobody looks at are not numbers here. Counts views that are read.
class StrictSource final : public ProjectionSource, public ReadsRows {
 public:
  explicit StrictSource(std::shared_ptr<ProjectionSource> source)
      : source_(std::move(source)), rows_{0, source_->scan().detector.rows} {}
  const Scan& scan() const override { return source_->scan(); }
  void look_at_rows(const IndexRange& rows) override { rows_ = rows; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    source_->read(first, count, out);
    views += count;
    const Detector& d = scan().detector;
    for (std::int64_t i = 0; i < count * d.rows; ++i)
      if (!rows_.contains(i % d.rows))
        std::fill_n(out.begin() + i * d.columns, d.columns, std::numeric_limits<float>::quiet_NaN());
  }

  std::int64_t views = 0;

 private:
  std::shared_ptr<ProjectionSource> source_;
  IndexRange rows_;
};

struct Reconstructed {
  std::vector<float> volume;
  std::vector<double> residuals;
  std::int64_t views = 0;  ///< read
};

Reconstructed reconstruct(Backend& backend, const Projections& views, const VolumeGrid& g, const Method& method) {
  const auto source =
      std::make_shared<StrictSource>(std::make_shared<MemorySource>(Projections(views.scan, views.values.clone())));
  const auto run = make_reconstruction(backend, source, g, method);
  while (run->step() != Reconstruction::Status::finished) continue;
  const Volume v = run->download();
  return {{v.values.begin(), v.values.end()}, {run->residuals().begin(), run->residuals().end()}, source->views};
}

/// The slabs of so many ranks, one after another, and rank 0's residuals.
Reconstructed by_ranks(int count, const Projections& views, const VolumeGrid& g, const std::function<Method()>& method,
                       int slabs = 0) {
  std::vector<Reconstructed> parts(static_cast<std::size_t>(count));
  in_ranks(count, [&](const std::shared_ptr<Ranks>& ranks) {
    const auto backend = ranked(ranks, slabs);
    parts[static_cast<std::size_t>(ranks->rank())] = reconstruct(*backend, views, g, method());
  });
  Reconstructed all = parts.front();
  for (std::size_t r = 1; r < parts.size(); ++r) {
    all.volume.insert(all.volume.end(), parts[r].volume.begin(), parts[r].volume.end());
    REQUIRE(parts[r].residuals == parts[0].residuals);  // they stop together
    all.views += parts[r].views;
  }
  return all;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double square = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    square += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    norm += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(square / norm);
}

/// A head seen by a scan of odd sizes, the volume away from the middle.
Projections head_views(const Scan& scan) {
  Projections views(scan);
  project_phantom(load_phantom("shepp-logan-3d"), scan, 0, scan.view_count(), 1, views.values.span());
  return views;
}
const VolumeGrid head_grid{{21, 19, 23}, {7.3, 7.1, 7.7}, {2, -3, 11}};
Scan head_scan() {
  const Detector d{43, 37, 9.1, 8.7};
  return {d, circular_views(d, equal_angles(30), 600, 900)};
}
Scan parallel_scan() {
  Scan scan = head_scan();
  for (View& view : scan.views) {
    view.beam = Beam::parallel;
    view.direction = glm::normalize(view.center - view.source);
    view.source = Vec3(0);
  }
  return scan;
}

ReconOptions options_of(const std::string& name, std::int64_t iterations) {
  const bool surrogates = name == "pwls with subsets", cone = name == "sirt from fdk";
  const std::string method = surrogates ? "pwls" : cone ? "sirt" : name;
  ReconOptions o{.method = method, .iterations = iterations};
  const bool variation = method == "tv" || method == "pdhg" || method == "asdpocs";
  if (method == "ossart" || method == "osem" || method == "fista" || surrogates || variation) o.subsets = 3;
  if (method == "pwls") {
    o.weights = "transmission";
    o.penalty = "qggmrf";
  }
  if (cone) o.initial = "fdk";
  if (method == "sirt" || method == "pwls") o.mask = "cylinder";
  return o;
}

}  // namespace

TEST_CASE("Filtered backprojection by ranks gives the bits of one process") {
  for (const Scan& scan : {head_scan(), parallel_scan()}) {
    const Projections views = head_views(scan);
    const auto alone = make_backend("cpu");
    const Reconstructed whole = reconstruct(*alone, views, head_grid, Method("fdk"));
    for (const int count : {1, 2, 3, 4}) {
      INFO(count << " ranks");
      const Reconstructed parts = by_ranks(count, views, head_grid, [] { return Method("fdk"); });
      REQUIRE(parts.volume.size() == whole.volume.size());
      CHECK(std::memcmp(parts.volume.data(), whole.volume.data(), whole.volume.size() * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("Ranks that make a slab together share its views and add up") {
  const Detector d = head_scan().detector;
  Scan displaced{d, circular_views(d, equal_angles(32), 600, 900)}, few = head_scan();
  for (View& view : displaced.views) view.center += 4.3 * view.u;
  few.views = circular_views(d, equal_angles(33, 10, 260), 600, 900);
  VolumeGrid three = head_grid;
  three.size[2] = 3;
  struct Case {
    Scan scan;
    VolumeGrid grid;
    int ranks, slabs, readers;  ///< readers: how often each view is read
  };
  for (const Case& c : {Case{head_scan(), head_grid, 4, 2, 2}, Case{parallel_scan(), head_grid, 3, 1, 1},
                        Case{displaced, head_grid, 4, 1, 1}, Case{few, head_grid, 6, 3, 3},
                        Case{few, three, 5, 0, 1},  // ranks outnumber slices
                        Case{head_scan(), three, 6, 0, 3}}) {
    INFO(c.ranks << " ranks, " << c.slabs << " slabs of " << c.grid.size[2] << " slices");
    const Projections views = head_views(c.scan);
    const auto alone = make_backend("cpu");
    const Reconstructed whole = reconstruct(*alone, views, c.grid, Method("fdk"));
    const Reconstructed parts = by_ranks(
        c.ranks, views, c.grid, [] { return Method("fdk"); }, c.slabs);
    CHECK(difference(parts.volume, whole.volume) < 1e-6);
    CHECK(parts.views == c.readers * whole.views);
  }
}

TEST_CASE("Slabs that a rank makes one after another have the bits of one process") {
  for (const Scan& scan : {head_scan(), parallel_scan()}) {
    const Projections views = head_views(scan);
    const Reconstructed whole = reconstruct(*make_backend("cpu"), views, head_grid, Method("fdk"));
    for (const auto& [ranks, slabs] : {std::pair{1, 5}, std::pair{2, 6}, std::pair{1, 23}}) {
      INFO(ranks << " ranks, " << slabs << " slabs");
      const Reconstructed parts = by_ranks(
          ranks, views, head_grid, [] { return Method("fdk"); }, slabs);
      CHECK(parts.volume == whole.volume);
      CHECK(parts.views == slabs * scan.view_count());  // and of each the rows that a slab sees: StrictSource
    }
  }
  CHECK_THROWS_WITH(by_ranks(
                        2, head_views(head_scan()), head_grid, [] { return Method("fdk"); }, 5),
                    Contains("2 ranks cannot share 5 slabs") && Contains("multiple"));
  CHECK_THROWS_WITH(by_ranks(
                        2, head_views(head_scan()), head_grid, [] { return Method("fdk"); }, 24),
                    Contains("24 slabs of 23 slices"));
}

TEST_CASE("Slabs made one after another are given in batches of slices, and a second time") {
  const Detector d{11, 9, 150, 150};
  const Scan scan{d, circular_views(d, equal_angles(3), 2000, 3000)};
  const VolumeGrid grid{{1100, 1000, 8}, {1, 1, 90}, {0, 0, 0}};
  const Projections views = head_views(scan);
  const std::int64_t slice = grid.size[0] * grid.size[1], batch = items_at_once(slice);
  const Reconstructed whole = reconstruct(*make_backend("cpu"), views, grid, Method("fdk"));
  in_ranks(1, [&](const std::shared_ptr<Ranks>& ranks) {
    const auto backend = ranked(ranks, 5);  // of 2, 2, 2, 1 and 1 slices
    const auto source = std::make_shared<MemorySource>(Projections(views.scan, views.values.clone()));
    const auto run = make_reconstruction(*backend, source, grid, Method("fdk"));
    while (run->step() != Reconstruction::Status::finished) continue;
    REQUIRE(batch == 3);  // begins and ends within slabs
    CHECK(run->slab_slices() == 2);
    CHECK(run->device_grid() == grid);
    for (const char* const time : {"first", "second"}) {
      INFO(time);
      std::vector<float> given;
      for (std::int64_t z = 0; z < grid.size[2]; z += batch) {
        std::vector<float> slices(static_cast<std::size_t>(std::min(batch, grid.size[2] - z) * slice));
        run->finish_slices(std::min(z + batch, grid.size[2]));
        REQUIRE(backend->download_rows(*run->unfinished_volume(), z, slices));
        given.insert(given.end(), slices.begin(), slices.end());
      }
      CHECK((given == whole.volume));
      CHECK(run->seconds().at("backproject") > 0);
      CHECK(std::ranges::count(run->timeline(), "read", &TimeSpan::lane) == 5);  // of three views each
    }
  });
}

TEST_CASE("A rank of a helix reads the views that its slab needs") {
  const Detector d{61, 13, 7.1, 4.3};
  Scan scan{d, helical_views(d, equal_angles(5 * 24, 17, 5 * 360), 600, 900, 30, -75)};
  const Projections views = head_views(scan);
  const VolumeGrid grid{{21, 19, 15}, {7.3, 7.1, 8}, {2, -3, 1}};
  const auto alone = make_backend("cpu");
  const Reconstructed whole = reconstruct(*alone, views, grid, Method("hfdk"));
  CHECK(whole.views < scan.view_count());  // the volume does not need the first
  for (const int count : {2, 3}) {
    INFO(count << " ranks");
    const Reconstructed parts = by_ranks(count, views, grid, [] { return Method("hfdk"); });
    CHECK(difference(parts.volume, whole.volume) < 1e-6);
    CHECK(parts.views < 0.8 * count * static_cast<double>(whole.views));
  }
  ReconOptions o{.method = "sirt", .iterations = 2};
  o.initial = "hfdk";
  const Reconstructed started = reconstruct(*alone, views, grid, Method(o));
  CHECK(difference(by_ranks(3, views, grid, [&] { return Method(o); }).volume, started.volume) < 2e-6);
}

TEST_CASE("Iterations on a helix by ranks, of which none sees all views, give what one process gives") {
  for (const auto shape : {Detector::Shape::flat, Detector::Shape::curved}) {
    const Detector d{41, 9, 9.1, 4.3, shape};
    const Scan scan{d, helical_views(d, equal_angles(5 * 16, 17, 5 * 360), 600, 900, 45, -112)};
    const Projections views = head_views(scan);
    const VolumeGrid grid{{17, 15, 21}, {9.3, 9.1, 8}, {2, -3, 1}};
    for (std::int64_t slab = 0; slab < 3; ++slab) CHECK(views_seen(slab_of(grid, 7 * slab, 7), scan).count < 70);
    const auto alone = make_backend("cpu");
    for (const std::string method : {"sirt", "ossart", "cgls"}) {
      const Method asked = options_of(method, 3);
      const Reconstructed whole = reconstruct(*alone, views, grid, asked);
      for (const int count : {1, 2, 3}) {
        INFO((shape == Detector::Shape::flat ? "flat, " : "curved, ") << method << ", " << count << " ranks");
        const Reconstructed parts = by_ranks(count, views, grid, [&] { return asked; });
        CHECK(difference(parts.volume, whole.volume) < 2e-6);
      }
    }
  }
}

TEST_CASE("Iterations by ranks give what one process gives") {
  const Projections views = head_views(head_scan());
  const auto alone = make_backend("cpu");
  for (const std::string method : {"sirt", "sirt from fdk", "sart", "ossart", "cgls", "pcg", "fista", "pwls",
                                   "pwls with subsets", "tv", "pdhg", "asdpocs", "mlem", "osem"}) {
    const Method asked = options_of(method, 3);
    const Reconstructed whole = reconstruct(*alone, views, head_grid, asked);
    const bool all = method == "cgls" || method == "pwls";
    for (const int count : all ? std::vector<int>{1, 2, 3, 4} : std::vector<int>{3}) {
      INFO(method << ", " << count << " ranks");
      const Reconstructed parts = by_ranks(count, views, head_grid, [&] { return asked; });
      CHECK(difference(parts.volume, whole.volume) < 2e-6);
      REQUIRE(parts.residuals.size() == whole.residuals.size());
      for (std::size_t i = 0; i < whole.residuals.size(); ++i)
        CHECK(parts.residuals[i] == Approx(whole.residuals[i]).epsilon(2e-6));
    }
  }
}

TEST_CASE("Every model's operator by ranks is that of one process, and its transpose") {
  const Scan scan = head_scan();
  const auto alone = make_backend("cpu");
  const auto values_of = [](std::int64_t n) {
    std::vector<float> values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 7919) % 101) / 101;
    return values;
  };
  for (const Model model : {Model::joseph, Model::siddon, Model::raycast, Model::blob, Model::distance_driven}) {
    INFO(name(model));
    struct Values {
      std::vector<float> forward, back;
      double dot_range = 0, dot_domain = 0;
    };
    const auto apply = [&](Backend& backend) {
      const auto a = backend.make_ct(head_grid, scan, {.model = model});
      const auto x = a->make_domain(), sum = a->make_domain(), y = a->make_range(7), some = a->make_range(7);
      const Subset subset{2, 7, 4};
      backend.upload(values_of(x->count()), *x);
      backend.upload(values_of(some->count()), *some);
      a->forward(*x, *y, subset, Write::overwrite);
      a->back(*some, *sum, subset, Write::overwrite);
      Values v{std::vector<float>(static_cast<std::size_t>(y->count())),
               std::vector<float>(static_cast<std::size_t>(sum->count()))};
      v.dot_range = backend.dot(*y, *some);
      v.dot_domain = backend.dot(*x, *sum);
      a->forward(*x, *y, subset, Write::accumulate);
      backend.download(*y, v.forward);
      backend.download(*sum, v.back);
      return v;
    };
    const Values whole = apply(*alone);
    std::vector<Values> parts(3);
    in_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
      const auto backend = ranked(ranks);
      parts[static_cast<std::size_t>(ranks->rank())] = apply(*backend);
    });
    for (const Values& part : parts) {
      const double limit = model == Model::raycast ? 2e-2 : 1e-6;  // samples begin anew in each slab
      CHECK(difference(part.forward, whole.forward) < limit);
      CHECK(difference(part.back, whole.back) < limit);
      CHECK(part.dot_range == Approx(part.dot_domain).epsilon(1e-9));
      CHECK(part.dot_range == Approx(whole.dot_range).epsilon(limit));
    }
  }
}

TEST_CASE("A checkpoint is gone on from by any number of ranks") {
  const Scratch folder;
  const Projections views = head_views(head_scan());
  const auto alone = make_backend("cpu");
  for (const std::string method : {"cgls", "pwls", "osem"}) {
    const Reconstructed whole = reconstruct(*alone, views, head_grid, options_of(method, 5));
    const auto first = [&] {
      ReconOptions o = options_of(method, 2);
      o.checkpoint = folder / "state.checkpoint";
      return Method(o);
    };
    const auto rest = [&] {
      ReconOptions o = options_of(method, 5);
      o.resume = folder / "state.checkpoint";
      return Method(o);
    };
    for (const auto& [writers, readers] : {std::pair{3, 2}, std::pair{0, 4}, std::pair{4, 0}}) {  // 0: one process
      INFO(method << ", " << writers << " ranks, then " << readers);
      writers > 0 ? by_ranks(writers, views, head_grid, first) : reconstruct(*alone, views, head_grid, first());
      const Reconstructed gone_on =
          readers > 0 ? by_ranks(readers, views, head_grid, rest) : reconstruct(*alone, views, head_grid, rest());
      CHECK(difference(gone_on.volume, whole.volume) < 2e-6);
      CHECK(gone_on.residuals.size() == 5);
    }
  }
}

TEST_CASE("A rank's rows hold all that its slab projects to") {
  for (const Scan& scan : {head_scan(), parallel_scan()})
    for (const int ranks : {2, 5}) {
      const auto shares = share_among_ranks(head_grid, scan, {.model = Model::joseph}, ranks);
      const auto tight =
          share_among_ranks(head_grid, scan, {.model = Model::voxel_driven, .weighting = Weighting::fdk}, ranks);
      std::int64_t slices = 0;
      std::vector<int> held(static_cast<std::size_t>(scan.detector.rows));
      for (std::size_t r = 0; r < shares.size(); ++r) {
        CHECK(shares[r].slices.first == slices);
        slices = shares[r].slices.end();
        for (std::int64_t row = shares[r].rows.first; row < shares[r].rows.end(); ++row)
          ++held[static_cast<std::size_t>(row)];
        CHECK(tight[r].rows.count < scan.detector.rows);  // it reads less than all
        CHECK(tight[r].rows.first % 2 == 0);
      }
      CHECK(slices == head_grid.size[2]);
      CHECK(std::ranges::count(held, 0) == 0);
    }
}

TEST_CASE("Ranks refuse what they cannot share") {
  const Projections views = head_views(head_scan());
  VolumeGrid flat = head_grid;
  flat.size[2] = 2;
  for (const std::string method : {"sirt", "cgls"})
    CHECK_THROWS_WITH(by_ranks(3, views, flat, [&] { return Method(method); }),
                      Contains("3 ranks for 2 slices") && Contains("at most 2"));
  const auto filtered = [] { return Method("fdk"); };
  CHECK_THROWS_WITH(by_ranks(4, views, head_grid, filtered, 3), Contains("4 ranks cannot share 3 slabs equally"));
  CHECK_THROWS_WITH(by_ranks(3, views, flat, filtered, 3), Contains("3 slabs of 2 slices"));
  Projections two = head_views({head_scan().detector, {views.scan.views[0], views.scan.views[10]}});
  CHECK_THROWS_WITH(by_ranks(3, two, flat, filtered), Contains("3 ranks share 2 views") && Contains("at most 2"));
  for (const std::string method : {"sart_in_place", "ifdk"})
    CHECK_THROWS_WITH(by_ranks(2, views, head_grid, [&] { return Method(method); }), Contains("one process"));
  CHECK_THROWS_WITH(in_ranks(2,
                             [&](const std::shared_ptr<Ranks>& ranks) {
                               Projections mine(views.scan, views.values.clone());
                               if (ranks->rank() == 1) mine.scan.views[3].source.x += 1;
                               const auto backend = ranked(ranks);
                               reconstruct(*backend, mine, head_grid, Method("sirt"));
                             }),
                    Contains("rank 1 has another volume or scan"));
}

TEST_CASE("Rank 0 gets the timelines of all ranks") {
  std::vector<Timeline> all(3);
  in_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
    const auto rank = static_cast<std::size_t>(ranks->rank());
    Timeline own;
    if (rank != 1) own.push_back({"write", "\"slices\" 0 to 4", clock_seconds() - 5, 0.25 * static_cast<double>(rank)});
    all[rank] = gather_timelines(*ranks, own);
  });
  CHECK(all[1].empty());
  CHECK(all[2].empty());
  REQUIRE(all[0].size() == 2);  // rank 1 did nothing
  CHECK(all[0][0].lane == "rank 0: write");
  CHECK(all[0][1].lane == "rank 2: write");
  CHECK(all[0][1].name == "\"slices\" 0 to 4");
  CHECK(all[0][1].seconds == 0.5);
  for (const TimeSpan& span : all[0]) CHECK(span.start <= -5);  // the meeting of ranks is later
}

}  // namespace ranks_test
