// Pictures that a camera takes, from the command line.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/colormap.hpp>
#include <backlit/render/png.hpp>
#include <backlit/render/value_classes.hpp>
#include "support/io/scan_text.hpp"
#include "support/program.hpp"
#include "support/render_scene.hpp"

using namespace backlit;
using namespace backlit::test;
using Json = nlohmann::json;

namespace {

struct Folder : TemporaryFolder {
  Folder() { save_volume(blobs({33, 29, 25}), *this / "v.mha"); }

  Json render(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"render", "v.mha"});
    arguments.insert(arguments.end(), {"--json"});
    const auto r = run_backlit(path(), arguments);
    INFO(r.err);
    REQUIRE(r.code == 0);
    return Json::parse(r.out);
  }

  void refused(std::vector<std::string> arguments, const std::string& text) const {
    arguments.insert(arguments.begin(), {"render", "v.mha", "-o", "no.png"});
    const auto before = files();
    const auto r = run_backlit(path(), arguments);
    CHECK(r.code == 2);
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
    CHECK_THAT(r.err, Catch::Contains(text));
    CHECK(files() == before);
  }
};

std::int64_t different(const Image& a, const Image& b, int tolerance) {
  REQUIRE(a.pixels.size() == b.pixels.size());
  std::int64_t n = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    n += std::max({std::abs(a.pixels[i].r - b.pixels[i].r), std::abs(a.pixels[i].g - b.pixels[i].g),
                   std::abs(a.pixels[i].b - b.pixels[i].b)}) > tolerance;
  return n;
}

std::int64_t colours_of(const Image& image) {
  std::vector<int> all;
  for (const Rgb& p : image.pixels) all.push_back(p.r << 16 | p.g << 8 | p.b);
  std::sort(all.begin(), all.end());
  return std::unique(all.begin(), all.end()) - all.begin();
}

}  // namespace

TEST_CASE("every mode makes a picture with nothing but its name, the same on the device and in software") {
  const Folder folder;
  for (const std::string mode : {"mip", "average", "drr", "iso", "dvr"}) {
    INFO(mode);
    std::vector<std::string> arguments{"--mode", mode, "--size", "64", "--antialias", "1", "-o", "gl.png"};
    CHECK(folder.render(arguments)["size"] == Json({64, 64}));
    arguments.back() = "cpu.png";
    arguments.insert(arguments.end(), {"--backend", "cpu"});
    CHECK(folder.render(arguments)["device"] == "cpu, double precision");
    const Image gl = load_png(folder / "gl.png");
    CHECK(colours_of(gl) > 20);
    CHECK(different(gl, load_png(folder / "cpu.png"), 6) < 10);
  }
}

TEST_CASE("defaults are chosen from the values, and what is chosen is told") {
  const Folder folder;
  CHECK(folder.render({"--mode", "dvr", "--size", "32", "-o", "a.png"})["transfer"] == "auto");
  // By the values, whatever water's is.
  CHECK(folder.render({"--mode", "dvr", "--size", "32", "-o", "b.png", "--water", "0.8"})["transfer"] == "auto");
  CHECK(different(load_png(folder / "a.png"), load_png(folder / "b.png"), 0) == 0);
  const Volume volume = blobs({33, 29, 25});
  CHECK(folder.render({"--mode", "iso", "--size", "32", "-o", "a.png"})["iso"].get<double>() ==
        Approx(fitting_iso(classes_of(volume.values.span()))).epsilon(1e-4));
  const Json mip = folder.render({"--mode", "mip", "--size", "32", "-o", "a.png", "--window", "0.1,0.8"});
  CHECK(mip["window"] == Json({0.1, 0.8}));
}

