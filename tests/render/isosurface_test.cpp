// Surfaces of volumes: closed whatever the values, and as large as what they are of.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/io/mesh_file.hpp>
#include <backlit/render/isosurface.hpp>
#include "support/io/damage.hpp"
#include "support/scratch.hpp"

namespace backlit {
namespace {

/// Whether each edge is used as often one way as the other.
bool is_closed(const Mesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> used;
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) ++used[{t[i], t[(i + 1) % 3]}];
  for (const auto& [edge, times] : used) {
    const auto back = used.find({edge.second, edge.first});
    if (back == used.end() || back->second != times) return false;
  }
  return true;
}

Volume made_of(const VolumeGrid& grid, auto&& f) {
  Volume volume(grid, HostArray<float>(grid.voxels()));
  std::int64_t n = 0;
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        volume.values[n++] = static_cast<float>(f(grid.voxel_center(double(i), double(j), double(k))));
  return volume;
}

}  // namespace

TEST_CASE("The surface of a sphere has its area and volume, and faces outwards", "[isosurface]") {
  const VolumeGrid grid{{61, 55, 47}, {0.4, 0.45, 0.5}, {1, -2, 3}};
  const Vec3 middle(1.3, -1.8, 3.1);
  const double radius = 8;
  const Volume volume = made_of(grid, [&](const Vec3& p) { return 2 - glm::length(p - middle) / radius; });
  const Mesh mesh = isosurface(volume, 1);
  CHECK(is_closed(mesh));
  CHECK(mesh.area() == Approx(4 * pi * radius * radius).epsilon(2e-3));
  CHECK(mesh.volume() == Approx(4.0 / 3 * pi * std::pow(radius, 3)).epsilon(2e-3));
  for (const auto& v : mesh.vertices) CHECK(std::abs(glm::length(Vec3(v) - middle) - radius) < 0.02);
}

TEST_CASE("Surfaces of noise are closed, and so are those that reach the end of the grid", "[isosurface]") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  const VolumeGrid grid{{13, 9, 11}, {1, 1, 1}, {0, 0, 0}};
  for (const double value : {0.2, 0.5, 0.8}) {
    const Mesh mesh = isosurface(made_of(grid, [&](const Vec3&) { return uniform(random); }), value);
    CHECK(is_closed(mesh));
    CHECK(mesh.volume() > 0);
  }
  // A grid that is full: a box with its edges cut.
  const Mesh box = isosurface(made_of(grid, [](const Vec3&) { return 1.0; }), 0.5);
  CHECK(is_closed(box));
  CHECK(box.volume() < 13 * 9 * 11);
  CHECK(box.volume() > 0.9 * 13 * 9 * 11);
  CHECK_THROWS_AS(isosurface(made_of(grid, [](const Vec3&) { return 1.0; }), 2), InputError);
}

TEST_CASE("STL and PLY hold the surface", "[isosurface]") {
  const test::Scratch scratch;
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  CHECK(mesh.volume() == Approx(1));
  save_mesh(mesh, scratch / "a.stl");
  const std::string stl = test::file_bytes(scratch / "a.stl");
  REQUIRE(stl.size() == 84 + 4 * 50);
  CHECK_FALSE(stl.starts_with("solid"));  // that would be the text form
  std::uint32_t count = 0;
  std::memcpy(&count, stl.data() + 80, 4);
  CHECK(count == 4);
  float facet[12];
  std::memcpy(facet, stl.data() + 84, sizeof facet);
  CHECK(facet[2] == -1);  // the first faces down
  CHECK((facet[6] == 0 && facet[7] == 2));
  save_mesh(mesh, scratch / "a.ply");
  const std::string ply = test::file_bytes(scratch / "a.ply");
  const std::size_t body = ply.find("end_header\n") + 11;
  CHECK(ply.find("element vertex 4\n") != std::string::npos);
  CHECK(ply.find("element face 4\n") != std::string::npos);
  REQUIRE(ply.size() == body + 4 * 12 + 4 * 13);
  CHECK(ply[body + 48] == 3);
  CHECK_THROWS_AS(save_mesh(mesh, scratch / "a.obj"), InputError);
}

}  // namespace backlit
