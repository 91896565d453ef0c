// Corrections take away what was added to phantoms' exact integrals, and nothing from clean ones.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/choose_corrections.hpp>
#include <backlit/preprocess/corrections.hpp>

using namespace backlit;

namespace {

constexpr std::int64_t views = 151;

/// The FORBILD head, 3 rows of 251 pixels of 1.15 mm in 151 views.
Projections head(double photons = 0) {
  const Detector d{251, 3, 1.15, 1.15, Detector::Shape::flat, 0};
  Projections p(Scan{d, parallel_views(d, equal_angles(views, 0, 180))});
  project_phantom(load_phantom("forbild-head"), p.scan, 0, views, 1, p.values.span());
  for (std::int64_t v = 0; photons > 0 && v < views; ++v) add_noise({photons}, v, p.view(v));
  return p;
}

std::shared_ptr<ProjectionSource> source_of(const Projections& p) {
  return std::make_shared<MemorySource>(Projections(p.scan, p.values.clone()));
}

Projections corrected(const Projections& p, const CorrectionOptions& options) {
  return read_all(*apply_corrections(source_of(p), options).source);
}

double rms(const Projections& a, const Projections& b) {
  double sum = 0;  // not a number where a value is none
  for (std::int64_t i = 0; i < a.values.size(); ++i)
    sum += std::pow(static_cast<double>(a.values[i]) - static_cast<double>(b.values[i]), 2);
  return std::sqrt(sum / static_cast<double>(a.values.size()));
}

/// Of the means over the views: what makes rings.
double ring_rms(const Projections& a, const Projections& b) {
  double sum = 0;
  const std::int64_t pixels = a.scan.detector.pixels();
  for (std::int64_t p = 0; p < pixels; ++p) {
    double mean = 0;
    for (std::int64_t v = 0; v < views; ++v)
      mean += static_cast<double>(a.values[v * pixels + p]) - static_cast<double>(b.values[v * pixels + p]);
    sum += mean * mean / static_cast<double>(views * views);
  }
  return std::sqrt(sum / static_cast<double>(pixels));
}

/// On every fourth pixel or so.
void add_stripes(Projections& p, double size, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::normal_distribution<float> stripe(0, static_cast<float>(size));
  for (std::int64_t r = 0; r < p.scan.detector.rows; ++r)
    for (std::int64_t c = 0; c < p.scan.detector.columns; ++c) {
      const float offset = random() % 4 == 0 ? stripe(random) : 0.0f;
      for (std::int64_t v = 0; v < p.scan.view_count(); ++v) p.at(v, r, c) += offset;
    }
}

}  // namespace

TEST_CASE("Each method of removing stripes reduces known ones and keeps the object") {
  const Projections clean = head(1e5);
  Projections striped(clean.scan, clean.values.clone());
  add_stripes(striped, 0.05);
  const double before = ring_rms(striped, clean);
  for (const StripeMethod method :
       {StripeMethod::mean, StripeMethod::sorting, StripeMethod::filtering, StripeMethod::fitting}) {
    const CorrectionOptions options{.stripes = 9, .stripe_method = method};
    const double after = ring_rms(corrected(striped, options), clean), harm = rms(corrected(clean, options), clean);
    CAPTURE(static_cast<int>(method), before, after, harm, rms(clean, head()));
    const bool ranks = method == StripeMethod::sorting || method == StripeMethod::filtering;
    CHECK(after < (ranks ? 0.5 : 0.7) * before);
    CHECK(harm < 0.05);
  }
}

