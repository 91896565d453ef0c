// A peer, when `plastimatch` is installed: the rays of the views we read must measure what it measured, and its images
// become what it projected.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <backlit/io/scans/geometry_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "support/io/real_data.hpp"
#include "support/skip.hpp"

using namespace backlit;

namespace {

bool run(const std::string& command) { return std::system((command + " > /dev/null 2>&1").c_str()) == 0; }

/// mm of the ray inside the sphere.
double chord(const Vec3& origin, const Vec3& direction, const Vec3& center, double radius) {
  const double miss = glm::length(glm::cross(direction, center - origin));
  return miss < radius ? 2 * std::sqrt(radius * radius - miss * miss) : 0;
}

/// A folder in which plastimatch has projected a sphere of 30 mm about (20, -30, 10): p_0000.pfm and p_0000.txt, ...
struct Projected : test::Scratch {
  Projected(int views, int spacing_deg, const std::string& pixels, const std::string& voxels) {
    const std::string at = "cd '" + path().string() + "' && plastimatch ";
    made = run(at + "synth --pattern sphere --center '20 -30 10' --radius '30 30 30' " + voxels +
               " --background 0 --foreground 1000 --output v.mha") &&
           run(at + "drr -a " + std::to_string(views) + " -N " + std::to_string(spacing_deg) + " " + pixels +
               " --sad 1000 --sid 1500 -P none -i exact -t pfm -O p_ v.mha");
  }
  bool made = false;
};

}  // namespace

TEST_CASE("plastimatch's view files give the rays of its images") {
  if (!run("which plastimatch")) BACKLIT_SKIP("plastimatch is not installed");
  const Projected folder(5, 72, "-r '96 72' -z '288 288'", "--dim '80 80 80' --spacing '2 2 2' --origin '-79 -79 -79'");
  REQUIRE(folder.made);
  Detector d;
  d.columns = 96;
  d.rows = 72;
  d.pixel_u = 3;
  d.pixel_v = 4;
  const auto views = read_geometry(folder / "p_*.txt", d);
  REQUIRE(views.size() == 5);
  const auto stack = open_stack((folder / "p_*.pfm").string());
  REQUIRE(stack->info().images == 5);
  const HostArray<float> images = stack->read_all();
  for (std::size_t i = 0; i < views.size(); ++i) {
    CHECK(glm::length(views[i].u) == Approx(3).epsilon(1e-6));
    CHECK(glm::length(views[i].v) == Approx(4).epsilon(1e-6));
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
        const double theirs = static_cast<double>(images[static_cast<std::int64_t>(i) * d.pixels() + p]);
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
}

TEST_CASE("plastimatch's projections of a sphere become the sphere, through a scan file") {
  if (!run("which plastimatch")) BACKLIT_SKIP("plastimatch is not installed");
  const Projected folder(120, 3, "-r '128 128' -z '400 400'",
                         "--dim '128 128 128' --spacing '1 1 1' --origin '-43.5 -93.5 -53.5'");
  REQUIRE(folder.made);
  const std::filesystem::path file = folder / "p.scan.toml";
  test::write_bytes(file,
                    "[detector]\npixel_mm = 3.125\n[trajectory]\ngeometry = 'p_*.txt'\n"
                    "[data]\nprojections = 'p_*.pfm'\nscale = 10  # it integrates in cm\n");
  const VolumeGrid grid{{47, 45, 49}, Vec3(2), Vec3(21.3, -29.1, 9.6)};
  for (const char* backend : {"cpu", "gl"}) {
    INFO(backend);
    const ScanFile scan = load_scan(file);
    REQUIRE(scan.scan.view_count() == 120);
    const Volume v = test::fdk(scan.projections, grid, backend);
    Vec3 center(0);
    double mass = 0, inside = 0, count = 0;
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const Vec3 p =
          grid.voxel_center(static_cast<double>(i % grid.size[0]), static_cast<double>(i / grid.size[0] % grid.size[1]),
                            static_cast<double>(i / (grid.size[0] * grid.size[1])));
      const double value = std::clamp(static_cast<double>(v.values[i]), 0.0, 1000.0);
      if (value > 250) center += value * p, mass += value;
      if (glm::distance(p, Vec3(20, -30, 10)) < 24) inside += static_cast<double>(v.values[i]), ++count;
    }
    center /= mass;
    CAPTURE(center.x, center.y, center.z, inside / count);
    CHECK(glm::distance(center, Vec3(20, -30, 10)) < 0.1);
    CHECK(inside / count == Approx(1000).epsilon(0.01));
  }
}
