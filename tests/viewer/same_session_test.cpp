// The command line and the viewer give the same result, because both use one session.
#include <catch2/catch.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/counts_scan.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using nlohmann::ordered_json;

namespace {

/// The report without times.
ordered_json lasting(ordered_json report) {
  for (const char* key : {"seconds", "gups", "output"}) report.erase(key);
  return report;
}

ordered_json run_recon(const test::Viewer& viewer, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"recon", "counts.scan.toml", "-o", "recon.mha", "--backend", "cpu", "--center",
                                     "find",  "--voxel",          "7",  "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto result = test::run_backlit(viewer.folder.path(), arguments);
  INFO(result.err);
  REQUIRE(result.code == 0);
  return lasting(ordered_json::parse(result.out));
}

ordered_json run_viewer(test::Viewer& viewer, const std::string& settings) {
  viewer.succeed("open counts.scan.toml\nwait done\nset follow off\nset backend cpu\nset voxel 7\n" + settings +
                 "find center\nwait done\nreconstruct\nwait done\nexport volume viewer.mha\nwait done\n"
                 "export report viewer.json\n");
  std::ifstream in(viewer.folder / "viewer.json");
  return lasting(ordered_json::parse(in));
}

bool same_values(const std::filesystem::path& a, const std::filesystem::path& b) {
  const Volume x = load_volume(a), y = load_volume(b);
  return x.grid == y.grid && std::ranges::equal(x.values.span(), y.values.span());
}

}  // namespace

TEST_CASE("A scan of counts gives the same volume and the same report on the command line and in the viewer") {
  REQUIRE_VIEWER();
  test::Viewer viewer;
  test::save_counts_scan(viewer.folder.path());
  const ordered_json recon = run_recon(viewer, {}), seen = run_viewer(viewer, "");
  CHECK(seen.dump(1) == recon.dump(1));
  CHECK(recon["dead_pixels"] == test::counts_scan_dead);
  CHECK(recon["replaced_readings"] == test::counts_scan_low);
  CHECK(recon["center_px"].get<double>() == Approx(test::counts_scan_center).margin(0.2));
  CHECK(same_values(viewer.folder / "recon.mha", viewer.folder / "viewer.mha"));
}

TEST_CASE("So do rays weighed by their transmission, a mask from a file and rings that are removed") {
  REQUIRE_VIEWER();
  test::Viewer viewer;
  test::save_counts_scan(viewer.folder.path());
  Volume mask({{37, 37, 4}, Vec3(7), {0, 0, 0}});
  for (float& v : mask.values) v = 1;
  save_volume(mask, viewer.folder / "mask.mha");
  const ordered_json recon = run_recon(
                         viewer, {"--stripes", "5", "--method", "pwls", "--iterations", "2", "--mask", "mask.mha"}),
                     seen = run_viewer(viewer, "method pwls\nset iterations 2\nset stripes 5\nset mask mask.mha\n");
  CHECK(seen.dump(1) == recon.dump(1));
  CHECK(recon["options"]["weights"] == "transmission");
  CHECK(recon["residuals"].size() == 2);
  CHECK(same_values(viewer.folder / "recon.mha", viewer.folder / "viewer.mha"));
}
