// A peer's own projections, when `plastimatch` is installed: the rays of the views we read must measure what it
// measured.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "io/geometry_file.hpp"
#include "support/damage.hpp"
#include "support/skip.hpp"

using namespace backlit;

namespace {

bool run(const std::string& command) { return std::system((command + " > /dev/null 2>&1").c_str()) == 0; }

/// mm of the ray inside the sphere.
double chord(const Vec3& origin, const Vec3& direction, const Vec3& center, double radius) {
  const double miss = glm::length(glm::cross(direction, center - origin));
  return miss < radius ? 2 * std::sqrt(radius * radius - miss * miss) : 0;
}

/// The pixels of a little-endian PFM, in the order of the file.
std::vector<float> read_pfm(const std::filesystem::path& file, const Detector& d) {
  const std::string bytes = test::file_bytes(file);
  std::vector<float> pixels(static_cast<std::size_t>(d.pixels()));
  REQUIRE(bytes.size() > 4 * pixels.size());
  std::memcpy(pixels.data(), bytes.data() + bytes.size() - 4 * pixels.size(), 4 * pixels.size());
  return pixels;
}

}  // namespace

TEST_CASE("plastimatch's view files give the rays of its images") {
  if (!run("which plastimatch")) BACKLIT_SKIP("plastimatch is not installed");
  const auto folder =
      std::filesystem::temp_directory_path() / ("backlit_peer_" + std::to_string(std::random_device{}()));
  std::filesystem::create_directories(folder);
  const std::string at = "cd '" + folder.string() + "' && plastimatch ";
  REQUIRE(run(at + "synth --pattern sphere --center '20 -30 10' --radius '30 30 30' --dim '80 80 80' --spacing '2 2 2'"
                   " --origin '-79 -79 -79' --background 0 --foreground 1000 --output v.mha"));
  REQUIRE(run(at + "drr -a 5 -N 72 -r '96 72' -z '288 288' --sad 1000 --sid 1500 -P none -i exact -t pfm -O p_ v.mha"));
  Detector d;
  d.columns = 96;
  d.rows = 72;
  d.pixel_u = 3;
  d.pixel_v = 4;
  const auto views = read_geometry(folder / "p_*.txt", d);
  REQUIRE(views.size() == 5);
  std::vector<std::vector<float>> images;
  for (std::size_t i = 0; i < views.size(); ++i) {
    CHECK(glm::length(views[i].u) == Approx(3).epsilon(1e-6));
    CHECK(glm::length(views[i].v) == Approx(4).epsilon(1e-6));
    images.push_back(read_pfm(folder / ("p_000" + std::to_string(i) + ".pfm"), d));
  }
  // Relative difference when our rays end a fraction of a pixel aside.
  const auto error = [&](double aside, double above) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < views.size(); ++i)
      for (std::int64_t p = 0; p < d.pixels(); ++p) {
        const double column = static_cast<double>(p % d.columns) + aside,
                     row = static_cast<double>(p / d.columns) + above;
        const Vec3 ray = ray_direction(d, views[i], column, row);
        const double ours = 1000 * 0.1 * chord(views[i].source, ray, {20, -30, 10}, 30);  // it integrates in cm
        const double theirs = static_cast<double>(images[i][static_cast<std::size_t>(p)]);
        difference += (ours - theirs) * (ours - theirs);
        size += ours * ours;
      }
    return std::sqrt(difference / size);
  };
  // Its sphere is made of 2 mm voxels, hence the difference; it is smallest where our rays are.
  const double here = error(0, 0);
  CHECK(here < 0.06);
  for (double shift : {-0.25, 0.25}) {
    CHECK(here < error(shift, 0));
    CHECK(here < error(0, shift));
  }
  std::filesystem::remove_all(folder);
}
