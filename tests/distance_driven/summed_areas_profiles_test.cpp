// Where summed areas differ from the reference: profiles for docs/notebook, by name only. Each is a file of the
// folder that the test runs in; scripts/draw_distance_driven.py draws them.
#include <catch2/catch.hpp>

#include <fstream>

#include <backlit/geometry/trajectory.hpp>
#include "support/one_view_back.hpp"
#include "support/summed_area_kernels.hpp"

using namespace backlit;
using test::Way;

namespace {

const std::vector<std::pair<const char*, Way>> variants{
    {"bl", {}},
    {"bl,plain", {.less_mean = false}},
    {"bl in software", {.hardware = false}},
    {"bl,plain in software", {.hardware = false, .less_mean = false}},
    {"bl,compensated in software", {.hardware = false, .compensated = true}}};

/// The line that is plotted, of the reference and of each variant.
class Profiles {
 public:
  Profiles(std::int64_t first, std::int64_t count) : first_(first), count_(count) {}

  void add(const std::string& name, const std::vector<float>& values) {
    const auto from = values.begin() + first_;
    lines_.emplace_back(name, std::vector<float>(from, from + count_));
  }
  void save(const std::string& name) const {
    std::ofstream file("distance_driven_" + name + ".csv");
    file.precision(9);
    for (std::size_t i = 0; i < lines_.size(); ++i) file << (i > 0 ? "," : "") << '"' << lines_[i].first << '"';
    for (std::size_t at = 0; at < static_cast<std::size_t>(count_); ++at)
      for (std::size_t i = 0; i < lines_.size(); ++i) file << (i > 0 ? "," : "\n") << lines_[i].second[at];
    file << '\n';
    CHECK(file.good());
  }

 private:
  std::int64_t first_, count_;
  std::vector<std::pair<std::string, std::vector<float>>> lines_;
};

std::vector<float> by_reference(const VolumeGrid& grid, const Scan& scan, bool forward, std::span<const float> input) {
  const auto cpu = make_backend("cpu");
  return test::apply_ct(*cpu, grid, scan, {.model = Model::distance_driven}, forward, input);
}

/// The detector's middle row.
void save_forward(const std::string& name, const Volume& volume, const Scan& scan) {
  const Detector& d = scan.detector;
  Profiles profiles(d.rows / 2 * d.columns, d.columns);
  profiles.add("reference", by_reference(volume.grid, scan, true, volume.values.span()));
  for (const auto& [variant, way] : variants) profiles.add(variant, test::forward_by_areas(way, volume, scan));
  profiles.save(name);
}

/// The row of voxels beside the middle of four slices.
void save_back(const std::string& name, const VolumeGrid& whole, const Scan& scan, std::span<const float> images) {
  VolumeGrid row = whole;
  row.size = {whole.size[0], 1, 4};
  row.center.y = whole.voxel_center(0, static_cast<double>(whole.size[1] / 2), 0).y;
  Profiles profiles(2 * row.size[0], row.size[0]);
  profiles.add("reference", by_reference(row, scan, false, images));
  const auto pixels = static_cast<std::size_t>(scan.detector.pixels());
  for (const auto& [variant, way] : variants) {
    std::vector<float> sums(static_cast<std::size_t>(row.voxels()), 0.0f);
    for (std::size_t view = 0; view < scan.views.size(); ++view) {
      const auto one =
          test::back_by_areas(way, row, {scan.detector, {scan.views[view]}}, images.subspan(view * pixels, pixels));
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += one[i];
    }
    profiles.add(variant, sums);
  }
  profiles.save(name);
}

}  // namespace

TEST_CASE("Study of profiles by summed areas forward", "[.study]") {
  const BenchCase ct = bench_case("ct750");
  Volume ones(ct.grid);
  std::ranges::fill(ones.values, 1.0f);
  save_forward("ones-0", ones, {ct.scan.detector, {ct.scan.views[0]}});
  save_forward("ones-45", ones, {ct.scan.detector, {ct.scan.views[123]}});
}

TEST_CASE("Study of profiles by summed areas of a bar", "[.study]") {
  Volume bar({{25, 1, 1}, Vec3(1), Vec3(0)});
  std::ranges::fill(bar.values, 1.0f);
  const Detector d{41, 5, 1.41, 0.71};
  for (const double angle : {30.0, 45.0, 179.5})
    save_forward("bar-" + std::to_string(static_cast<int>(angle)), bar, {d, parallel_views(d, {angle})});
}

TEST_CASE("Study of profiles by summed areas back", "[.study]") {
  const BenchCase ct = bench_case("ct750");
  const Phantom head = load_phantom("forbild-head");
  const auto one = test::one_view_back(100, false);
  save_back("back-1", ct.grid, one.scan, one.image);
  Projections views(ct.scan);
  project_phantom(head, ct.scan, 0, ct.scan.view_count(), 1, views.values.span());
  save_back("back-984", ct.grid, ct.scan, views.values.span());
}
