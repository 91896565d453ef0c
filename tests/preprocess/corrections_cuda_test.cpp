// Corrections on the device are those of the host, up to rounding.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <random>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include <backlit/preprocess/corrections.hpp>
#include <backlit/recon/session.hpp>
#include "support/cuda.hpp"
#include "support/relative_l2.hpp"
#include "support/scratch.hpp"

using namespace backlit;

namespace {

struct Setup {
  const char* name;
  Scan scan;
};

/// Odd sizes, one row, few and many views, more columns than a window, fewer than one.
std::vector<Setup> setups() {
  const Detector d{61, 37, 4.5, 5}, one_row{251, 1, 1.15, 1.15}, narrow{9, 5, 30, 30}, two_rows{40, 2, 7, 7};
  return {{"circular", {d, circular_views(d, equal_angles(45, 3), 600, 900)}},
          {"short scan", {d, circular_views(d, equal_angles(31, 0, 216), 600, 900)}},
          {"one row", {one_row, parallel_views(one_row, equal_angles(151, 0, 180))}},
          {"many views", {narrow, circular_views(narrow, equal_angles(1201), 600, 900)}},
          {"two rows", {two_rows, circular_views(two_rows, equal_angles(530), 600, 900)}}};
}

/// A noisy head with stripes, a dead and an erratic column, defects alone and in a cluster, and hits of one pixel and
/// more.
Projections faulty(const Scan& scan) {
  Projections p(scan);
  project_phantom(load_phantom("forbild-head"), scan, 0, scan.view_count(), 1, p.values.span());
  for (std::int64_t v = 0; v < scan.view_count(); ++v) add_noise({1e5}, v, p.view(v));
  const Detector& d = scan.detector;
  std::mt19937 random(5);
  std::normal_distribution<float> stripe(0, 0.05f);
  std::uniform_real_distribution<float> any(0, 4);
  for (std::int64_t r = 0; r < d.rows; ++r)
    for (std::int64_t c = 0; c < d.columns; ++c) {
      const float offset = random() % 4 == 0 ? stripe(random) : 0;
      for (std::int64_t v = 0; v < scan.view_count(); ++v) p.at(v, r, c) += offset;
    }
  for (std::int64_t v = 0; v < scan.view_count(); ++v)
    for (std::int64_t r = 0; r < d.rows; ++r) {
      p.at(v, r, d.columns / 2) = 1.5f;
      p.at(v, r, d.columns / 4) = any(random);
      p.at(v, r, 3 * d.columns / 4) += 0.4f;
      if (r < 5)
        for (std::int64_t c = 1; c < 5; ++c) p.at(v, r, c) = 6 + 0.1f * static_cast<float>(v % 3);
    }
  std::uniform_int_distribution<std::int64_t> view(0, scan.view_count() - 1), row(0, d.rows - 1),
      column(0, d.columns - 1);
  for (int hit = 0; hit < 40; ++hit) {
    const std::int64_t v = view(random), r0 = row(random), c0 = column(random), size = 1 + 3 * (hit % 2);
    for (std::int64_t r = r0; r < std::min(d.rows, r0 + size); ++r)
      for (std::int64_t c = c0; c < std::min(d.columns, c0 + size); ++c) p.at(v, r, c) -= 3;
  }
  return p;
}

struct Wanted {
  const char* name;
  CorrectionOptions options;
  bool may_find_nothing = false;  ///< in small scans
};

std::vector<Wanted> all_corrections(const std::string& spectrum) {
  std::vector<Wanted> list{{"defects", {.defects = 10}, true},
                           {"zingers", {.zingers = 8}},
                           {"air", {.air_columns = 4}},
                           {"dead stripes", {.dead_stripes = 3}, true},
                           {"large stripes", {.large_stripes = 3}, true},
                           {"phase", {.phase_ratio = 300, .phase_energy = 20, .phase_distance = 700}},
                           {"scatter", {.scatter = {ScatterOption::Kind::share, 0.1}}},
                           {"narrow scatter", {.scatter = {ScatterOption::Kind::share, 0.3}, .scatter_width = 5}},
                           {"water", {.water_spectrum = spectrum}},
                           {"polynomial", {.hardening = {{0.05, 0.002}}}},
                           {"all but phase",
                            {.defects = 10,
                             .zingers = 8,
                             .dead_stripes = 3,
                             .large_stripes = 3,
                             .stripes = 5,
                             .scatter = {ScatterOption::Kind::share, 0.1},
                             .hardening = {{0.05}}}}};
  const std::pair<const char*, StripeMethod> methods[] = {{"mean", StripeMethod::mean},
                                                          {"sorting", StripeMethod::sorting},
                                                          {"filtering", StripeMethod::filtering},
                                                          {"fitting", StripeMethod::fitting}};
  for (const auto& [name, method] : methods)
    for (const std::int64_t window : {9, 41, 91, 133})
      list.push_back({name, {.stripes = window, .stripe_method = method}});
  return list;
}

std::string write_spectrum(const test::Scratch& folder) {
  std::ofstream(folder / "spectrum.txt") << "40 0.3\n60 0.4\n90 0.3\n";
  return (folder / "spectrum.txt").string();
}

CorrectionDevice& corrector(Backend& backend) { return dynamic_cast<CorrectionDevice&>(backend.innermost()); }

std::shared_ptr<ProjectionSource> source_of(const Projections& p) {
  return std::make_shared<MemorySource>(Projections(p.scan, p.values.clone()));
}

double largest_difference(const Projections& a, const Projections& b) {
  double most = 0;
  for (std::int64_t i = 0; i < a.values.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a.values[i]) - static_cast<double>(b.values[i]));
    most = difference < 1e30 ? std::max(most, difference) : 1e30;  // also where one is no number
  }
  return most;
}

