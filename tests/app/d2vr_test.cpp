// Pictures straight from the projections of a scan, from the command line.
#include <catch2/catch.hpp>

#include <cmath>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/render/png.hpp>
#include "support/io/scan_text.hpp"
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using Json = nlohmann::json;

namespace d2vr_test {
namespace {

/// Two balls in a region of 32 x 32 x 24 mm, 40 views of 48 x 40 pixels.
struct Folder : TemporaryFolder {
  Folder() {
    write_text(*this / "balls.phantom.toml",
               "name = 'balls'\n[[body]]\nshape = 'sphere'\ncenter = [-4, 2, 1]\nradius = 6\nvalue = 1.0\n"
               "[[body]]\nshape = 'sphere'\ncenter = [6, -3, -2]\nradius = 4\nvalue = 0.8\n");
    write_text(*this / "cone.scan.toml",
               cone_scan_text(48, 40, 2, 40) + "[volume]\nsize = [32, 32, 24]\nvoxel_mm = 1.0\n");
    run({"simulate", "balls.phantom.toml", "--scan", "cone.scan.toml", "-o", "s.npy"});
  }

  Json run(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const auto r = run_backlit(path(), arguments);
    INFO(r.err);
    REQUIRE(r.code == 0);
    return Json::parse(r.out);
  }

  Json d2vr(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"render", "s.scan.toml", "--mode", "d2vr", "--size", "48", "--antialias", "1"});
    return run(arguments);
  }

  void refused(std::vector<std::string> arguments, const std::string& text) const {
    arguments.insert(arguments.begin(), {"render", "s.scan.toml", "-o", "no.png"});
    const auto before = files();
    const auto r = run_backlit(path(), arguments);
    CHECK(r.code == 2);
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
    CHECK_THAT(r.err, Catch::Contains(text));
    CHECK(files() == before);
  }

  Image load(const char* name) const { return load_png(*this / name); }
};

/// R.m.s. difference of two pictures' levels, of 255.
double difference(const Image& a, const Image& b) {
  REQUIRE(a.pixels.size() == b.pixels.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    sum += std::pow(a.pixels[i].r - b.pixels[i].r, 2) + std::pow(a.pixels[i].g - b.pixels[i].g, 2) +
           std::pow(a.pixels[i].b - b.pixels[i].b, 2);
  return std::sqrt(sum / (3 * static_cast<double>(a.pixels.size())));
}

std::int64_t lit_pixels(const Image& image) {
  return std::count_if(image.pixels.begin(), image.pixels.end(), [](const Rgb& p) { return p.r + p.g + p.b > 60; });
}

}  // namespace

TEST_CASE("render --mode d2vr shows in each style what rendering the reconstructed volume shows") {
  const Folder folder;
  folder.run({"recon", "s.scan.toml", "-o", "v.mha", "--backend", "gl", "--voxel", "0.5"});
  const auto volume = [&](const std::string& mode, std::vector<std::string> more) {
    more.insert(more.begin(), {"render", "v.mha", "--mode", mode, "--size", "48", "--antialias", "1", "-o", "v.png"});
    folder.run(more);
  };
  const std::vector<std::vector<std::string>> looks{
      {"mip", "mip", "--window", "0,1"},
      {"drr", "drr", "--window", "0,10"},
      {"direct", "dvr", "--transfer", "bone", "--water", "0.5", "--unshaded"},
      {"iso", "iso", "--iso", "0.5"}};
  for (const auto& look : looks) {
    INFO(look[0]);
    std::vector<std::string> more(look.begin() + 2, look.end());
    volume(look[1], more);
    more.insert(more.begin(), {"--style", look[0], "-o", "d.png"});
    const Json said = folder.d2vr(more);
    CHECK(said["mode"] == "d2vr");
    CHECK(said["style"] == look[0]);
    CHECK(said["size"] == Json({48, 48}));
    CHECK(lit_pixels(folder.load("d.png")) > 100);
    CHECK(difference(folder.load("d.png"), folder.load("v.png")) < (look[0] == "iso" ? 8 : 4));
  }
}

TEST_CASE("D2VR takes the camera, the cuts and the turntables that volumes take") {
  const Folder folder;
  const auto lit = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--iso", "0.5", "-o", "a.png"});
    folder.d2vr(more);
    return lit_pixels(folder.load("a.png"));
  };
  const auto whole = lit({});
  CHECK(lit({"--clip", "-4,0,0,1,0,0"}) < whole - 30);
  CHECK(lit({"--crop", "0,-20,-20,20,20,20"}) < whole - 30);
  // The small ball alone, in the middle of the picture and filling it.
  CHECK(lit({"--look-at", "6,-3,-2", "--zoom", "8", "--fov", "0"}) > 48 * 48 * 9 / 10);
  CHECK(lit({"--look-at", "0,30,0", "--zoom", "8", "--fov", "0"}) == 0);
  CHECK(folder.d2vr({"--frames", "3", "-o", "turn.png"})["frames"] == 3);
  CHECK(folder.d2vr({"--style", "drr", "--from-view", "5", "-o", "view.png"})["size"] == Json({48, 40}));
}

TEST_CASE("what D2VR cannot do is said in a line") {
  const Folder folder;
  folder.refused({"--mode", "d2vr", "--backend", "cpu"}, "--backend: only gl renders from projections; leave it out");
  folder.refused({"--mode", "d2vr", "--style", "foggy"}, "--style");
  folder.refused({"--mode", "mip"}, "--mode: 'mip' needs a volume, and s.scan.toml is a scan; reconstruct it first");
  folder.refused({"--style", "mip"}, "--style: it belongs to rendering from projections; add --mode d2vr");
  folder.refused({"--mode", "d2vr", "--look-at", "3"}, "--look-at: '3' is not understood; give it like 10,-2.5,0 (mm)");
  folder.refused({"--mode", "d2vr", "--look-at", "1,2,inf"}, "--look-at: '1,2,inf' is not a point");
  folder.refused({"--mode", "d2vr", "--look-at", "1,2,3", "--from-view", "0"},
                 "--look-at: --from-view already sets the direction; keep one of them");
  folder.refused({"--mode", "d2vr", "--from-view", "40"}, "--from-view: 40 of 40 views; views are counted from 0");
  write_text(folder / "empty.scan.toml", cone_scan_text(48, 40, 2, 40));
  const auto r = run_backlit(folder.path(), {"render", "empty.scan.toml", "--mode", "d2vr", "-o", "no.png"});
  CHECK(r.code == 2);
  CHECK_THAT(r.err, Catch::Contains("has no [data]; name the projections there"));
}

}  // namespace d2vr_test
