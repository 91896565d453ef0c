// Counts and histograms of lists of events.
#include <catch2/catch.hpp>

#include <numeric>

#include <backlit/pet/list_mode_summary.hpp>
#include <backlit/render/line_plot.hpp>

using namespace backlit;

TEST_CASE("a summary counts every event in each of its histograms") {
  RingLayout layout;
  layout.modules = 12;
  layout.module_rings = 4;
  layout.face_radius_mm = 50;
  layout.pitch_mm = 20;
  layout.ring_spacing_mm = 5;
  layout.layers_mm = {10};
  const Scanner scanner = make_ring_scanner("small", layout, {}, "test");
  EventList events;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    events.crystal1.push_back(i % 12);                       // ring 0
    events.crystal2.push_back(12 * (i % 4) + (i + 6) % 12);  // rings 0 to 3
    events.dt_ps.push_back(static_cast<float>(i % 5) * 100 - 200);
    events.time_ms.push_back(4 * i);
    events.acf.push_back(3);
    events.random_rate.push_back(0.5f);
  }
  ListModeInfo info;
  info.tof_fwhm_ps = 400;
  info.duration_s = 4;
  MemoryListMode list(info, events);
  const ListModeSummary s = summarize(list, scanner);
  CHECK(s.counts.prompts == 1000);
  CHECK(s.prompts_per_s() == 250);
  CHECK(s.tof_ps.counts == std::vector<std::int64_t>{200, 200, 200, 200, 200});
  CHECK(s.tof_ps.center(0) == Approx(-200));
  CHECK(s.tof_ps.center(4) == Approx(200));
  CHECK(s.ring_difference.counts == std::vector<std::int64_t>{250, 250, 250, 250});
  CHECK(s.ring_difference.center(3) == Approx(3));
  CHECK(std::accumulate(s.time_s.counts.begin(), s.time_s.counts.end(), std::int64_t{0}) == 1000);
  CHECK(s.time_s.counts.size() == 40);
  CHECK(s.mean_acf == 3);
  CHECK(s.mean_random_rate == 0.5);
  CHECK(s.mean_scatter_rate < 0);
  CHECK(s.mean_norm == 0);
}

TEST_CASE("curves are drawn where their values are, in colours of their own") {
  const std::vector<Curve> curves{{"low", {0, 10}, {0, 0}}, {"high", {0, 10}, {5, 5}}};
  const Image image = plot_curves(curves, {"title", "x", "y"}, true, 400, 300);
  // The lines are level: count the pixels of each colour row by row.
  const auto row_of = [&](Rgb color) {
    std::int64_t best = -1, most = 0;
    for (std::int64_t y = 0; y < image.height; ++y) {
      std::int64_t found = 0;
      for (std::int64_t x = 0; x < image.width; ++x) found += image.at(x, y) == color;
      if (found > most) most = found, best = y;
    }
    return std::pair(best, most);
  };
  const auto low = row_of({31, 95, 168}), high = row_of({200, 70, 30});
  CHECK(low.second > 250);
  CHECK(high.second > 250);
  CHECK(low.first > high.first + 150);
  CHECK_THROWS_WITH(plot_curves(std::vector<Curve>{{"none", {}, {}}}, {}, true), Catch::Contains("no finite value"));
}
