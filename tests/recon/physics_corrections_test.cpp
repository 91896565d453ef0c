// Corrections of what physics adds, against simulations in which the truth is known.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <numeric>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/session.hpp>
#include "support/scratch.hpp"

using namespace backlit;

namespace {

double rms(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

Projections copy(const Projections& p) { return {p.scan, p.values.clone()}; }

Projections corrected(const Projections& p, const CorrectionOptions& options, const CorrectionInput& input = {}) {
  return read_all(*apply_corrections(std::make_shared<MemorySource>(copy(p)), options, input).source);
}

Body body(Body::Shape shape, Vec3 center, Vec3 half, double value) {
  Body b;
  b.shape = shape;
  b.center = center;
  b.half = half;
  b.value = value;
  return b;
}

/// A row of 151 columns of 2 mm in 180 parallel views.
Scan row_scan() {
  const Detector d{151, 1, 2, 2, Detector::Shape::flat, 0};
  return {d, parallel_views(d, equal_angles(180, 0, 180))};
}

Projections projected(const Phantom& phantom, const Scan& scan) {
  Projections p(scan);
  project_phantom(phantom, scan, 0, scan.view_count(), 1, p.values.span());
  return p;
}

Volume slice(const Projections& p, const CorrectionOptions& options, SessionReport* report = nullptr) {
  SessionOptions o;
  o.device.backend = "cpu";
  o.grid.size = {120, 120, 1};
  o.grid.voxel = Vec3(2);
  o.preparation.corrections = options;
  Session session(std::make_shared<MemorySource>(copy(p)), o);
  SessionResult result = session.run();
  if (report) *report = result.report;
  return std::move(result.volume);
}

/// Of voxels where `weight` is not 0.
double rms_where(const Volume& a, const Volume& b, const Volume& weight) {
  double sum = 0, count = 0;
  for (std::int64_t i = 0; i < a.values.size(); ++i)
    if (weight.values[i] != 0) {
      sum += std::pow(static_cast<double>(a.values[i]) - static_cast<double>(b.values[i]), 2);
      ++count;
    }
  return std::sqrt(sum / count);
}

Phantom cylinder(double radius, double value) {
  return {"", {body(Body::Shape::cylinder, Vec3(0), {radius, radius, 500}, value)}};
}

/// An elliptic cylinder of one material.
Phantom ellipse(double value) { return {"", {body(Body::Shape::cylinder, {8, -5, 0}, {95, 60, 500}, value)}}; }

}  // namespace

TEST_CASE("Phase retrieval undoes the propagation of a smooth object, with magnification") {
  constexpr double energy = 20, ratio = 60, sigma = 6.5;
  for (const bool cone : {false, true}) {
    const Detector d{61, 45, 0.002, 0.002, Detector::Shape::flat, 0};
    const double magnification = cone ? 2 : 1, distance = cone ? 100 : 50;  // mm: the same effect at the object
    Projections p(Scan{d, cone ? circular_views(d, {0, 90}, 100, 200) : parallel_views(d, {0, 90})});
    const double strength = distance / magnification * (1.2398419843320026e-6 / energy) * ratio / (4 * pi),
                 pixel = 0.002 / magnification;  // mm2, mm at the object
    std::vector<float> truth;
    for (std::int64_t v = 0; v < 2; ++v)
      for (std::int64_t r = 0; r < 45; ++r)
        for (std::int64_t c = 0; c < 61; ++c) {
          const double rr = std::pow(static_cast<double>(c - 33), 2) + std::pow(static_cast<double>(r - 20), 2);
          const double g = 0.5 * std::exp(-0.5 * rr / (sigma * sigma));
          const double laplacian = g * (rr / (sigma * sigma) - 2) / (sigma * sigma * pixel * pixel);
          p.at(v, r, c) = static_cast<float>(-std::log(1 - g + strength * laplacian));
          truth.push_back(static_cast<float>(-std::log(1 - g)));
        }
    CorrectionOptions options{.phase_ratio = ratio, .phase_energy = energy};
    if (!cone) options.phase_distance = distance;
    const double before = rms(p.values.span(), truth), after = rms(corrected(p, options).values.span(), truth);
    CAPTURE(cone, before, after);
    CHECK(before > 0.01);
    CHECK(after < 0.05 * before);
    options.phase_energy = 0;
    CHECK_THROWS_WITH(corrected(p, options), Catch::StartsWith("phase_energy: "));
  }
}

TEST_CASE("Beam hardening by a polynomial and by a spectrum of water") {
  const Projections path = projected(cylinder(90, 1), row_scan());  // mm of water
  Projections measured = copy(path);
  const double thin = 0.5 * (0.02059 + 0.01707);
  for (float& v : measured.values)
    v = static_cast<float>(-std::log(0.5 * std::exp(-0.02059 * static_cast<double>(v)) +
                                     0.5 * std::exp(-0.01707 * static_cast<double>(v))));
  const test::Scratch folder;
  const std::string file = folder.path() / "spectrum.csv";
  std::ofstream(file) << "keV,weight\n# two lines\n60, 3\n100 3\n";
  const Projections water = corrected(measured, {.water_spectrum = file});
  for (std::int64_t i = 0; i < water.values.size(); ++i)
    REQUIRE(static_cast<double>(water.values[i]) == Approx(thin * static_cast<double>(path.values[i])).margin(1e-4));
  std::ofstream(file) << "keV,weight\n";
  CHECK_THROWS_WITH(corrected(measured, {.water_spectrum = file}), Catch::Contains("holds no spectrum"));
  std::ofstream(file) << "80 1\n60 lots\n";
  CHECK_THROWS_WITH(corrected(measured, {.water_spectrum = file}), Catch::Contains("spectrum.csv:2: is not an energy"));

  CorrectionOptions options;
  from_text(options.hardening, "0.05,0.002", "");
  const Projections raised = corrected(measured, options);
  for (std::int64_t i = 0; i < raised.values.size(); i += 97) {
    const auto p = static_cast<double>(measured.values[i]);
    CHECK(static_cast<double>(raised.values[i]) == Approx(p + 0.05 * p * p + 0.002 * p * p * p));
  }
  from_text(options.hardening, "-0.5", "");
  CHECK_THROWS_WITH(corrected(measured, options), Catch::Contains("longer paths would give smaller values"));
  CHECK_THROWS_WITH(from_text(options.hardening, "1,x", "hardening"), Catch::StartsWith("hardening: '1,x'"));
}

TEST_CASE("Cupping of one material is flattened") {
  const Projections path = projected(ellipse(1), row_scan());
  Projections measured = copy(path);
  for (float& v : measured.values)
    v = static_cast<float>(
        -std::log(0.6 * std::exp(-0.03 * static_cast<double>(v)) + 0.4 * std::exp(-0.01 * static_cast<double>(v))));
  SessionReport report;
  const Volume before = slice(measured, {}), after = slice(measured, {.flatten = true}, &report);
  const Volume inside = voxelize({"", {body(Body::Shape::cylinder, {8, -5, 0}, {85, 50, 500}, 1)}}, before.grid);
  const auto relative_spread = [&](const Volume& v) {
    double sum = 0, square = 0, count = 0;
    for (std::int64_t i = 0; i < v.values.size(); ++i)
      if (inside.values[i] == 1) {
        sum += static_cast<double>(v.values[i]);
        square += std::pow(static_cast<double>(v.values[i]), 2);
        ++count;
      }
    return std::sqrt(square / count - sum * sum / count / count) / (sum / count);
  };
  const double spread_before = relative_spread(before), spread_after = relative_spread(after);
  CAPTURE(spread_before, spread_after, report.corrections);
  CHECK(spread_before > 0.02);
  CHECK(spread_after < 0.25 * spread_before);
  CHECK(report.corrections.size() == 1);
}

TEST_CASE("Scatter of a known share is removed, and the share is found") {
  const Scan scan = row_scan();
  const Projections truth = projected(ellipse(0.02), scan);
  Projections measured = copy(truth);
  constexpr double share = 0.12, width = 40;  // mm
  const double sigma = width / 2;             // columns
  for (std::int64_t v = 0; v < scan.view_count(); ++v) {
    const auto view = measured.view(v);
    std::vector<double> source(151), taps;
    for (std::size_t c = 0; c < 151; ++c)
      source[c] = static_cast<double>(truth.view(v)[c]) * std::exp(-static_cast<double>(truth.view(v)[c]));
    for (int k = -75; k <= 75; ++k) taps.push_back(std::exp(-0.5 * k * k / (sigma * sigma)));
    const double all = std::accumulate(taps.begin(), taps.end(), 0.0);
    for (int c = 0; c < 151; ++c) {
      double scatter = 0;
      for (int k = -75; k <= 75; ++k) {
        const int at = c + k < 0 ? -1 - c - k : c + k > 150 ? 301 - c - k : c + k;
        scatter += taps[static_cast<std::size_t>(k + 75)] / all * source[static_cast<std::size_t>(at)];
      }
      const auto i = static_cast<std::size_t>(c);
      view[i] = static_cast<float>(-std::log(std::exp(-static_cast<double>(truth.view(v)[i])) + share * scatter));
    }
  }
  CorrectionOptions options{.scatter_width = width};
  from_text(options.scatter, "0.12", "");
  const double before = rms(measured.values.span(), truth.values.span()),
               after = rms(corrected(measured, options).values.span(), truth.values.span());
  CAPTURE(before, after);
  CHECK(after < 0.1 * before);
  from_text(options.scatter, "fit", "");
  CHECK_THROWS_WITH(corrected(measured, options), Catch::StartsWith("scatter_share: takes a reconstruction"));
  SessionReport report;
  const Volume exact = slice(truth, {}), bent = slice(measured, {}), flat = slice(measured, options, &report);
  const Volume inside = voxelize(cylinder(40, 1), exact.grid);
  CAPTURE(report.corrections);
  CHECK(rms_where(flat, exact, inside) < 0.35 * rms_where(bent, exact, inside));
  CHECK_THROWS_WITH(from_text(options.scatter, "some", "scatter"), Catch::StartsWith("scatter: 'some' is neither"));
}

TEST_CASE("Streaks of metal are reduced and the metal stays") {
  const Scan scan = row_scan();
  const Phantom soft{"",
                     {body(Body::Shape::cylinder, Vec3(0), {90, 70, 500}, 0.02),
                      body(Body::Shape::cylinder, {0, 40, 0}, {12, 12, 500}, 0.02)}};
  const Phantom metal{"",
                      {body(Body::Shape::cylinder, {-35, 0, 0}, {6, 6, 500}, 0.4),
                       body(Body::Shape::cylinder, {38, -6, 0}, {6, 6, 500}, 0.4)}};
  const Projections without = projected(soft, scan), metals = projected(metal, scan);
  Projections measured = copy(without);
  for (std::int64_t i = 0; i < measured.values.size(); ++i) {  // the metal hardens the beam, two rods more than one
    const auto m = static_cast<double>(metals.values[i]);
    measured.values[i] += static_cast<float>(m / (1 + 0.12 * m));
  }
  SessionReport report;
  const Volume truth = slice(without, {}), streaks = slice(measured, {}),
               reduced = slice(measured, {.metal = 0.12}, &report);
  CAPTURE(report.corrections);
  Volume outside = voxelize(cylinder(85, 1), truth.grid);
  const Volume near = voxelize({"",
                                {body(Body::Shape::cylinder, {-35, 0, 0}, {11, 11, 500}, 1),
                                 body(Body::Shape::cylinder, {38, -6, 0}, {11, 11, 500}, 1)}},
                               truth.grid);
  for (std::int64_t i = 0; i < outside.values.size(); ++i)
    if (near.values[i] != 0) outside.values[i] = 0;
  const double before = rms_where(streaks, truth, outside), after = rms_where(reduced, truth, outside);
  CAPTURE(before, after);
  CHECK(after < 0.65 * before);
  const Volume rod = voxelize({"", {body(Body::Shape::cylinder, {-35, 0, 0}, {3, 3, 500}, 1)}}, truth.grid);
  double sum = 0, count = 0;
  for (std::int64_t i = 0; i < rod.values.size(); ++i)
    if (rod.values[i] == 1) {
      sum += static_cast<double>(reduced.values[i]);
      ++count;
    }
  CHECK(sum / count > 0.12);
  CHECK(slice(measured, {.metal = 50}, &report).values.size() > 0);
  CHECK(report.corrections.at(0) == "metal: no voxel is above the threshold");
}

TEST_CASE("Flats that drift are fitted to every view") {
  const Detector d{73, 31, 1, 1, Detector::Shape::flat, 0};
  const Scan scan{d, parallel_views(d, equal_angles(40, 0, 180))};
  const Projections truth = projected({"", {body(Body::Shape::ellipsoid, {3, 2, 0}, {25, 20, 14}, 0.04)}}, scan);
  const auto pattern = [](std::int64_t r, std::int64_t c, int which) {
    return which == 0 ? std::sin(0.9 * static_cast<double>(c)) + std::cos(0.7 * static_cast<double>(r + c))
                      : std::sin(1.3 * static_cast<double>(r)) * std::cos(0.5 * static_cast<double>(c));
  };
  std::mt19937 random(5);
  std::normal_distribution<double> weight(0, 0.02), noise(0, 0.002);
  const auto flat = [&](Projections& p, std::int64_t v, bool log) {
    const double a = weight(random), b = weight(random);
    for (std::int64_t r = 0; r < d.rows; ++r)
      for (std::int64_t c = 0; c < d.columns; ++c) {
        const double change = a * pattern(r, c, 0) + b * pattern(r, c, 1) + noise(random);
        p.at(v, r, c) =
            static_cast<float>(log ? static_cast<double>(p.at(v, r, c)) - change : 100 + 5000 * std::exp(change));
      }
  };
  Projections flats(Scan{d, parallel_views(d, equal_angles(12, 0, 180))}), darks(Scan{d, parallel_views(d, {0})}),
      measured = copy(truth);
  for (float& v : darks.values) v = 100;
  for (std::int64_t v = 0; v < 12; ++v) flat(flats, v, false);
  for (std::int64_t v = 0; v < 40; ++v) flat(measured, v, true);
  const CorrectionInput input{
      std::make_shared<MemorySource>(std::move(flats)), std::make_shared<MemorySource>(std::move(darks)), {}};
  const double before = rms(measured.values.span(), truth.values.span()),
               after = rms(corrected(measured, {.flat_components = 2}, input).values.span(), truth.values.span());
  CAPTURE(before, after);
  CHECK(after < 0.25 * before);
  CHECK_THROWS_WITH(corrected(measured, {.flat_components = 2}), Catch::StartsWith("flat_components: takes three"));
}
