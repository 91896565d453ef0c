// Data as machines deliver them, from the file to the volume: RabbitCT's filtered views, counts with dead pixels.
#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/fdk_filter.hpp>
#include "geometry/make_view_map.hpp"
#include "support/io/scan_text.hpp"
#include "support/program.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using namespace backlit::test;
using nlohmann::json;

namespace raw_data_test {
namespace {

ProgramResult run(const TemporaryFolder& folder, const std::vector<std::string>& arguments) {
  const auto r = run_backlit(folder.path(), arguments);
  INFO(r.err);
  REQUIRE(r.code == 0);
  return r;
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The data set's layout: sizes, scale to Hounsfield units, and for each image 12 numbers and its pixels.
std::string rabbitct_bytes(const Projections& filtered) {
  const Detector& d = filtered.scan.detector;
  std::string bytes;
  for (const std::int64_t n : {d.columns, d.rows, filtered.scan.view_count()})
    append(bytes, static_cast<std::uint32_t>(n));
  append(bytes, 1.0f);
  append(bytes, 0.0f);
  for (std::int64_t i = 0; i < filtered.scan.view_count(); ++i) {
    const View& view = filtered.scan.views[static_cast<std::size_t>(i)];
    append(bytes, projection_matrix(d, view) * (1.0 / axis_distance(view)));  // w is 1 at the isocentre
    for (const float value : filtered.view(i)) append(bytes, value);
  }
  return bytes;
}

}  // namespace

TEST_CASE("a RabbitCT file is reconstructed with --filter none, in absolute values") {
  const TemporaryFolder folder;
  const Detector d{61, 33, 0.32, 0.32, Detector::Shape::flat, 0};
  const Scan scan{d, circular_views(d, equal_angles(90, 12), 30, 48)};
  Projections views(scan);
  project_phantom(scaled(load_phantom("water-cylinder"), 0.05), scan, 0, 90, 1, views.values.span());  // 5 mm
  save_projections(views, folder / "raw.npy");
  write_text(folder / "raw.scan.toml",
             "[detector]\npixel_mm = 0.32\n[trajectory]\nkind = \"circular\"\nsource_to_axis_mm = 30\n"
             "source_to_detector_mm = 48\nstart_deg = 12\n[data]\nprojections = \"raw.npy\"\n");
  FdkFilter(scan, {}).run(0, views.values.span());
  write_text(folder / "rabbit.rctd", rabbitct_bytes(views));

  const std::vector<std::string> grid{"--grid", "41x41x9", "--voxel", "0.3", "--precision", "exact"};
  for (const std::string backend : {"cpu", "gl"}) {
    std::vector<std::string> direct{"recon", "raw.scan.toml", "-o", "direct.mha", "--backend", backend};
    std::vector<std::string> rabbit{"recon", "rabbit.rctd", "-o",   "rabbit.mha", "--backend",
                                    backend, "--filter",    "none", "--json"};
    direct.insert(direct.end(), grid.begin(), grid.end());
    rabbit.insert(rabbit.end(), grid.begin(), grid.end());
    run(folder, direct);
    const auto r = run(folder, rabbit);
    CHECK_THAT(r.err, Catch::Contains("filtered and weighted already: reconstruct with --filter none"));
    CHECK(json::parse(r.out)["views"] == 90);
    const Volume filtered_here = load_volume(folder / "direct.mha"),
                 filtered_there = load_volume(folder / "rabbit.mha");
    CHECK(relative_l2(filtered_there.values.span(), filtered_here.values.span()) < 1e-5);
    double sum = 0;  // density does not scale with the phantom's lengths
    for (std::int64_t j = -5; j <= 5; ++j)
      for (std::int64_t i = -5; i <= 5; ++i) sum += filtered_there.at(20 + i, 20 + j, 4);
    CHECK(sum / 121 == Approx(0.02).epsilon(0.005));
  }
}

TEST_CASE("dead pixels and readings at dark are counted in --json and told on standard error") {
  const TemporaryFolder folder;
  write_text(folder / "cone.scan.toml", cone_scan_text(31, 9, 16, 24));
  run(folder, {"simulate", "water-cylinder", "--scan", "cone.scan.toml", "-o", "p.npy"});
  const auto stack = open_stack((folder / "p.npy").string())->read_all();
  const Scan scan{{31, 9, 16, 16, Detector::Shape::flat, 0}, std::vector<View>(24)};
  Projections counts(scan), flat(scan), dark(scan);
  for (std::int64_t i = 0; i < stack.size(); ++i) counts.values[i] = 100 + 10000 * std::exp(-stack[i]);
  for (float& v : flat.values) v = 10100;
  for (float& v : dark.values) v = 100;
  for (std::int64_t i = 0; i < 24; ++i) counts.at(i, 3, 12) = 100;  // dead throughout
  counts.at(7, 5, 20) = 90;                                         // once
  counts.at(9, 1, 2) = 100;                                         // once
  save_projections(counts, folder / "counts.npy");
  save_projections(flat, folder / "flat.npy");
  save_projections(dark, folder / "dark.npy");
  write_text(folder / "raw.scan.toml", cone_scan_text(31, 9, 16, 24) +
                                           "[data]\nprojections = \"counts.npy\"\nkind = \"counts\"\n"
                                           "flats = \"flat.npy\"\ndarks = \"dark.npy\"\n");
  const auto r = run(folder, {"recon", "raw.scan.toml", "-o", "v.mha", "--backend", "cpu", "--json"});
  const json object = json::parse(r.out);  // nothing but the object there
  CHECK(object["dead_pixels"] == 1);
  CHECK(object["replaced_readings"] == 2);
  CHECK(r.err == "backlit: 2 readings at or below dark were replaced; 1 dead pixel interpolated\n");
  const auto good = run(folder, {"recon", "p.scan.toml", "-o", "good.mha", "--backend", "cpu", "--json"});
  CHECK(json::parse(good.out)["dead_pixels"] == 0);
  CHECK(good.err.empty());
  const Volume repaired = load_volume(folder / "v.mha"), truth = load_volume(folder / "good.mha");
  CHECK(relative_l2(repaired.values.span(), truth.values.span()) < 0.02);
}

}  // namespace raw_data_test