TEST_CASE("Large stripes are found and levelled") {
  const Projections clean = head(1e5);
  Projections striped(clean.scan, clean.values.clone());
  for (std::int64_t v = 0; v < views; ++v)
    for (std::int64_t r = 0; r < 3; ++r)
      for (const std::int64_t c : {80, 81, 82, 83, 180, 181, 182}) striped.at(v, r, c) += c < 100 ? 0.3f : -0.25f;
  const auto result = apply_corrections(source_of(striped), {.large_stripes = 3});
  REQUIRE(result.done.size() == 1);
  INFO(result.done[0]);
  CHECK(ring_rms(read_all(*result.source), clean) < 0.6 * ring_rms(striped, clean));
  CHECK(rms(corrected(clean, {.large_stripes = 3}), clean) < 0.03);
}

TEST_CASE("Columns that do not respond or fluctuate are interpolated") {
  const Projections clean = head(1e5);
  Projections bad(clean.scan, clean.values.clone());
  std::mt19937 random(3);
  std::uniform_real_distribution<float> any(0, 4);
  for (std::int64_t v = 0; v < views; ++v)
    for (std::int64_t r = 0; r < 3; ++r) {
      bad.at(v, r, 110) = 1.5f;
      bad.at(v, r, 160) = any(random);
    }
  CHECK(rms(corrected(bad, {.dead_stripes = 3}), clean) < 0.25 * rms(bad, clean));
  CHECK(rms(corrected(clean, {.dead_stripes = 3}), clean) < 0.03);
}

TEST_CASE("Zingers are replaced and edges stay") {
  for (const double photons : {0.0, 1e4}) {
    const Projections clean = head(photons);
    Projections hit(clean.scan, clean.values.clone());
    std::mt19937 random(11);
    std::uniform_int_distribution<std::int64_t> any(0, hit.values.size() - 1);
    for (int i = 0; i < 200; ++i) hit.values[any(random)] -= 2;
    CHECK(rms(corrected(hit, {.zingers = 8}), clean) < 0.15 * rms(hit, clean));
    CHECK(rms(corrected(clean, {.zingers = 8}), clean) < 0.002);
  }
}

TEST_CASE("Defective pixels are interpolated and edges stay") {
  for (const double photons : {0.0, 1e5}) {
    const Projections clean = head(photons);
    Projections bad(clean.scan, clean.values.clone());
    std::mt19937 random(3);
    std::uniform_real_distribution<float> any(0, 3);
    for (std::int64_t v = 0; v < views; ++v) {
      bad.at(v, 2, 120) += 0.8f;        // hot
      bad.at(v, 0, 0) = 5;              // in a corner
      bad.at(v, 1, 199) = any(random);  // erratic
    }
    const auto result = apply_corrections(source_of(bad), {.defects = 10});
    INFO(result.done[0]);
    CHECK(rms(read_all(*result.source), clean) < 0.2 * rms(bad, clean));
    CHECK(rms(corrected(clean, {.defects = 10}), clean) < 0.005);
  }
}

TEST_CASE("Corrections are chosen where the projections need them") {
  CHECK(choose_corrections(*source_of(head())).options == CorrectionOptions{});
  for (const double photons : {1e3, 1e4, 1e6}) {
    const Projections clean = head(photons);
    const ChosenCorrections nothing = choose_corrections(*source_of(clean));
    CAPTURE(photons, nothing.reasons, to_text(nothing.options));
    CHECK(nothing.options == CorrectionOptions{});
    CHECK(nothing.reasons.size() == 6);
    CHECK_THAT(nothing.reasons.back(), Catch::StartsWith("beam hardening, scatter and metal: not looked for"));
  }
  const Projections clean = head(1e5);
  Projections striped(clean.scan, clean.values.clone());
  add_stripes(striped, 0.03);
  const ChosenCorrections rings = choose_corrections(*source_of(striped));
  CHECK(rings.options.stripes > 0);
  CHECK(over(rings.options, {}).zingers == 0);
  Projections hit(clean.scan, clean.values.clone());
  for (std::int64_t i = 100; i < hit.values.size(); i += 4001) hit.values[i] -= 2;
  const ChosenCorrections zingers = choose_corrections(*source_of(hit));
  CHECK(zingers.options.zingers > 0);
  CHECK(zingers.options.stripes == 0);
  Projections bad(clean.scan, clean.values.clone());
  for (std::int64_t v = 0; v < views; ++v) bad.at(v, 2, 120) += 1;
  const ChosenCorrections defects = choose_corrections(*source_of(bad));
  CHECK(defects.options == CorrectionOptions{.defects = 10});
}

