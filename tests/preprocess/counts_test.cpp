// 16-bit counts reach a device as they were measured, with what turns them into line integrals.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/data/selected_views.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/volumes/stack_source.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include <backlit/preprocess/corrections.hpp>
#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"

using namespace backlit;

namespace {

const Detector d{4, 3, 1, 1};
Scan scan_of(std::int64_t views) { return {d, parallel_views(d, equal_angles(views, 0, 180))}; }

std::shared_ptr<ProjectionSource> stack(const test::Scratch& folder, const char* name,
                                        const std::vector<double>& values, double scale = 1) {
  const std::string header = "ObjectType = Image\nNDims = 3\nDimSize = 4 3 " + std::to_string(values.size() / 12) +
                             "\nElementType = MET_USHORT\nElementByteOrderMSB = False\nElementDataFile = LOCAL\n";
  test::write_bytes(folder / name, header + test::packed<std::uint16_t>(values, false));
  const std::string file = (folder / name).string();
  return std::make_shared<StackSource>(open_stack(file), file, scan_of(static_cast<std::int64_t>(values.size() / 12)),
                                       false, scale);
}

}  // namespace

TEST_CASE("corrected counts hand on counts and scale, through whatever selects and places views") {
  const test::Scratch folder;
  std::vector<double> counts = test::counting(5 * 12, 200), flat(12, 1000), dark(12, 100);
  counts[2 * 12 + 5] = 90;                             // one reading below dark
  for (int v = 0; v < 5; ++v) counts[v * 12 + 7] = 3;  // dead
  flat[11] = 50;                                       // dead too
  const auto report = std::make_shared<CorrectionReport>();
  const auto corrected = correct_counts(stack(folder, "c.mha", counts), stack(folder, "f.mha", flat),
                                        stack(folder, "d.mha", dark), report);
  const CountScale* scale = corrected->count_scale();
  REQUIRE(scale);
  for (std::size_t p = 0; p < 12; ++p) {
    CHECK(scale->dark[p] == 100);
    CHECK(scale->open[p] == (p == 7 || p == 11 ? 0 : 900));
  }
  const auto placed = std::make_shared<PlacedViews>(corrected, scan_of(5));
  SelectedViews some(placed, 1, 5, 2);  // views 1 and 3
  CHECK(some.count_scale() == scale);
  std::vector<std::uint16_t> raw(24);
  REQUIRE(some.read_counts(0, 0, {}));
  REQUIRE(some.read_counts(0, 2, raw));
  CHECK(raw[0] == 212);
  CHECK(raw[12] == 236);
  std::vector<float> integrals(24);
  some.read(0, 2, integrals);
  for (std::size_t i : {0, 5, 12, 22}) CHECK(integrals[i] == Approx(-std::log((raw[i] - 100) / 900.0)));

  // What a device replaced is counted once a view, and refused where the host refuses it.
  SelectedViews third(placed, 2, 3, 1);
  third.note_replaced(0, 1);
  third.note_replaced(0, 1);
  CHECK(report->non_positive_values == 1);
  CHECK_THROWS_WITH(third.note_replaced(0, 6), Catch::Contains("view 2: 6 of 10 pixels have no reading above dark"));
}

TEST_CASE("what is no plain correction of 16-bit counts is left to the host") {
  const test::Scratch folder;
  const std::vector<double> counts(24, 500), flat(12, 1000);
  CHECK_FALSE(correct_counts(stack(folder, "c.mha", counts), nullptr, nullptr, nullptr)->count_scale());
  CHECK_FALSE(stack(folder, "s.mha", counts, 2)->read_counts(0, 0, {}));
  const auto scaled = correct_counts(stack(folder, "s.mha", counts, 2), stack(folder, "f.mha", flat), nullptr, nullptr);
  CHECK_FALSE(scaled->count_scale());
  Projections floats(scan_of(2));
  for (float& v : floats.values) v = 500;
  CHECK_FALSE(
      correct_counts(std::make_shared<MemorySource>(std::move(floats)), stack(folder, "f.mha", flat), nullptr, nullptr)
          ->count_scale());
  const auto corrected = correct_counts(stack(folder, "c.mha", counts), stack(folder, "f.mha", flat), nullptr, nullptr);
  CHECK(corrected->count_scale());
  CHECK_FALSE(apply_corrections(corrected, {.stripes = 3}).source->count_scale());
}
