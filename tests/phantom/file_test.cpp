// The text format: what its keys do, what is said about mistakes, and damaged files.
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <backlit/core/error.hpp>
#include <backlit/phantom/phantom.hpp>
#include "support/io/damage.hpp"

using namespace backlit;
namespace fs = std::filesystem;

namespace {

/// A folder that goes away again.
struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("backlit-phantom-test-{}", ::getpid());
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
  Phantom load(const std::string& text) const { return load_phantom(write("a.phantom.toml", text)); }
  /// What is said about the file, without its folder.
  std::string complaint(const std::string& text) const {
    try {
      load(text);
    } catch (const InputError& e) {
      const std::string what = e.what();
      return what.starts_with(path.string()) ? what.substr(path.string().size() + 1) : what;
    }
    return "nothing";
  }
};

const std::string good = R"(# every key there is
name = "All"
scale = 10
value_scale = 0.02
include = "b.phantom.toml"

[[body]]
name = "shell"
shape = "cylinder"
radius = [8, 6]
length = 20
angles = [10, 20, 30]
value = 1

[[body]]
shape = "cone"
radius = 2
length = 3
top = 0.25
axis = [0, 1, 1]
x_axis = [1, 0, 0]
within = ["shell"]
value = -0.5

[[body]]
shape = "sphere"
radius = 0.5
at = [[1, 0, 0], [-1, 0, 0]]
count = 3
step = [0, 0, 2]
clip = [{ point = [0, 0, 3], normal = [0, 0, 2] }]
value = 0.25

[[body]]
shape = "ellipsoid"
half = [1, 2, 3]
value = 0.1

[[body]]
shape = "box"
size = [1, 2, 3]
center = [3, 3, 3]
value = 0.1

[[body]]
shape = "gaussian"
sigma = 0.5
value = 0.1
)";

const std::string ball = "[[body]]\nshape = \"sphere\"\nradius = 1\nvalue = 1\n";

}  // namespace

TEST_CASE("every key of a phantom file does what its name says") {
  const Folder folder;
  folder.write("b.phantom.toml", "scale = 2\n" + ball);
  const Phantom phantom = folder.load(good);
  CHECK(phantom.name == "All");
  REQUIRE(phantom.bodies.size() == 1 + 2 + 6 + 3);
  CHECK(phantom.bodies[0].half == Vec3(2));  // the included file has scales of its own
  CHECK(phantom.bodies[0].value == 1);
  const Body& shell = phantom.bodies[1];
  CHECK(shell.shape == Body::Shape::cylinder);
  CHECK(shell.half == Vec3(80, 60, 100));
  CHECK(shell.value == Approx(0.02));
  const Body& cone = phantom.bodies[2];
  CHECK(cone.top == 0.25);
  CHECK(glm::length(cone.axes[2] - glm::normalize(Vec3(0, 1, 1))) < 1e-12);
  CHECK(cone.within.at(0).half == shell.half);
  for (const Body& body : {shell, cone}) {
    CHECK(glm::length(body.axes[0] * body.axes - Vec3(1, 0, 0)) < 1e-12);
    CHECK(glm::determinant(body.axes) == Approx(1));
  }
  CHECK(phantom.bodies[5].center == Vec3(10, 0, 40));
  CHECK(phantom.bodies[6].center == Vec3(-10, 0, 0));
  CHECK(phantom.bodies[6].clips.at(0).point == Vec3(0, 0, 30));
  CHECK(phantom.bodies[6].clips.at(0).normal == Vec3(0, 0, 1));
  CHECK(phantom.bodies[10].half == Vec3(5, 10, 15));
  CHECK(phantom.bodies[11].half == Vec3(5));
}

TEST_CASE("angles turn about x, then y, then z, counterclockwise") {
  const Folder folder;
  const auto axes = [&](const char* angles) {
    return folder.load(fmt::format("{}angles = {}\n", ball, angles)).bodies[0].axes;
  };
  CHECK(glm::length(axes("[0, 0, 90]")[0] - Vec3(0, 1, 0)) < 1e-12);
  CHECK(glm::length(axes("[90, 0, 0]")[1] - Vec3(0, 0, 1)) < 1e-12);
  CHECK(glm::length(axes("[0, 90, 0]")[2] - Vec3(1, 0, 0)) < 1e-12);
  CHECK(glm::length(axes("[90, 0, 90]")[1] - Vec3(0, 0, 1)) < 1e-12);
  CHECK(glm::length(axes("[90, 0, 90]")[2] - Vec3(1, 0, 0)) < 1e-12);
}