double largest(const Projections& p) {
  return static_cast<double>(*std::max_element(p.values.begin(), p.values.end()));
}

Projections transmissions(const Projections& p) {
  Projections out(p.scan, p.values.clone());
  for (float& v : out.values) v = std::exp(-v);
  return out;
}

}  // namespace

TEST_CASE("each correction on the device equals the host's", "[corrections]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const test::Scratch folder;
  const std::vector<Wanted> list = all_corrections(write_spectrum(folder));
  for (const Setup& setup : setups()) {
    const Projections given = faulty(setup.scan);
    for (const Wanted& wanted : list) {
      CAPTURE(setup.name, wanted.name, wanted.options.stripes);
      const CorrectedProjections host = apply_corrections(source_of(given), wanted.options);
      const CorrectedProjections device =
          apply_corrections(source_of(given), wanted.options, {}, {}, &corrector(*backend));
      CHECK(device.done == host.done);
      CHECK(std::ranges::count(device.on_device, false) == 0);
      CHECK(std::ranges::count(host.on_device, true) == 0);
      const Projections a = read_all(*host.source), b = read_all(*device.source);
      if (!wanted.may_find_nothing) CHECK(largest_difference(a, given) > 0);
      // Phase retrieval works on transmissions: rounding is relative to the largest of a view, here that of a hit.
      if (wanted.options.phase_ratio > 0)
        CHECK(largest_difference(transmissions(a), transmissions(b)) < 1e-6 * largest(transmissions(given)));
      else
        CHECK(largest_difference(a, b) < 5e-5);
    }
  }
}

TEST_CASE("flats that drift are fitted on the device as on the host", "[corrections]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Detector d{61, 37, 4.5, 5};
  const Scan scan{d, circular_views(d, equal_angles(45), 600, 900)};
  Projections views(scan), flats(Scan{d, {scan.views.begin(), scan.views.begin() + 9}});
  project_phantom(load_phantom("forbild-head"), scan, 0, 45, 1, views.values.span());
  const auto drift = [&](std::int64_t k, std::int64_t r, std::int64_t c, double t) {
    return 0.1 * std::sin(0.3 * static_cast<double>(c + k * r) + t) * std::cos(t);
  };
  for (std::int64_t v = 0; v < 45; ++v) {
    add_noise({1e5}, v, views.view(v));
    for (std::int64_t r = 0; r < d.rows; ++r)
      for (std::int64_t c = 0; c < d.columns; ++c)
        views.at(v, r, c) -= static_cast<float>(drift(1, r, c, 0.4) * std::sin(0.7 * static_cast<double>(v)));
  }
  for (std::int64_t i = 0; i < 9; ++i)
    for (std::int64_t r = 0; r < d.rows; ++r)
      for (std::int64_t c = 0; c < d.columns; ++c)
        flats.at(i, r, c) = static_cast<float>(1e4 * std::exp(drift(1, r, c, 0.4) * std::sin(static_cast<double>(i))));
  for (const std::int64_t components : {1, 3}) {
    const CorrectionOptions options{.flat_components = components};
    const CorrectionInput input{source_of(flats), nullptr, {}};
    const CorrectedProjections host = apply_corrections(source_of(views), options, input);
    const CorrectedProjections device = apply_corrections(source_of(views), options, input, {}, &corrector(*backend));
    CHECK(device.done == host.done);
    const Projections a = read_all(*host.source), b = read_all(*device.source);
    CHECK(largest_difference(a, views) > 0.01);
    CHECK(largest_difference(a, b) < 2e-5);
  }
}

