#include <backlit/preprocess/correct_counts.hpp>

#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include "preprocess/fill_missing.hpp"

using namespace backlit;

namespace correct_counts_test {
namespace {

const Detector d{7, 5, 1, 1};

std::shared_ptr<ProjectionSource> frames(std::int64_t n, float value) {
  Projections p({d, parallel_views(d, equal_angles(n, 0, 180))});
  for (float& v : p.values) v = value;
  return std::make_shared<MemorySource>(std::move(p));
}

}  // namespace

TEST_CASE("counts become line integrals, dead and dark pixels are repaired and reported") {
  Projections counts({d, parallel_views(d, equal_angles(6, 0, 180))});
  for (float& v : counts.values) v = 100 + 1000 * std::exp(-1.5f);
  for (std::int64_t v = 0; v < 6; ++v) counts.at(v, 0, 0) = 50;  // dead
  counts.at(2, 3, 4) = 100;                                      // one reading at dark
  auto report = std::make_shared<CorrectionReport>();
  Projections flats({d, parallel_views(d, equal_angles(3, 0, 180))});
  for (float& v : flats.values) v = 1100;
  flats.at(1, 2, 2) = 60000;  // a hit that the median ignores
  for (std::int64_t v = 0; v < 3; ++v) flats.at(v, 4, 6) = 90;
  const auto source = correct_counts(std::make_shared<MemorySource>(std::move(counts)),
                                     std::make_shared<MemorySource>(std::move(flats)), frames(2, 100), report);
  std::vector<float> all(6 * 35);
  source->read(0, 6, all);
  source->read(2, 1, std::span(all).subspan(2 * 35, 35));  // again: not counted twice
  for (float v : all) CHECK(v == Approx(1.5).epsilon(1e-4));
  CHECK(report->dead == std::vector<std::int64_t>{0, 34});
  CHECK(report->dead_pixels == 2);
  CHECK(report->non_positive_values == 1);
}

TEST_CASE("counts without flats take the brightest per cent as the beam") {
  Projections counts({d, parallel_views(d, equal_angles(2, 0, 180))});
  for (float& v : counts.values) v = 200;
  counts.at(0, 1, 1) = 1000;
  counts.at(1, 1, 1) = 2000;
  const auto source = correct_counts(std::make_shared<MemorySource>(std::move(counts)), nullptr, nullptr, nullptr);
  std::vector<float> all(70);
  source->read(0, 2, all);
  CHECK(all[8] == Approx(0).margin(1e-6));
  CHECK(all[0] == Approx(std::log(5.0)));
  CHECK(all[35] == Approx(std::log(10.0)));
}

TEST_CASE("corrections refuse frames of another size and dark where flat should be") {
  const Detector other{6, 5, 1, 1};
  auto small = std::make_shared<MemorySource>(Projections({other, parallel_views(other, {0})}));
  CHECK_THROWS_WITH(correct_counts(frames(2, 10), small, nullptr, nullptr),
                    "flats: 6 x 5 pixels where the projections have 7 x 5; give frames of the same size");
  CHECK_THROWS_WITH(correct_counts(frames(2, 10), frames(1, 5), frames(1, 20), nullptr),
                    "counts: no pixel reads above dark; check that flats and darks are not exchanged");
}

TEST_CASE("a view without a reading above dark is refused by its number") {
  const Detector big{301, 300, 1, 1};
  Projections counts({big, parallel_views(big, equal_angles(9, 0, 180))});
  for (float& v : counts.values) v = 1000;
  for (float& v : counts.view(5)) v = 10;
  for (const bool with_flats : {true, false}) {
    Projections flats({big, parallel_views(big, equal_angles(3, 0, 180))});
    for (float& v : flats.values) v = 2000;
    Projections darks({big, parallel_views(big, {0})});
    for (float& v : darks.values) v = 10;
    const auto source = correct_counts(std::make_shared<MemorySource>(Projections(counts.scan, counts.values.clone())),
                                       with_flats ? std::make_shared<MemorySource>(std::move(flats)) : nullptr,
                                       std::make_shared<MemorySource>(std::move(darks)), nullptr);
    std::vector<float> out(4 * static_cast<std::size_t>(big.pixels()));
    source->read(0, 4, out);
    CHECK_THROWS_WITH(source->read(3, 4, out),
                      "view 5: 90300 of 90300 pixels have no reading above dark; leave the view out, or check its "
                      "exposure and the darks");
  }
}

TEST_CASE("large dead areas are filled in time, smoothly") {
  const Detector big{700, 650, 1, 1};
  const auto ramp = [](std::int64_t r, std::int64_t c) {
    return 1000 + static_cast<float>(r) + 2 * static_cast<float>(c);
  };
  Projections counts({big, parallel_views(big, equal_angles(4, 0, 180))}), flats({big, parallel_views(big, {0})});
  for (float& v : flats.values) v = 4000;
  for (std::int64_t v = 0; v < 4; ++v)
    for (std::int64_t r = 0; r < big.rows; ++r)
      for (std::int64_t c = 0; c < big.columns; ++c)
        counts.at(v, r, c) = r >= 200 && r < 500 && c >= 300 && c < 600 ? 0 : ramp(r, c);
  const auto report = std::make_shared<CorrectionReport>();
  const auto source = correct_counts(std::make_shared<MemorySource>(std::move(counts)),
                                     std::make_shared<MemorySource>(std::move(flats)), nullptr, report);
  std::vector<float> out(4 * static_cast<std::size_t>(big.pixels()));
  source->read(0, 4, out);
  CHECK(report->dead_pixels == 300 * 300);
  double worst = 0;
  for (std::int64_t r = 200; r < 500; ++r)
    for (std::int64_t c = 300; c < 600; ++c) {
      const float filled = out[static_cast<std::size_t>(r * big.columns + c)];
      worst = std::max(worst, std::abs(static_cast<double>(filled) + std::log(ramp(r, c) / 4000)));
    }
  CHECK(worst < 0.25);  // the ramp changes by 0.4 across the block
}

TEST_CASE("what is missing takes the mean of its neighbours, and is exact where the image is flat") {
  std::vector<float> image(7 * 5, 2.0f);
  std::vector<char> missing(image.size(), 1);
  fill_missing(image, 7, missing);
  CHECK(image == std::vector<float>(image.size(), 0.0f));
  image[34] = 3;
  missing[34] = 0;
  fill_missing(image, 7, missing);
  CHECK(image == std::vector<float>(image.size(), 3.0f));
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i);
  missing.assign(image.size(), 0);
  missing[0] = missing[17] = 1;
  image[17] = 1e9f;
  fill_missing(image, 7, missing);
  CHECK(image[0] == Approx((1 + 7 + 8) / 3.0));
  CHECK(image[17] == Approx(17));
  CHECK(image[16] == 16);
}

namespace {

/// Asks to stop once so many items were done.
struct StopAfter final : Progress {
  explicit StopAfter(std::int64_t n) : left(n) {}
  void begin(std::string_view stage, std::int64_t total, std::string_view) override {
    stages.emplace_back(stage);
    expected += total;
  }
  void advance(std::int64_t items) override {
    done += items;
    if ((left -= items) <= 0) cancel.request();
  }
  std::int64_t left, done = 0, expected = 0;
  std::vector<std::string> stages;
  CancelToken cancel;
};

}  // namespace

TEST_CASE("corrections tell how far they are and stop when asked") {
  StopAfter all(1000), some(10);
  const auto source = correct_counts(frames(40, 10), frames(70, 20), frames(5, 1), nullptr, {all, all.cancel});
  CHECK(all.stages == std::vector<std::string>{"darks", "flats", "counts"});
  CHECK(all.done == 5 + 64 + 32);
  CHECK(all.done == all.expected);
  CHECK_THROWS_AS(correct_counts(frames(40, 10), frames(70, 20), frames(5, 1), nullptr, {some, some.cancel}),
                  Cancelled);
  CHECK(some.done == 10);
}

}  // namespace correct_counts_test