TEST_CASE("turntables are animated PNG files or sequences, and the first frame is the single picture") {
  const Folder folder;
  const std::vector<std::string> look{"--mode", "mip", "--size", "40", "--window", "0,1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), look.begin(), look.end());
    return folder.render(more);
  };
  with({"-o", "one.png"});
  with({"-o", "quarter.png", "--azimuth", "30"});
  CHECK(with({"-o", "turn.png", "--frames", "4"})["frames"] == 4);
  CHECK(load_png(folder / "turn.png").pixels == load_png(folder / "one.png").pixels);
  std::ifstream file(folder / "turn.png", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto count = [&](const std::string& chunk) {
    int n = 0;
    for (std::size_t at = bytes.find(chunk); at != std::string::npos; at = bytes.find(chunk, at + 4)) ++n;
    return n;
  };
  CHECK(count("acTL") == 1);
  CHECK(count("fcTL") == 4);
  CHECK(count("fdAT") == 3);
  with({"-o", "f_###.png", "--frames", "4"});
  CHECK(load_png(folder / "f_000.png").pixels == load_png(folder / "one.png").pixels);
  CHECK(load_png(folder / "f_001.png").pixels == load_png(folder / "quarter.png").pixels);
  CHECK(std::filesystem::exists(folder / "f_003.png"));
}

TEST_CASE("a camera at a view's source sees the view") {
  const Folder folder;
  write_text(folder / "cone.scan.toml", cone_scan_text(41, 33, 3, 6));
  const auto r = run_backlit(folder.path(), {"project", "v.mha", "--scan", "cone.scan.toml", "-o", "p.npy"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const Json drr = folder.render({"--mode", "drr", "--scan", "cone.scan.toml", "--from-view", "2", "--antialias", "1",
                                  "--window", "0,12", "-o", "drr.png"});
  CHECK(drr["size"] == Json({41, 33}));
  write_text(folder / "p.scan.toml", cone_scan_text(41, 33, 3, 6) + "[data]\nprojections = \"p.npy\"\n");
  const auto view = run_backlit(
      folder.path(), {"render", "p.scan.toml", "--view", "2", "--window", "0,12", "-o", "view.png", "--quiet"});
  INFO(view.err);
  REQUIRE(view.code == 0);
  CHECK(colours_of(load_png(folder / "view.png")) > 20);
  CHECK(different(load_png(folder / "drr.png"), load_png(folder / "view.png"), 2) == 0);
}

TEST_CASE("what a camera cannot do is said in a line") {
  const Folder folder;
  folder.refused({"--mode", "dvr", "--transfer", "chalk"}, "transfer function: 'chalk' is neither");
  folder.refused({"--mode", "iso", "--iso", "x"}, "--iso: 'x' is not 1 number; give a value of the volume");
  folder.refused({"--mode", "iso", "--iso", "nan"}, "--iso: 'nan' is not 1 number");
  folder.refused({"--mode", "mip", "--crop", "1,2,3"},
                 "--crop: '1,2,3' is not 6 numbers; give X0,Y0,Z0,X1,Y1,Z1 in mm");
  folder.refused({"--mode", "mip", "--crop", "1,2,3,4,5,6,"}, "--crop: '1,2,3,4,5,6,' is not 6 numbers");
  folder.refused({"--mode", "mip", "--crop", "1,2,3,0,5,6"}, "crop: 1 to 0 mm along x is empty");
  folder.refused({"--mode", "mip", "--clip", "0,0,0,0,0,0"}, "clip: a plane without a direction");
  folder.refused({"--mode", "mip", "--elevation", "100"}, "camera: elevation 100; give -90 to 90");
  folder.refused({"--mode", "mip", "--from-view", "0"},
                 "--from-view: a volume has no views; name the scan with --scan");
  folder.refused({"--mode", "mip", "--frames", "0"}, "--frames: 0; give 1 to 100000");
  folder.refused({"--mode", "mip", "--background", "red"}, "--background: 'red' is not a colour; give #rrggbb");
  folder.refused({"--mode", "mip", "--antialias", "9"}, "--antialias: 9; give 1 to 4");
  folder.refused({"--mode", "mip", "--backend", "cuda"}, "--backend: ");
  folder.refused({"--mode", "dvr", "--annotate"}, "--annotate: iso and dvr have no colour bar");
  folder.refused({"--azimuth", "3"}, "they belong to a camera; add --mode mip, average, drr, iso, dvr or d2vr");
}