namespace {

/// 16-bit counts in memory.
struct Counts final : ProjectionSource {
  explicit Counts(const Scan& s) : where(s), values(static_cast<std::size_t>(s.view_count() * s.detector.pixels())) {}
  const Scan& scan() const override { return where; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    reads += count;
    const std::int64_t pixels = where.detector.pixels();
    std::copy_n(values.begin() + first * pixels, count * pixels, out.begin());
  }
  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override {
    const std::int64_t pixels = where.detector.pixels();
    std::copy_n(values.begin() + first * pixels, count * pixels, out.begin());
    return true;
  }
  Scan where;
  std::vector<std::uint16_t> values;
  std::int64_t reads = 0;
};

std::shared_ptr<Counts> counts_of(const Scan& scan, bool cluster) {
  auto counts = std::make_shared<Counts>(scan);
  Projections p(scan);
  project_phantom(load_phantom("forbild-head"), scan, 0, scan.view_count(), 1, p.values.span());
  for (std::int64_t i = 0; i < p.values.size(); ++i)
    counts->values[static_cast<std::size_t>(i)] =
        static_cast<std::uint16_t>(100 + 50000 * std::exp(-static_cast<double>(p.values[i])));
  const std::int64_t columns = scan.detector.columns, pixels = scan.detector.pixels();
  for (std::int64_t v = 0; v < scan.view_count(); ++v) counts->values[static_cast<std::size_t>(v * pixels + 77)] = 20;
  counts->values[static_cast<std::size_t>(3 * pixels + 500)] = 0;
  for (std::int64_t r = 10; cluster && r < 15; ++r)
    for (std::int64_t c = 20; c < 25; ++c) counts->values[static_cast<std::size_t>(5 * pixels + r * columns + c)] = 0;
  return counts;
}

}  // namespace

TEST_CASE("counts become line integrals on the device, and those that it cannot fill on the host", "[corrections]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Detector d{61, 37, 4.5, 5};
  const Scan scan{d, circular_views(d, equal_angles(45), 600, 900)};
  for (const bool cluster : {false, true}) {
    const auto counts = counts_of(scan, cluster);
    const auto flat = std::make_shared<Counts>(Scan{d, {scan.views[0]}}), dark = std::make_shared<Counts>(flat->where);
    std::ranges::fill(flat->values, std::uint16_t{50100});
    std::ranges::fill(dark->values, std::uint16_t{100});
    const auto repairs = std::make_shared<CorrectionReport>(), expected = std::make_shared<CorrectionReport>();
    const auto source = correct_counts(counts, flat, dark, repairs);
    const std::int64_t before = counts->reads;
    const auto there = corrector(*backend).load(*source);
    REQUIRE(there);
    CHECK((counts->reads > before) == cluster);
    const Projections host = read_all(*correct_counts(counts, flat, dark, expected)), device = read_all(*there);
    CHECK(largest_difference(host, device) < 2e-6 * 20);
    CHECK(repairs->non_positive_values == expected->non_positive_values);
    CHECK(repairs->non_positive_values == (cluster ? 26 : 1));
  }
}

TEST_CASE("a session corrects on the device and reconstructs from there", "[corrections]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Detector d{61, 37, 4.5, 5};
  const Scan scan{d, circular_views(d, equal_angles(45), 600, 900)};
  const auto counts = counts_of(scan, false);
  const auto flat = std::make_shared<Counts>(Scan{d, {scan.views[0]}});
  std::ranges::fill(flat->values, std::uint16_t{50100});
  ScanFile file;
  file.scan = scan;
  file.projections = counts;
  file.flats = flat;
  file.kind = ScanFile::Kind::counts;
  const auto volume_on = [&](const std::string& name, const CorrectionOptions& corrections) {
    SessionOptions options;
    options.device.backend = name;
    options.preparation.corrections = corrections;
    Session session(file, options);
    const SessionResult result = session.run();
    for (const std::string& place : result.report.corrected_on) CHECK(place == (name == "cuda" ? "cuda" : "host"));
    if (name == "cuda") CHECK(result.report.variant.ends_with("views on the device"));
    return std::vector<float>(result.volume.values.begin(), result.volume.values.end());
  };
  const CorrectionOptions some{.zingers = 8, .stripes = 9};
  CHECK(test::relative_l2(volume_on("cuda", some), volume_on("cpu", some)) < 2e-3);

  // Views as measured stay on the device from the second change on.
  SessionOptions options;
  options.device.backend = "cuda";
  Session session(file, options);
  const auto reads_for = [&](std::int64_t window) {
    const std::int64_t before = counts->reads;
    options.preparation.corrections = {.stripes = window, .hardening = {{0.05}}};
    session.change(options);
    const Projections changed = read_all(*session.measured());
    const Projections host = read_all(
        *apply_corrections(correct_counts(counts, flat, nullptr, nullptr), options.preparation.corrections).source);
    CHECK(largest_difference(changed, host) < 5e-5);
    return counts->reads - before;
  };
  reads_for(5);
  reads_for(7);
  reads_for(9);

  // Corrections that take a volume go on from the device's views, there.
  options.preparation.corrections = {.stripes = 9, .metal = 10};
  session.change(options);
  CHECK(session.report().corrected_on == std::vector<std::string>{"cuda", "cuda"});
}