namespace {

/// `p` with beams of other intensities: the level of each view changes, at the right a little more than at the left.
Projections with_changing_beam(const Projections& p) {
  Projections out(p.scan, p.values.clone());
  std::mt19937 random(5);
  std::normal_distribution<float> level(0, 0.03f);
  const std::int64_t columns = p.scan.detector.columns;
  for (std::int64_t v = 0; v < p.scan.view_count(); ++v) {
    const float here = level(random);
    for (std::int64_t i = 0; i < p.scan.detector.pixels(); ++i)
      out.values[v * p.scan.detector.pixels() + i] +=
          here * (1 + 0.1f * static_cast<float>(i % columns) / static_cast<float>(columns));
  }
  return out;
}

/// Nine flats of 10,000 counts with noise; in one pattern they differ by `drift`.
std::shared_ptr<ProjectionSource> flats_of(const Detector& d, double drift) {
  Projections flats(Scan{d, parallel_views(d, equal_angles(9, 0, 180))});
  std::mt19937 random(9);
  for (std::int64_t i = 0; i < 9; ++i)
    for (std::int64_t r = 0; r < d.rows; ++r)
      for (std::int64_t c = 0; c < d.columns; ++c) {
        const double change = drift * std::sin(0.4 * static_cast<double>(c)) * std::sin(2.0 * static_cast<double>(i));
        std::poisson_distribution<int> counts(1e4 * std::exp(change));
        flats.at(i, r, c) = static_cast<float>(counts(random));
      }
  return std::make_shared<MemorySource>(std::move(flats));
}

/// The head on `columns` pixels, moved to one side by so many mm.
Projections head_on(std::int64_t columns, double side_px = 0, double arc = 180) {
  const Detector d{columns, 2, 1.15, 1.15, Detector::Shape::flat, 0};
  DetectorPlacement placed;
  placed.offset_u = side_px;
  Projections p(Scan{d, parallel_views(d, equal_angles(60, 0, arc), placed)});
  project_phantom(load_phantom("forbild-head"), p.scan, 0, 60, 1, p.values.span());
  for (std::int64_t v = 0; v < 60; ++v) add_noise({1e5}, v, p.view(v));
  return p;
}

}  // namespace

TEST_CASE("A beam that changes is chosen where air shows it, and air brings its level back") {
  const Projections clean = head(1e5), changed = with_changing_beam(clean);
  const ChosenCorrections chosen = choose_corrections(*source_of(changed));
  CAPTURE(chosen.reasons);
  REQUIRE(chosen.options == CorrectionOptions{.air_columns = 10});
  CHECK(rms(corrected(changed, chosen.options), clean) < 0.1 * rms(changed, clean));
  CHECK(rms(corrected(clean, chosen.options), clean) < 0.002);
  // An object that reaches the sides shows no air, however its shadow changes there.
  const ChosenCorrections none = choose_corrections(*source_of(with_changing_beam(head_on(181))));
  CAPTURE(none.reasons);
  CHECK(none.options.air_columns == 0);
  CHECK_THROWS_WITH(corrected(clean, {.air_columns = 126}),
                    Catch::StartsWith("air_columns: 126 columns at either side"));
}

TEST_CASE("Flats that drift are chosen by the flats") {
  const Projections clean = head(1e5);
  const Detector& d = clean.scan.detector;
  const auto chosen = [&](std::shared_ptr<ProjectionSource> flats) {
    return choose_corrections(*source_of(clean), {std::move(flats), nullptr, {}});
  };
  const ChosenCorrections drifting = chosen(flats_of(d, 0.05)), steady = chosen(flats_of(d, 0));
  CAPTURE(drifting.reasons, steady.reasons);
  CHECK(drifting.options == CorrectionOptions{.flat_components = 1});
  CHECK(steady.options == CorrectionOptions{});
  CHECK(steady.reasons.size() == 7);
}

