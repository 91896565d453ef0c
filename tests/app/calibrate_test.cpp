// `backlit calibrate`: what a scanner measured, under what its file says.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include <backlit/core/atomic_file.hpp>
#include <backlit/geometry/view_shifts.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using nlohmann::json;

namespace calibrate_test {
namespace {

/// A sinogram of the FORBILD head whose file says nothing of its offset.
void simulate(const TemporaryFolder& folder) {
  const std::string detector = "[detector]\ncolumns = 120\nrows = 1\npixel_mm = 3.2\n",
                    trajectory =
                        "[trajectory]\nkind = \"circular\"\nsource_to_axis_mm = 600\n"
                        "source_to_detector_mm = 900\nviews = 180\n";
  write_text(folder / "true.scan.toml", detector + "offset_px = [3.4, 0]\n" + trajectory);
  const auto made = run_backlit(
      folder.path(), {"simulate", "forbild-head", "--scan", "true.scan.toml", "-o", "fan.npy", "--supersample", "2"});
  INFO(made.err);
  REQUIRE(made.code == 0);
  write_text(folder / "fan.scan.toml", "# by hand\n" + detector + trajectory +
                                           "[data]\nprojections = \"fan.npy\"\n[volume]\nsize = [40, 40, 1]\n"
                                           "voxel_mm = 6\n");
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("calibrate writes a scan file that says what was found, and a picture") {
  const TemporaryFolder folder;
  simulate(folder);
  const auto r = run_backlit(
      folder.path(), {"calibrate", "fan.scan.toml", "-o", "found.scan.toml", "--report", "found.png", "--json"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json found = json::parse(r.out);
  for (const char* key : {"column_offset_px", "row_offset_px", "in_plane_deg", "tilt_u_deg", "tilt_v_deg",
                          "source_to_axis_mm", "source_to_detector_mm"}) {
    INFO(key);
    REQUIRE(found.contains(key));
    for (const char* part : {"value", "change", "uncertainty", "determined"}) CHECK(found[key].contains(part));
    CHECK(found[key].contains("reason") != found[key]["determined"].get<bool>());
  }
  CHECK(found["column_offset_px"]["value"].get<double>() == Approx(3.4).margin(0.05));
  CHECK(found["column_offset_px"]["determined"] == true);
  CHECK(found["source_to_axis_mm"]["determined"] == false);
  CHECK(found["direction"] == json{{"value", "as given"}, {"determined", true}});
  CHECK(std::filesystem::file_size(folder / "found.png") > 10000);

  const ScanFile written = load_scan(folder / "found.scan.toml");
  CHECK(written.projections);
  REQUIRE(written.volume);
  CHECK(written.volume->size == Size3{40, 40, 1});
  CHECK(text_of(folder / "found.scan.toml").find("[trajectory]") != std::string::npos);
  CHECK(written.scan.views.front().center != load_scan(folder / "fan.scan.toml").scan.views.front().center);
}

TEST_CASE("calibrate takes the distance from source to axis from a known length, and writes it") {
  const TemporaryFolder folder;
  simulate(folder);
  const auto r = run_backlit(folder.path(), {"calibrate", "fan.scan.toml", "-o", "found.scan.toml", "--measured-length",
                                             "80", "--known-length", "82", "--json", "-q"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json found = json::parse(r.out);
  const double distance = found["source_to_detector_mm"]["value"].get<double>() / 900;
  CHECK(found["source_to_axis_mm"]["determined"] == true);
  CHECK(found["source_to_axis_mm"]["value"].get<double>() == Approx(600 * distance * 82 / 80));
  CHECK(found["source_to_axis_mm"]["uncertainty"].get<double>() > 1);
  CHECK(glm::length(load_scan(folder / "found.scan.toml").scan.views.front().source) ==
        Approx(600 * distance * 82 / 80));
}

TEST_CASE("calibrate has the same keys for parallel beams, and null for what they have not") {
  const TemporaryFolder folder;
  write_text(folder / "p.scan.toml",
             "[detector]\ncolumns = 96\nrows = 1\npixel_mm = 3.2\noffset_px = [2.3, 0]\n"
             "[trajectory]\nkind = \"parallel\"\nviews = 90\n");
  REQUIRE(run_backlit(folder.path(), {"simulate", "forbild-head", "--scan", "p.scan.toml", "-o", "made.npy"}).code ==
          0);
  const auto r = run_backlit(folder.path(), {"calibrate", "made.scan.toml", "--json", "-q"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json found = json::parse(r.out);
  for (const char* key : {"column_offset_px", "row_offset_px", "in_plane_deg", "tilt_u_deg", "tilt_v_deg",
                          "source_to_axis_mm", "source_to_detector_mm"}) {
    INFO(key);
    REQUIRE(found.contains(key));
    CHECK(found[key].contains("reason") != found[key]["determined"].get<bool>());
  }
  CHECK(found["source_to_axis_mm"]["value"].is_null());
  CHECK(found["source_to_detector_mm"]["value"].is_null());
}

TEST_CASE("calibrate aligns views that moved, writes their shifts and plots them") {
  const TemporaryFolder folder;
  const std::string geometry =
      "[detector]\ncolumns = 97\nrows = 1\npixel_mm = 3.2\noffset_px = [1.5, 0]\n"
      "[trajectory]\nkind = \"parallel\"\nviews = 72\n";
  std::string shifts = "shift_u_px = [";
  std::vector<ViewShift> truth(72);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    truth[i].u = 2 * std::sin(static_cast<double>(i * i));
    shifts += fmt::format("{}{}", i == 0 ? "" : ", ", truth[i].u);
  }
  write_text(folder / "true.scan.toml", geometry + shifts + "]\n");
  REQUIRE(run_backlit(folder.path(),
                      {"simulate", "forbild-head", "--scan", "true.scan.toml", "-o", "p.npy", "--supersample", "2"})
              .code == 0);
  write_text(folder / "p.scan.toml", geometry + "[data]\nprojections = \"p.npy\"\n");
  const auto r = run_backlit(folder.path(), {"calibrate", "p.scan.toml", "--align-views", "-o", "found.scan.toml",
                                             "--report", "found.png", "--json", "-q", "--backend", "cpu"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json found = json::parse(r.out);
  REQUIRE(found["view_shifts"]["u_px"].size() == truth.size());
  CHECK(found["view_shifts"]["rms_px"].get<double>() > 1);
  CHECK(text_of(folder / "found.scan.toml").find("shift_u_px = [") != std::string::npos);
  const Scan written = load_scan(folder / "found.scan.toml").scan, real = load_scan(folder / "true.scan.toml").scan;
  std::vector<ViewShift> rest(truth.size());
  for (std::size_t i = 0; i < rest.size(); ++i)
    rest[i].u = glm::dot(written.views[i].center - real.views[i].center, real.views[i].u) / (3.2 * 3.2);
  CHECK(rms(without_translation(rest, real)) < 0.15);
}

TEST_CASE("calibrate refuses, in one line, what it cannot do") {
  const TemporaryFolder folder;
  simulate(folder);
  std::filesystem::create_directory(folder / "else");
  const auto refused = [&](std::vector<std::string> arguments, const std::string& why) {
    arguments.insert(arguments.begin(), "calibrate");
    const auto r = run_backlit(folder.path(), arguments);
    INFO(r.err);
    CHECK(r.code == 2);
    CHECK(r.err.find(why) != std::string::npos);
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
  };
  const std::string before = text_of(folder / "fan.scan.toml");
  refused({"fan.scan.toml", "-o", "fan.scan.toml", "-q"}, "fan.scan.toml");
  refused({"fan.scan.toml", "-o", "else/found.scan.toml", "-q"}, "relative to its folder");
  refused({"fan.scan.toml", "-o", "found.mha", "-q"}, ".scan.toml");
  refused({"true.scan.toml", "-q"}, "has no [data]");
  refused({"fan.scan.toml", "--views", "3", "-q"}, "--views");
  refused({"fan.scan.toml", "--align-views", "--align-rounds", "0", "-q"}, "--align-rounds");
  refused({"fan.scan.toml", "--align-rounds", "3", "-q"}, "--align-views");
  refused({"fan.scan.toml", "--known-length", "3", "-q"}, "--measured-length");
  CHECK(text_of(folder / "fan.scan.toml") == before);
}

}  // namespace calibrate_test
