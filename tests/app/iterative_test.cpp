// Iterative reconstruction from the command line: histories, masks, initial volumes, stopping and going on.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/png.hpp>
#include "support/io/scan_text.hpp"
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using nlohmann::json;

namespace {

void simulate_small_head(const TemporaryFolder& folder) {
  write_text(folder / "cone.scan.toml", cone_scan_text(33, 25, 18, 15));
  const auto r =
      run_backlit(folder.path(), {"simulate", "shepp-logan-3d", "--scan", "cone.scan.toml", "-o", "head.npy"});
  INFO(r.err);
  REQUIRE(r.code == 0);
}

ProgramResult recon(const TemporaryFolder& folder, std::vector<std::string> more, const std::string& backend = "cpu") {
  std::vector<std::string> arguments{"recon", "head.scan.toml", "--backend", backend, "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_backlit(folder.path(), arguments);
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("the residual of each iteration is written as a table and drawn") {
  const TemporaryFolder folder;
  simulate_small_head(folder);
  const auto r = recon(folder, {"-o", "v.mha", "--method", "cgls", "--iterations", "4", "--residuals", "history.csv",
                                "--residuals", "history.png", "--mask", "cylinder"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json result = json::parse(r.out);
  std::string expected = "iteration,residual\n";
  for (int i = 0; i < 4; ++i) expected += fmt::format("{},{}\n", i + 1, result["residuals"][i].get<double>());
  CHECK(text_of(folder / "history.csv") == expected);
  const Image plot = load_png(folder / "history.png");
  CHECK(plot.width == 720);
  CHECK(plot.at(0, 0) == Rgb{255, 255, 255});
  CHECK(load_volume(folder / "v.mha").at(0, 0, 3) == 0);  // outside the cylinder
  // Projections and backprojections are within what iterating takes.
  const double updates =
      4.0 * result["views"].get<double>() * static_cast<double>(load_volume(folder / "v.mha").grid.voxels());
  CHECK(result["gups"].get<double>() ==
        Approx(updates / result["seconds"]["iterate"].get<double>() / 1e9).epsilon(1e-3));
}

TEST_CASE("a run goes on from its checkpoint to the same volume, byte for byte") {
  const TemporaryFolder folder;
  simulate_small_head(folder);
  REQUIRE(recon(folder, {"-o", "whole.mha", "--method", "fista", "--iterations", "5", "--subsets", "3"}).code == 0);
  REQUIRE(recon(folder, {"-o", "half.mha", "--method", "fista", "--iterations", "3", "--subsets", "3", "--checkpoint",
                         "state", "--checkpoint-every", "2"})
              .code == 0);
  const auto r = recon(folder, {"-o", "resumed.mha", "--method", "fista", "--iterations", "5", "--subsets", "3",
                                "--checkpoint", "state", "--resume", "state"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  CHECK(json::parse(r.out)["iterations"] == 5);
  CHECK(text_of(folder / "resumed.mha") == text_of(folder / "whole.mha"));
  CHECK(text_of(folder / "resumed.mha") != text_of(folder / "half.mha"));

  const auto other = recon(folder, {"-o", "x.mha", "--method", "sirt", "--resume", "state"});
  CHECK(other.code == 2);
  CHECK(other.err ==
        "backlit: state: method was fista in the run that wrote it and is sirt now; resume with the same scan and "
        "options\n");
  CHECK_FALSE(std::filesystem::exists(folder / "x.mha"));
}

TEST_CASE("iterations start from a volume that is named and stop at the residual asked for") {
  const TemporaryFolder folder;
  simulate_small_head(folder);
  REQUIRE(recon(folder, {"-o", "a.mha", "--method", "sirt", "--iterations", "5"}).code == 0);
  const auto r = recon(folder, {"-o", "b.mha", "--method", "sirt", "--iterations", "50", "--initial", "a.mha",
                                "--stop-residual", "0.2"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json result = json::parse(r.out);
  CHECK(result["residuals"][0].get<double>() < 0.5);
  CHECK(result["residuals"].back().get<double>() <= 0.2);
  CHECK(result["iterations"].get<int>() < 50);
  CHECK_THAT(result["stopped_by"].get<std::string>(), Catch::EndsWith("of the data, no more than 0.2"));
}

TEST_CASE("every pass on OpenGL is timed when asked for") {
  const TemporaryFolder folder;
  simulate_small_head(folder);
  const auto r = recon(folder, {"-o", "v.mha", "--method", "sart", "--iterations", "1", "--timings"}, "gl");
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json passes = json::parse(r.out)["passes"];
  CHECK(passes["dot"]["calls"].get<int>() >= 15);
  double seconds = 0;
  for (const json& pass : passes) seconds += pass["seconds"].get<double>();
  CHECK(seconds > 0);
}

TEST_CASE("penalised least squares take subsets, and what goes with them alone") {
  const TemporaryFolder folder;
  simulate_small_head(folder);
  const std::vector<std::string> common{"-o",           "v.mha",     "--method", "pwls",         "--weights",
                                        "transmission", "--penalty", "tv",       "--iterations", "3"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return recon(folder, more);
  };
  const auto r = with({"--subsets", "3", "--subset-order", "golden", "--relaxation-decay", "0.2", "--nonnegative"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json residuals = json::parse(r.out)["residuals"];
  REQUIRE(residuals.size() == 3);
  CHECK(residuals[2].get<double>() < 0.7 * residuals[0].get<double>());
  const auto refused = with({"--subsets", "1", "--relaxation-decay", "0.2"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Catch::Contains("--relaxation-decay: needs --subsets > 1 with --method pwls"));
}

TEST_CASE("files of an iterative run are checked before the work") {
  const TemporaryFolder folder;
  simulate_small_head(folder);
  REQUIRE(recon(folder, {"-o", "a.mha", "--method", "sirt", "--iterations", "1"}).code == 0);
  const auto refuses = [&](std::vector<std::string> arguments, const std::string& text) {
    const auto r = recon(folder, std::move(arguments));
    CHECK(r.code == 2);
    CHECK_THAT(r.err, Catch::Contains(text));
    CHECK_FALSE(std::filesystem::exists(folder / "x.mha"));
  };
  refuses({"-o", "a.mha", "--method", "sirt", "--initial", "a.mha"}, "a.mha: would overwrite an input");
  refuses({"-o", "x.mha", "--method", "sirt", "--checkpoint", "head.npy"}, "head.npy: would overwrite an input");
  refuses({"-o", "x.mha", "--method", "sirt", "--mask", "none.mha"}, "none.mha: does not exist");
  refuses({"-o", "x.mha", "--method", "sirt", "--resume", "a.mha"}, "a.mha: is no checkpoint");
  refuses({"-o", "x.mha", "--method", "sirt", "--residuals", "r.pdf"}, "r.pdf: its extension is not a known format");
  refuses({"-o", "x.mha", "--method", "sirt", "--checkpoint", "nowhere/state"}, "nowhere/state: its folder does not");
  refuses({"-o", "x.mha", "--residuals", "r.csv"}, "residuals: fdk has no iterations");
  refuses({"-o", "x.mha", "--method", "sirt", "--mask", "a.mha", "--grid", "9"}, "a.mha: has 32 x 32 x");
}

TEST_CASE("Methods with total variation tell what they took from the data, and take it from the user") {
  const TemporaryFolder folder;
  simulate_small_head(folder);
  for (const std::string method : {"tv", "pdhg", "asdpocs"}) {
    INFO(method);
    const auto r = recon(folder, {"-o", "v.mha", "--method", method, "--iterations", "2", "--noise", "0.01"});
    INFO(r.err);
    REQUIRE(r.code == 0);
    const json chosen = json::parse(r.out)["chosen"];
    CHECK(chosen["noise"] == 0.01);
    CHECK(chosen["subsets"] >= 1);
    CHECK(chosen.contains("lambda") == (method != "asdpocs"));
  }
  const auto r = recon(folder, {"-o", "v.mha", "--method", "pdhg", "--form", "constrained", "--subsets", "2"});
  CHECK(r.code == 2);
  CHECK_THAT(r.err, Catch::Contains("--subsets: needs --form penalized with --method pdhg"));
}