TEST_CASE("mistakes in a phantom file are named with file, body and key") {
  const Folder folder;
  const auto says = [&](const std::string& text) { return folder.complaint(text); };
  const std::string file = "a.phantom.toml";
  CHECK(says("") == file + ": no bodies; add a [[body]]");
  CHECK(says("scale = 0\n" + ball) == file + ": scale: 0 is not positive");
  CHECK(says("colour = 1\n" + ball) == file + ": colour: is not a known key here; see assets/phantoms/README.md");
  CHECK(says("body = 3") == file + ": body: is not a list of tables");
  CHECK(says("[[body]]\nvalue = 1") ==
        file + ": body 1: shape: is missing; choose one of sphere, ellipsoid, cylinder, cone, box, gaussian");
  CHECK(says("[[body]]\nname = \"skull\"\nshape = \"egg\"") ==
        file +
            ": body 1 (skull): shape: unknown shape 'egg'; choose one of sphere, ellipsoid, cylinder, cone, box, "
            "gaussian");
  CHECK(says("[[body]]\nshape = \"sphere\"\nvalue = 1") == file + ": body 1: radius: is missing");
  CHECK(says("[[body]]\nshape = \"sphere\"\nradius = -2\nvalue = 1") == file + ": body 1: radius: -2 is not positive");
  CHECK(says("[[body]]\nshape = \"sphere\"\nradius = \"2\"\nvalue = 1") == file + ": body 1: radius: is not a number");
  CHECK(says("[[body]]\nshape = \"sphere\"\nradius = nan\nvalue = 1") ==
        file + ": body 1: radius: nan is out of range");
  CHECK(says("[[body]]\nshape = \"sphere\"\nradius = 1") == file + ": body 1: value: is missing");
  CHECK(says("[[body]]\nshape = \"box\"\nsize = [1, 2]\nvalue = 1") == file + ": body 1: size: has 2 numbers; give 3");
  CHECK(says(ball + "center = [1, 2]") == file + ": body 1: center: is not a list of three numbers; write [x, y, z]");
  CHECK(says(ball + "center = [1, 2, 3]\nat = [[1, 2, 3]]") ==
        file + ": body 1: at: and center are both given; keep one");
  CHECK(says(ball + "at = []") == file + ": body 1: at: is not a list of points; write [[x, y, z], ...]");
  CHECK(says(ball + "count = 3") == file + ": body 1: step: is missing; count needs it");
  CHECK(says(ball + "count = 1000000000000\nstep = [1, 0, 0]") ==
        file + ": body 1: count: is not a whole number from 1 to 100000");
  CHECK(says(ball + "count = 90000\nstep = [1, 0, 0]\nat = [[0, 0, 0], [1, 1, 1]]") ==
        file + ": body 1: count: makes more than 100000 bodies");
  CHECK(says(ball + "axis = [0, 0, 0]") == file + ": body 1: axis: has no length");
  CHECK(says(ball + "axis = [0, 0, 1]\nx_axis = [0, 0, 2]") == file + ": body 1: x_axis: is parallel to axis");
  CHECK(says(ball + "axis = [0, 0, 1]\nangles = [0, 0, 2]") ==
        file + ": body 1: angles: and axis are both given; keep one");
  CHECK(says(ball + "clip = [{ point = [0, 0, 0] }]") == file + ": body 1: clip 1: normal: is missing");
  CHECK(says(ball + "within = [\"skull\"]") ==
        file + ": body 1: within: there is no body 'skull' above; name one that comes earlier");
  CHECK(says(ball + "length = 3") == file + ": body 1: length: is not a known key here; see assets/phantoms/README.md");
  CHECK(says("[[body]]\nshape = \"gaussian\"\nsigma = 1\nvalue = 1\nclip = [{ point = [0,0,0], normal = [1,0,0] }]") ==
        file + ": body 1: shape: a gaussian cannot be clipped; drop clip and within");
  CHECK(says("include = \"no.toml\"\n" + ball).starts_with(file + ": include: there is no file "));
  CHECK(says("include = \"a.phantom.toml\"\n" + ball) == file + ": include: files include each other too deeply");
  CHECK(says("name = \"a\nscale = 1\n").starts_with(file + ":1: "));

  std::string nested = "[[body]]\nname = \"0\"\nshape = \"sphere\"\nradius = 1\nvalue = 1\n";
  for (int i = 1; i < 40; ++i)
    nested += fmt::format(
        "[[body]]\nname = \"{0}\"\nshape = \"sphere\"\nradius = 1\nvalue = 1\nwithin = [\"{1}\", "
        "\"{1}\"]\n",
        i, i - 1);
  CHECK(says(nested) == file + ": body 7 (6): within: adds up to more than 64 bodies");

  CHECK_THROWS_WITH(load_phantom("no-such"),
                    Catch::StartsWith("no-such: no such phantom; give a .phantom.toml file or one "
                                      "of ") &&
                        Catch::Contains("forbild-head") && Catch::Contains("water-cylinder"));
}

TEST_CASE("damaged phantom files end in an error or a phantom") {
  const Folder folder;
  folder.write("b.phantom.toml", ball);
  const fs::path file = folder.write("good.phantom.toml", good);
  const int refused = test::read_damaged(
      file, folder.path / "bad.phantom.toml",
      [](const fs::path& victim) {
        const Phantom phantom = load_phantom(victim.string());
        CHECK(std::isfinite(line_integral(phantom, {-500, 1, 2}, {1, 0, 0}, 0, 1000)));
      },
      120);
  CHECK(refused > 40);
}
