// What a user does first: simulate, reconstruct, compare, look.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/render/png.hpp>
#include "support/io/scan_text.hpp"
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using nlohmann::json;

namespace {

/// 72 views of 79 x 61 pixels of 8 mm: the Shepp-Logan head fits, voxels of 4 mm.
void simulate_head(const TemporaryFolder& folder) {
  write_text(folder / "cone.scan.toml", cone_scan_text(79, 71, 8, 72));
  const auto r = run_backlit(folder.path(), {"simulate", "shepp-logan-3d", "--scan", "cone.scan.toml", "-o", "head.npy",
                                             "--truth", "truth.mha", "--grid", "53x57x51", "--voxel", "4"});
  INFO(r.err);
  REQUIRE(r.code == 0);
}

json reconstruct(const TemporaryFolder& folder, const std::string& backend, const std::string& output) {
  const auto r = run_backlit(folder.path(), {"recon", "head.scan.toml", "-o", output, "--backend", backend, "--json"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  return json::parse(r.out);
}

json compare(const TemporaryFolder& folder, const std::string& a, const std::string& b) {
  const auto r = run_backlit(folder.path(), {"compare", a, b, "--json"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  return json::parse(r.out);
}

void check_keys(const json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    INFO(key);
    CHECK(object.contains(key));
  }
}

}  // namespace

TEST_CASE("a simulated head is reconstructed, and both backends agree") {
  const TemporaryFolder folder;
  simulate_head(folder);
  const json cpu = reconstruct(folder, "cpu", "cpu.mha");
  const json gl = reconstruct(folder, "gl", "gl.nrrd");
  for (const json& r : {cpu, gl}) {
    check_keys(r, {"method", "backend", "device", "variant", "views", "size", "voxel_mm", "center_px", "iterations",
                   "residuals", "seconds", "gups", "output"});
    check_keys(r["seconds"], {"read", "preprocess", "upload", "filter", "backproject", "download", "write", "total"});
    CHECK(r["method"] == "fdk");
    CHECK(r["views"] == 72);
    CHECK(r["size"] == json({53, 57, 51}));
    CHECK(r["voxel_mm"] == json({4.0, 4.0, 4.0}));
    CHECK(r["center_px"].get<double>() == Approx(39));
    CHECK(r["seconds"]["total"].get<double>() > 0);
    CHECK(r["gups"].get<double>() > 0);
  }
  CHECK(cpu["backend"] == "cpu");
  CHECK(gl["backend"] == "gl");
  CHECK(gl["output"] == "gl.nrrd");

  const json truth = compare(folder, "cpu.mha", "truth.mha");
  check_keys(truth, {"rmse", "mean_abs", "max_abs", "relative_l2", "psnr_db", "ssim"});
  CHECK(truth["rmse"].get<double>() < 0.010);  // edges of the skull (0.1/mm) in 4 mm voxels
  CHECK(truth["ssim"].get<double>() > 0.8);
  CHECK(compare(folder, "gl.nrrd", "cpu.mha")["relative_l2"].get<double>() < 2e-3);

  const auto some = run_backlit(
      folder.path(), {"compare", "cpu.mha", "truth.mha", "--slices", "20", "21", "--by-slice", "slices.csv", "--json"});
  INFO(some.err);
  REQUIRE(some.code == 0);
  const double both = json::parse(some.out)["rmse"];
  std::ifstream table(folder / "slices.csv");
  std::vector<std::string> lines(3);
  for (std::string& line : lines) std::getline(table, line);
  CHECK(lines[0] == "slice,rmse,mean_abs,max_abs,relative_max,relative_l2,ssim");
  double squares = 0;
  for (const std::string& line : {lines[1], lines[2]})
    squares += std::pow(std::stod(line.substr(line.find(',') + 1)), 2);
  CHECK(lines[1].substr(0, 3) == "20,");
  CHECK(std::sqrt(squares / 2) == Approx(both).epsilon(1e-4));
}

TEST_CASE("noise depends on its seed alone") {
  const TemporaryFolder folder;
  write_text(folder / "cone.scan.toml", cone_scan_text(31, 9, 16, 8));
  const auto simulate = [&](const std::string& output, const std::string& seed) {
    const auto r = run_backlit(folder.path(), {"simulate", "water-cylinder", "--scan", "cone.scan.toml", "-o", output,
                                               "--noise", "1e4", "--electronic", "5", "--seed", seed, "--json"});
    INFO(r.err);
    REQUIRE(r.code == 0);
    CHECK(json::parse(r.out)["output"] == output);
  };
  simulate("a.npy", "7");
  simulate("b.npy", "7");
  simulate("c.npy", "8");
  CHECK(compare(folder, "a.npy", "b.npy")["max_abs"] == 0.0);
  CHECK(compare(folder, "a.npy", "b.npy")["psnr_db"].is_null());
  CHECK(compare(folder, "a.npy", "c.npy")["rmse"].get<double>() > 0.005);
  // A scan file stands for its projections.
  CHECK(compare(folder, "a.scan.toml", "a.npy")["max_abs"] == 0.0);
}

TEST_CASE("projecting a voxelised phantom gives its line integrals") {
  const TemporaryFolder folder;
  simulate_head(folder);
  const auto r =
      run_backlit(folder.path(), {"project", "truth.mha", "--scan", "head.scan.toml", "-o", "again.npy", "--json"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  check_keys(json::parse(r.out), {"backend", "device", "variant", "views", "size", "output"});
  CHECK(compare(folder, "again.npy", "head.npy")["relative_l2"].get<double>() < 0.12);  // partial volume at the skull
}

TEST_CASE("a scan's geometry serves before its projections exist") {
  const TemporaryFolder folder;
  simulate_head(folder);
  const std::string later = "\n[data]\nprojections = \"later.npy\"\n";
  write_text(folder / "plan.scan.toml", cone_scan_text(79, 71, 8, 6) + later);
  const auto run = [&](std::vector<std::string> arguments) { return run_backlit(folder.path(), arguments); };
  CHECK(run({"project", "truth.mha", "--scan", "plan.scan.toml", "-o", "p.npy"}).code == 0);
  CHECK(run({"render", "truth.mha", "--mode", "drr", "--scan", "plan.scan.toml", "--from-view", "1", "-o", "p.png"})
            .code == 0);
  const auto early = run({"recon", "plan.scan.toml", "-o", "v.mha"});
  CHECK(early.code == 2);
  CHECK_THAT(early.err, Catch::Contains("[data] projections: ") && Catch::Contains("later.npy"));
  // What is simulated under the name that the plan gives completes it.
  CHECK(run({"simulate", "shepp-logan-3d", "--scan", "plan.scan.toml", "-o", "later.npy"}).code == 0);
  CHECK(run({"recon", "plan.scan.toml", "-o", "v.mha", "--grid", "16"}).code == 0);
}

TEST_CASE("pictures have the sizes that were asked for") {
  const TemporaryFolder folder;
  simulate_head(folder);
  const auto render = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "render");
    arguments.insert(arguments.end(), {"-o", "p.png", "--json"});
    const auto r = run_backlit(folder.path(), arguments);
    INFO(r.err);
    REQUIRE(r.code == 0);
    const Image image = load_png(folder / "p.png");
    CHECK(json::parse(r.out)["size"] == json({image.width, image.height}));
    return image;
  };
  Image image = render({"truth.mha"});
  CHECK(image.width == 53);
  CHECK(image.height == 57);
  image = render({"truth.mha", "--mode", "mip", "--axis", "x", "--size", "114"});
  CHECK(image.width == 114);
  CHECK(image.height == 102);
  CHECK(render({"truth.mha", "--position", "12.5", "--window", "0,0.05", "--annotate"}).height > 57);
  image = render({"head.scan.toml", "--view", "3"});
  CHECK(image.width == 79);
  CHECK(image.height == 71);
  image = render({"truth.mha", "--mode", "sheet", "--truth", "truth.mha", "--narrow", "0.01,0.03", "--title", "Head"});
  CHECK(image.width > 4 * 200);
}

TEST_CASE("info tells what files hold") {
  const TemporaryFolder folder;
  simulate_head(folder);
  const auto info = [&](const std::string& name) {
    const auto r = run_backlit(folder.path(), {"info", name, "--json"});
    INFO(r.err);
    REQUIRE(r.code == 0);
    const json object = json::parse(r.out);
    check_keys(object, {"kind", "size", "type", "min", "max", "mean"});
    return object;
  };
  const json volume = info("truth.mha");
  CHECK(volume["kind"] == "volume");
  CHECK(volume["size"] == json({53, 57, 51}));
  CHECK(volume["spacing_mm"] == json({4.0, 4.0, 4.0}));
  CHECK(volume["max"].get<double>() == Approx(0.1).epsilon(0.01));
  const json scan = info("head.scan.toml");
  CHECK(scan["kind"] == "scan");
  CHECK(scan["views"] == 72);
  CHECK(scan["magnification"].get<double>() == Approx(2));
  CHECK(scan["voxel_at_axis_mm"].get<double>() == Approx(4));
  CHECK(run_backlit(folder.path(), {"info", "head.scan.toml"}).out.find("magnification") != std::string::npos);
}

TEST_CASE("info of raised rays measures along them") {
  const TemporaryFolder folder;
  const auto info = [&](const std::string& trajectory) {
    write_text(folder / "s.scan.toml",
               "[detector]\ncolumns = 64\nrows = 64\npixel_mm = 0.5\noffset_px = [5.0, 9.0]\n"
               "[trajectory]\nviews = 20\n" +
                   trajectory);
    const auto r = run_backlit(folder.path(), {"info", "s.scan.toml", "--json"});
    INFO(r.err);
    REQUIRE(r.code == 0);
    return json::parse(r.out);
  };
  const std::string distances = "source_to_axis_mm = 300\nsource_to_detector_mm = 600\n";
  for (const std::string kind : {"kind = \"circular\"\n", "kind = \"laminographic\"\nelevation_deg = 30\n"}) {
    const json scan = info(kind + distances);
    CHECK(scan["source_to_axis_mm"].get<double>() == Approx(300).epsilon(1e-3));
    CHECK(scan["magnification"].get<double>() == Approx(2).epsilon(1e-3));
    CHECK(scan["voxel_at_axis_mm"].get<double>() == Approx(0.25).epsilon(1e-3));
  }
  const json parallel = info("kind = \"laminographic\"\nelevation_deg = 30\n");
  CHECK(parallel["magnification"] == 1.0);
  CHECK(parallel["voxel_at_axis_mm"] == 0.5);
}

TEST_CASE("every method runs on the backend that is chosen by default, which is named") {
  const TemporaryFolder folder;
  write_text(folder / "cone.scan.toml", cone_scan_text(21, 9, 16, 12));
  REQUIRE(run_backlit(folder.path(), {"simulate", "water-cylinder", "--scan", "cone.scan.toml", "-o", "s.npy"}).code ==
          0);
  for (const std::string method : {"fdk", "ifdk", "sirt", "sart", "ossart", "cgls", "mlem", "osem"}) {
    std::vector<std::string> arguments{"recon", "s.scan.toml", "-o", "v.mha", "--method", method, "--json"};
    if (method != "fdk") arguments.insert(arguments.end(), {"--iterations", "1"});
    const auto r = run_backlit(folder.path(), arguments);
    INFO(method << ": " << r.err);
    REQUIRE(r.code == 0);
    CHECK_FALSE(json::parse(r.out)["backend"].get<std::string>().empty());
  }
}
