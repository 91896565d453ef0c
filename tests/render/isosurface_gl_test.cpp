// Surfaces made on OpenGL are the host's: the same triangles in the same order, their vertices numbered otherwise.
#include "render/gl/isosurface.hpp"

#include <backlit/core/error.hpp>
#include <backlit/render/isosurface.hpp>
#include "support/gl/gl_support.hpp"

namespace backlit::gl {
namespace {

constexpr std::uint32_t none = 0xffffffff;
constexpr std::int64_t one_layer = 1, some_layers = 4096, all_layers = isosurface_buffer_bytes;  ///< buffers

/// Requires that vertices and triangles correspond one to one; so a mesh is closed where the host's is.
void require_same(const Mesh& mesh, const Mesh& host) {
  REQUIRE(mesh.vertices.size() == host.vertices.size());
  REQUIRE(mesh.triangles.size() == host.triangles.size());
  std::vector<std::uint32_t> of_host(mesh.vertices.size(), none);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t n = 0; n < 3; ++n) {
      const std::uint32_t vertex = mesh.triangles[t][n];
      REQUIRE(vertex < of_host.size());
      if (of_host[vertex] == none) of_host[vertex] = host.triangles[t][n];
      REQUIRE(of_host[vertex] == host.triangles[t][n]);
    }
  for (std::size_t v = 0; v < of_host.size(); ++v) {
    REQUIRE(of_host[v] != none);
    const glm::vec3 expected = host.vertices[of_host[v]];
    for (int i = 0; i < 3; ++i) REQUIRE(mesh.vertices[v][i] == Approx(expected[i]).epsilon(1.2e-7).margin(1e-12));
  }
}

void require_hosts(GlBackend& backend, const Volume& volume, double value) {
  const Mesh host = backlit::isosurface(volume, value);
  for (const std::int64_t bytes : {one_layer, some_layers, all_layers}) {
    INFO("value " << value << ", buffers of " << bytes << " bytes");
    require_same(isosurface(backend, volume, value, {}, bytes), host);
  }
  backend.context().check();
}

Volume noise(const Size3& size, unsigned seed) {
  const VolumeGrid grid{size, {0.4, 0.45, 0.5}, {100.3, -20, 3}};
  Volume volume(grid);
  std::ranges::copy(random_values(grid.voxels(), seed), volume.values.span().begin());
  return volume;
}

}  // namespace

TEST_CASE("A sphere's surface on OpenGL is the host's, whichever slabs it is made of") {
  GlBackend backend(test_context());
  const VolumeGrid grid{{31, 27, 23}, {0.4, 0.45, 0.5}, {1, -2, 3}};
  Volume volume(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        volume.at(i, j, k) =
            static_cast<float>(2 - glm::length(grid.voxel_center(double(i), double(j), double(k)) - grid.center) / 4);
  require_hosts(backend, volume, 1);
  require_hosts(backend, volume, 0.2);  // the grid's faces cut it
}

TEST_CASE("Surfaces of noise on OpenGL are the host's, in grids of any shape") {
  GlBackend backend(test_context());
  for (const Size3& size : {Size3{13, 9, 11}, Size3{63, 5, 3}, Size3{64, 3, 5}, Size3{131, 2, 7}, Size3{1, 1, 1},
                            Size3{1, 17, 1}, Size3{3, 1, 19}}) {
    INFO(size[0] << " x " << size[1] << " x " << size[2]);
    const Volume volume = noise(size, 7);
    const float largest = *std::ranges::max_element(volume.values.span());
    for (const double share : {0.0, 0.2, 0.5, 0.8}) require_hosts(backend, volume, share * largest);
  }
  const Volume many_rows = noise({1, 200, 200}, 9);  // more than one line of work groups
  require_same(isosurface(backend, many_rows, 0.5, {}), backlit::isosurface(many_rows, 0.5));
}

TEST_CASE("Voxels that equal the value are outside on OpenGL, too") {
  GlBackend backend(test_context());
  Volume volume = noise({21, 13, 9}, 3);
  for (float& v : volume.values.span()) v = std::floor(3 * v);
  require_hosts(backend, volume, 1);
  require_hosts(backend, volume, 0);
  // The nearest floats lie above 0.1 and 0.3, and below 0.7.
  for (const double value : {0.1, 0.3, 0.7}) {
    for (float& v : volume.values.span()) v = v == 0 ? 0 : static_cast<float>(value);
    volume.at(10, 6, 4) = 2;
    require_hosts(backend, volume, value);
  }
}

TEST_CASE("Surfaces that OpenGL cannot make are refused") {
  GlBackend backend(test_context());
  const Volume volume = noise({13, 9, 11}, 5);
  CHECK_THROWS_AS(isosurface(backend, volume, 2, {}), InputError);
  CHECK_THROWS_WITH(isosurface(backend, volume, 2, {}), Catch::Contains("no voxel is larger than 2"));
  Limits small = query_limits();
  small.storage_block_bytes = 3 * 13 * 9 * 4 - 1;
  backend.context().mask(small);
  CHECK_THROWS_AS(backlit::isosurface(backend, volume, 0.5), Unsupported);
  small.storage_block_bytes += 1;
  backend.context().mask(small);
  require_same(backlit::isosurface(backend, volume, 0.5), backlit::isosurface(volume, 0.5));
  backend.context().mask(query_limits());
}

}  // namespace backlit::gl
