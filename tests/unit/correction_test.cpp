#include "preprocess/correction.hpp"

#include <catch2/catch.hpp>

#include "geometry/trajectory.hpp"

using namespace backlit;

namespace {

const Detector d{7, 5, 1, 1};

std::shared_ptr<ProjectionSource> frames(std::int64_t n, float value) {
  Projections p({d, parallel_views(d, equal_angles(n, 0, 180))});
  for (float& v : p.values) v = value;
  return std::make_shared<MemorySource>(std::move(p));
}

}  // namespace

TEST_CASE("counts become line integrals; dead and dark pixels are repaired and reported") {
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

TEST_CASE("stripes shrink and the object stays") {
  const Detector line{60, 1, 1, 1};
  Projections p({line, parallel_views(line, equal_angles(40, 0, 180))});
  for (std::int64_t v = 0; v < 40; ++v)
    for (std::int64_t c = 0; c < 60; ++c)
      p.at(v, 0, c) =
          static_cast<float>(1 + 0.02 * static_cast<double>(c) + 0.1 * std::sin(0.3 * static_cast<double>(v)));
  Projections clean(p.scan, p.values.clone());
  for (std::int64_t v = 0; v < 40; ++v) {
    p.at(v, 0, 20) += 0.2f;
    p.at(v, 0, 41) -= 0.1f;
  }
  const auto source = remove_stripes(std::make_shared<MemorySource>(std::move(p)), 9);
  std::vector<float> out(40 * 60);
  source->read(0, 40, out);
  for (std::size_t i = 0; i < out.size(); ++i)
    CHECK(std::abs(out[i] - clean.values[static_cast<std::int64_t>(i)]) < 0.021f);
  CHECK_THROWS_WITH(remove_stripes(source, 4), "stripes: a window of 4 columns; give an odd number, 3 or more");
}
