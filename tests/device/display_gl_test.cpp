#include <algorithm>

#include <backlit/core/error.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "device/gl/gl_display_volume.hpp"
#include "support/gl/gl_support.hpp"

using Catch::Matchers::Contains;

namespace backlit::gl {
namespace {

std::vector<float> texels(const Texture& t, GLenum format, int channels) {
  std::vector<float> v(static_cast<std::size_t>(t.width() * t.height() * t.depth() * channels));
  glGetTextureImage(t.id(), 0, format, GL_FLOAT, static_cast<GLsizei>(v.size() * sizeof(float)), v.data());
  return v;
}

TEST_CASE("A published volume is what renderers see, with the range of every brick") {
  const auto context = test_context();
  Limits few = context->limits();
  few.array_layers = 8;  // so that the array is split and the 3-D texture is not
  context->mask(few);
  GlBackend backend(context);
  const VolumeGrid grid{{19, 9, 21}, {1, 2, 3}, {0, 0, 5}};
  const auto values = random_values(grid.voxels(), 21, -1);
  const auto array = backend.make_array(shape_of(grid));
  backend.upload(values, *array);
  GlDisplayVolume display(context);
  CHECK(display.front().values == nullptr);
  CHECK(display.grid().voxels() == 0);
  display.publish(*array, grid);
  const auto front = display.front();
  REQUIRE(front.values);
  front.ready->wait();
  CHECK(front.generation == 1);
  CHECK(display.grid() == grid);
  CHECK(texels(*front.values, GL_RED, 1) == values);
  const auto bricks = texels(*front.bricks, GL_RG, 2);
  REQUIRE(brick_size == 16);
  REQUIRE(bricks.size() == 2 * 1 * 2 * 2);
  const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return values[static_cast<std::size_t>((z * 9 + y) * 19 + x)];
  };
  for (std::int64_t b = 0; b < 4; ++b) {
    const std::int64_t bx = b % 2 * 16, by = 0, bz = b / 2 * 16;
    float least = 2, most = -2;
    for (std::int64_t z = bz; z <= std::min<std::int64_t>(bz + 16, 20); ++z)
      for (std::int64_t y = by; y <= std::min<std::int64_t>(by + 16, 8); ++y)
        for (std::int64_t x = bx; x <= std::min<std::int64_t>(bx + 16, 18); ++x) {
          least = std::min(least, at(x, y, z));
          most = std::max(most, at(x, y, z));
        }
    CHECK(bricks[static_cast<std::size_t>(2 * b)] == least);
    CHECK(bricks[static_cast<std::size_t>(2 * b + 1)] == most);
  }
  context->check();
}

TEST_CASE("What is shown stays until the next publish, also when the size changes") {
  const auto context = test_context();
  GlBackend backend(context);
  GlDisplayVolume display(context, GL_R16F);
  const VolumeGrid small{{3, 4, 5}, {1, 1, 1}, {}}, large{{6, 5, 4}, {1, 1, 1}, {}};
  const auto a = backend.make_array(shape_of(small)), b = backend.make_array(shape_of(large));
  backend.fill(*a, 1);
  backend.fill(*b, 2);
  display.publish(*a, small);
  backend.fill(*a, 7);
  CHECK(texels(*display.front().values, GL_RED, 1) == std::vector<float>(60, 1));
  display.publish(*b, large);
  CHECK(texels(*display.front().values, GL_RED, 1) == std::vector<float>(120, 2));
  CHECK(display.generation() == 2);
  CHECK_THROWS_WITH(display.publish(*a, large), Contains("another shape"));
  CHECK(display.generation() == 2);
  context->check();
}

TEST_CASE("A volume larger than a 3-D texture may be is held as overlapping tiles") {
  const auto context = test_context();
  GlBackend backend(context);
  Limits low = context->limits();
  low.texture_3d_size = 14;  // 6 voxels of its own a tile
  low.array_layers = 5;
  context->mask(low);
  const VolumeGrid grid{{19, 9, 15}, {1, 1, 1}, {}};
  const auto values = random_values(grid.voxels(), 3);
  const auto array = backend.make_array(shape_of(grid));
  backend.upload(values, *array);
  GlDisplayVolume display(context);
  display.publish(*array, grid);
  const auto front = display.front();
  REQUIRE(front.tiles->size() == 4 * 1 * 3);
  CHECK(front.values == nullptr);
  std::vector<int> owners(values.size());
  for (const auto& tile : *front.tiles) {
    const auto held = texels(tile.values, GL_RED, 1);
    const std::int64_t w = tile.values.width(), h = tile.values.height(), d = tile.values.depth();
    CHECK(std::max({w, h, d}) <= 14);
    std::int64_t wrong = 0;
    for (std::int64_t z = 0; z < d; ++z)
      for (std::int64_t y = 0; y < h; ++y)
        for (std::int64_t x = 0; x < w; ++x) {
          const Size3 p{tile.origin[0] + x, tile.origin[1] + y, tile.origin[2] + z};
          const auto i = static_cast<std::size_t>((p[2] * 9 + p[1]) * 19 + p[0]);
          wrong += held[static_cast<std::size_t>((z * h + y) * w + x)] != values[i];
          bool own = true;
          for (std::size_t a = 0; a < 3; ++a) own = own && p[a] >= tile.first[a] && p[a] < tile.first[a] + tile.size[a];
          owners[i] += own;
        }
    CHECK(wrong == 0);
  }
  CHECK(std::ranges::count(owners, 1) == grid.voxels());
  context->check();
}

}  // namespace
}  // namespace backlit::gl
