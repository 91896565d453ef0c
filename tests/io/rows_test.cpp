// Sources that are asked for some rows of their images: these come as among all rows.
#include <catch2/catch.hpp>

#include <random>

#include <backlit/data/placed_views.hpp>
#include <backlit/data/reads_rows.hpp>
#include <backlit/data/selected_views.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include "support/scratch.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

const Detector detector{13, 11, 1, 1};
Scan scan_of(std::int64_t views) { return {detector, circular_views(detector, equal_angles(views), 100, 150)}; }

/// Counts between 50 and 150, by a seed.
Projections counts(std::int64_t views, unsigned seed) {
  Projections p(scan_of(views));
  std::mt19937 random(seed);
  for (float& v : p.values) v = static_cast<float>(50 + random() % 101);
  return p;
}

std::shared_ptr<MemorySource> source_of(const Projections& p) {
  return std::make_shared<MemorySource>(Projections(p.scan, p.values.clone()));
}

/// In the rows [first, first + count) of each of so many images.
void check_rows(std::span<const float> some, std::span<const float> all, std::int64_t images, const IndexRange& rows) {
  for (std::int64_t i = 0; i < images; ++i)
    for (std::int64_t row = rows.first; row < rows.end(); ++row)
      for (std::int64_t c = 0; c < detector.columns; ++c) {
        const auto at = static_cast<std::size_t>((i * detector.rows + row) * detector.columns + c);
        REQUIRE(some[at] == all[at]);
      }
}

}  // namespace

TEST_CASE("readers give the rows that are asked for as they give all") {
  const Scratch folder;
  const Projections views = counts(5, 1);
  for (const std::string& extension : projection_extensions()) {
    INFO(extension);
    const auto file = folder / ("views" + extension);
    save_projections(views, file);
    const auto whole = open_stack(file.string()), part = open_stack(file.string());
    std::vector<float> all(static_cast<std::size_t>(views.values.size())), some(all.size(), -1);
    whole->read(0, 5, all);
    for (const IndexRange rows : {IndexRange{2, 4}, IndexRange{10, 1}, IndexRange{0, 11}}) {
      look_at_rows(*part, rows);
      part->read(0, 5, some);
      check_rows(some, all, 5, rows);
    }
  }
}

TEST_CASE("raw, HDF5 and stacks of files do not touch other rows") {
  const Scratch folder;
  const Projections views = counts(3, 2);
  VolumeGrid grid;
  grid.size = {detector.columns, detector.rows, 3};
  const Volume volume(grid, views.values.clone());
  for (const std::string name : {"v.npy", "v.mha", "v.h5"}) {
    INFO(name);
    save_volume(volume, folder / name);
    const auto part = open_stack((folder / name).string());
    look_at_rows(*part, {3, 2});
    std::vector<float> some(static_cast<std::size_t>(views.values.size()), -1);
    part->read(0, 3, some);
    check_rows(some, views.values.span(), 3, {3, 2});
    for (std::int64_t i = 0; i < 3; ++i) {
      CHECK(some[static_cast<std::size_t>(i * detector.pixels())] == -1);
      CHECK(some[static_cast<std::size_t>((i + 1) * detector.pixels() - 1)] == -1);
    }
  }
}

TEST_CASE("corrected counts, selected and placed views give rows as among all, dead pixels filled alike") {
  Projections raw = counts(6, 3);
  const Projections flats = counts(3, 4);
  Projections darks(scan_of(2));
  raw.at(1, 4, 5) = 0;  // one reading
  for (const std::int64_t row : {3, 4, 5})
    for (const std::int64_t column : {7, 8, 9}) raw.at(2, row, column) = 0;  // an area, whose middle sees no good pixel
  for (std::int64_t view = 0; view < 6; ++view) raw.at(view, 6, 2) = 0;      // a dead pixel
  const auto corrected = [&] {
    return std::make_shared<SelectedViews>(
        std::make_shared<PlacedViews>(correct_counts(source_of(raw), source_of(flats), source_of(darks), nullptr),
                                      raw.scan),
        std::vector<std::int64_t>{5, 0, 1, 2, 3});
  };
  const auto whole = corrected(), part = corrected();
  std::vector<float> all(static_cast<std::size_t>(5 * detector.pixels())), some(all.size());
  whole->read(0, 5, all);
  for (const IndexRange rows : {IndexRange{4, 3}, IndexRange{0, 4}, IndexRange{6, 5}}) {
    look_at_rows(*part, rows);
    part->read(0, 5, some);
    check_rows(some, all, 5, rows);
  }
}