TEST_CASE("Rows are continued where the object is wider than the detector, not where that lies to one side") {
  const auto chosen = [](const Projections& p) { return choose_corrections(*source_of(p)); };
  const Projections cut = head_on(161);
  const ChosenCorrections wide = chosen(cut);
  CAPTURE(wide.reasons);
  CHECK(wide.options == CorrectionOptions{.truncation = 0.1});
  const CorrectedProjections made = apply_corrections(source_of(cut), wide.options);
  REQUIRE(made.done.size() == 1);
  CHECK(made.done[0] == "objects wider than the detector: filters continue rows by 10 %");
  CHECK(rms(read_all(*made.source), cut) == 0);
  Projections aside = head_on(161, 50, 360);
  CHECK(chosen(aside).options.truncation == 0);
  aside.scan.views = parallel_views(aside.scan.detector, equal_angles(60, 0, 360));  // a file that does not say so
  const ChosenCorrections unsaid = chosen(aside);
  CAPTURE(unsaid.reasons);
  CHECK(unsaid.options.truncation == 0);
  CHECK_THAT(unsaid.reasons[4], Catch::Contains("at one side only"));
}

TEST_CASE("Corrections are off by default, refuse what does not fit, and take small scans") {
  const auto source = source_of(head());
  CHECK(apply_corrections(source, {}).source == source);
  CHECK_THROWS_WITH(apply_corrections(source, {.stripes = 4}), Catch::StartsWith("stripes: 4 is not a window"));
  CHECK_THROWS_WITH(apply_corrections(source, {.zingers = -1}), Catch::StartsWith("zingers: -1 is outside"));
  const Detector one{1, 1, 1, 1, Detector::Shape::flat, 0}, narrow{3, 2, 1, 1, Detector::Shape::flat, 0};
  for (const Detector& d : {one, narrow})
    for (const std::int64_t few : {1, 2}) {
      Projections p(Scan{d, parallel_views(d, equal_angles(few, 0, 180))});
      for (float& v : p.values) v = 1;
      CorrectionOptions all{.defects = 10, .zingers = 8, .dead_stripes = 3, .large_stripes = 3, .stripes = 5};
      for (const StripeMethod method :
           {StripeMethod::mean, StripeMethod::sorting, StripeMethod::filtering, StripeMethod::fitting}) {
        all.stripe_method = method;
        CHECK(rms(corrected(p, all), p) < 1e-6);
      }
    }
}

TEST_CASE("Options that differ from the defaults replace others one by one") {
  const CorrectionOptions base{.zingers = 8, .stripes = 31};
  CHECK(over(base, {}) == base);
  const CorrectionOptions both = over(base, {.stripes = 5, .stripe_method = StripeMethod::mean});
  CHECK(both == CorrectionOptions{.zingers = 8, .stripes = 5, .stripe_method = StripeMethod::mean});
  CHECK(to_text(both) == "zingers 8, stripes 5, stripe_method mean");
  CHECK_NOTHROW(check_idle(both));
  CHECK_THROWS_WITH(check_idle({.stripe_method = StripeMethod::mean}),
                    Catch::Contains("stripe_method") && Catch::Contains("`stripes`"));
  CHECK_THROWS_WITH(check_idle({.phase_energy = 20}), Catch::Contains("`phase_ratio`"));
  CHECK_THROWS_WITH(check_idle({.scatter_width = 20}), Catch::Contains("`scatter_share`"));
  CHECK_NOTHROW(check_idle({.scatter = {ScatterOption::Kind::fit, 0}, .scatter_width = 20}));
  CHECK(to_text(CorrectionOptions{}).empty());
}
