// OpenGL's textures and buffers mapped into CUDA, and volumes shown without a copy through the host.
#include <catch2/catch.hpp>

#include <cstring>
#include <numeric>

#include "backend/gl/gl_display_volume.hpp"
#include "core/half.hpp"
#include "gl/context.hpp"
#include "interop/shared_gl.hpp"
#include "support/cuda.hpp"

using namespace backlit;

namespace {

/// OpenGL on the GPU that is CUDA device 0, or null with the reason.
std::shared_ptr<gl::Context> context_of_cuda(std::string& reason) {
  gl::ContextOptions options;
  options.cuda_device = 0;
  try {
    return gl::Context::create(options);
  } catch (const Error& error) {
    reason = error.what();
    return nullptr;
  }
}

#define BACKLIT_REQUIRE_SHARED_CONTEXT(context)         \
  std::string context_reason;                           \
  const auto context = context_of_cuda(context_reason); \
  if (!context) BACKLIT_SKIP(context_reason)

struct Format {
  GLenum format, channels, type;
  std::size_t bytes;
};

std::vector<std::byte> pattern(std::size_t bytes, int seed) {
  std::vector<std::byte> values(bytes);
  // Bits of small finite floats and halves: drivers may change those of NaNs.
  for (std::size_t i = 0; i < bytes; ++i)
    values[i] = static_cast<std::byte>((i * 7 + static_cast<std::size_t>(seed)) % 59);
  return values;
}

}  // namespace

TEST_CASE("CUDA reads and writes OpenGL's textures of every kind and format") {
  BACKLIT_REQUIRE_CUDA(backend);
  BACKLIT_REQUIRE_SHARED_CONTEXT(context);
  INFO(context->renderer());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (const Format& f : {Format{GL_R32F, GL_RED, GL_FLOAT, 4}, Format{GL_R16F, GL_RED, GL_HALF_FLOAT, 2},
                          Format{GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8}, Format{GL_RGBA32F, GL_RGBA, GL_FLOAT, 16}})
    for (const GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY}) {
      INFO("format " << f.format << ", target " << target);
      const GLsizei w = 37, h = 21, d = target == GL_TEXTURE_2D ? 1 : 5;
      const gl::Texture texture("shared", target, f.format, w, h, d);
      const auto put = [&](const std::vector<std::byte>& texels) {
        if (target == GL_TEXTURE_2D)
          glTextureSubImage2D(texture.id(), 0, 0, 0, w, h, f.channels, f.type, texels.data());
        else
          glTextureSubImage3D(texture.id(), 0, 0, 0, 0, w, h, d, f.channels, f.type, texels.data());
      };
      const auto first = pattern(static_cast<std::size_t>(w * h * d) * f.bytes, 1), second = pattern(first.size(), 5);
      put(first);
      std::vector<std::byte> seen(first.size());
      try {
        cuda::SharedTexture shared(texture, target);
        cuda::Stream stream;
        shared.read(stream, seen.data());
        stream.wait();
        CHECK(seen == first);
        shared.write(stream, second.data());
        stream.wait();
      } catch (const Failure& failure) {
        FAIL_CHECK(failure.what());
        continue;
      }
      std::vector<std::byte> back(first.size());
      glGetTextureImage(texture.id(), 0, f.channels, f.type, static_cast<GLsizei>(back.size()), back.data());
      CHECK(back == second);
      context->check();
    }
}

TEST_CASE("CUDA reads and writes OpenGL's buffers") {
  BACKLIT_REQUIRE_CUDA(backend);
  BACKLIT_REQUIRE_SHARED_CONTEXT(context);
  const auto first = pattern(100003, 2), second = pattern(100003, 9);
  gl::Buffer buffer("shared", static_cast<std::int64_t>(first.size()), first.data());
  cuda::SharedBuffer shared(buffer);
  cuda::Stream stream;
  std::vector<std::byte> seen(first.size());
  shared.with_memory(stream, [&](std::span<std::byte> memory) {
    REQUIRE(memory.size() >= first.size());
    BACKLIT_CUDA(cudaMemcpyAsync(seen.data(), memory.data(), seen.size(), cudaMemcpyDeviceToHost, stream));
    BACKLIT_CUDA(cudaMemcpyAsync(memory.data(), second.data(), seen.size(), cudaMemcpyHostToDevice, stream));
  });
  stream.wait();
  CHECK(seen == first);
  buffer.read(seen);
  CHECK(seen == second);
}

TEST_CASE("volumes of CUDA are shown in OpenGL's textures") {
  BACKLIT_REQUIRE_CUDA(backend);
  BACKLIT_REQUIRE_SHARED_CONTEXT(context);
  const VolumeGrid grid{{45, 31, 27}, {1, 1, 1}, {0, 0, 0}};
  std::vector<float> values(static_cast<std::size_t>(grid.voxels()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.001f * static_cast<float>(i % 9973) - 3;
  const ArrayPtr array = backend->make_array(shape_of(grid));
  for (const GLenum format : {GL_R32F, GL_R16F}) {
    gl::GlDisplayVolume display(context, format);
    for (int generation = 1; generation < 4; ++generation) {
      for (float& v : values) v += 1;
      backend->upload(values, *array);
      display.publish(*array, grid);
      CHECK(display.generation() == generation);
      const auto front = display.front();
      REQUIRE(front.values);
      std::vector<float> shown(values.size());
      glPixelStorei(GL_PACK_ALIGNMENT, 4);
      glGetTextureImage(front.values->id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(shown.size() * sizeof(float)),
                        shown.data());
      float worst = 0;
      for (std::size_t i = 0; i < values.size(); ++i)
        worst = std::max(
            worst, std::abs(shown[i] - (format == GL_R16F ? float_from_half(half_from_float(values[i])) : values[i])));
      CHECK(worst <= (format == GL_R16F ? 0.01f : 0.0f));  // drivers cut halves off where they should round
      // Bricks are made from what is shown: 3 x 2 x 2 of them, the first over the first 17 voxels each way.
      std::vector<float> ranges(3 * 2 * 2 * 2);
      glGetTextureImage(front.bricks->id(), 0, GL_RG, GL_FLOAT, static_cast<GLsizei>(ranges.size() * sizeof(float)),
                        ranges.data());
      float low = 1e30f, high = -1e30f;
      for (std::size_t z = 0; z < 17; ++z)
        for (std::size_t y = 0; y < 17; ++y)
          for (std::size_t x = 0; x < 17; ++x) {
            low = std::min(low, shown[(z * 31 + y) * 45 + x]);
            high = std::max(high, shown[(z * 31 + y) * 45 + x]);
          }
      CHECK(ranges[0] == low);
      CHECK(ranges[1] == high);
    }
  }
}
