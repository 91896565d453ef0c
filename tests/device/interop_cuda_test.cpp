// OpenGL's textures and buffers mapped into CUDA, and volumes shown without a copy through the host.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>

#include <backlit/core/half.hpp>
#include "cuda/interop/shared_gl.hpp"
#include "cuda/interop/shared_volume.hpp"
#include "device/gl/gl_display_volume.hpp"
#include "gl/beside_cuda.hpp"

// After GLEW, which will not have OpenGL's own header before it.
#include <cuda_gl_interop.h>

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

/// What is written to stderr while it lives.
class StderrToFile {
 public:
  StderrToFile() : file_(std::tmpfile()), kept_(::dup(2)) {
    std::fflush(stderr);
    ::dup2(::fileno(file_), 2);
  }
  ~StderrToFile() {
    std::fflush(stderr);
    ::dup2(kept_, 2);
    ::close(kept_);
    std::fclose(file_);
  }
  StderrToFile(const StderrToFile&) = delete;
  StderrToFile& operator=(const StderrToFile&) = delete;
  std::string text() const {
    std::fflush(stderr);
    std::string all(4096, '\0');
    const ssize_t size = ::pread(::fileno(file_), all.data(), all.size(), 0);
    all.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return all;
  }

 private:
  std::FILE* file_;
  int kept_;
};

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

TEST_CASE("programs run OpenGL on the device that CUDA runs on") {
  BACKLIT_REQUIRE_CUDA(backend);
  BACKLIT_REQUIRE_SHARED_CONTEXT(context);
  const auto renders_beside_cuda = [] {
    unsigned count = 0;
    int devices[8] = {-1};
    BACKLIT_CUDA(cudaGLGetDevices(&count, devices, 8, cudaGLDeviceListAll));
    return std::find(devices, devices + count, 0) != devices + count;
  };
  const auto gl = make_backend("gl");
  gl->activate();
  gl->finish();  // its context is current
  CHECK(renders_beside_cuda());
  const auto preferred = gl::create_beside_cuda(0);
  CHECK(renders_beside_cuda());
  CHECK(preferred->renderer() == context->renderer());
}

TEST_CASE("volumes go through the host when sharing has failed, which is said once") {
  BACKLIT_REQUIRE_CUDA(backend);
  BACKLIT_REQUIRE_SHARED_CONTEXT(context);
  /// Registered, but cannot be written.
  struct Unwritable final : cuda::SharedTexture {
    explicit Unwritable(const gl::Texture& texture) : SharedTexture(texture, GL_TEXTURE_2D_ARRAY) {}
    void write(cudaStream_t, const void*) override { throw Failure("interop", "no way to write"); }
  };
  const VolumeGrid grid{{21, 13, 9}, {1, 1, 1}, {0, 0, 0}};
  const ArrayPtr array = backend->make_array(shape_of(grid));
  for (const bool registers : {false, true}) {
    int attempts = 0;
    cuda::register_shared_volumes([&](const gl::Texture& texture) -> std::unique_ptr<cuda::SharedTexture> {
      ++attempts;
      if (!registers) throw Failure("interop", "no way to share");
      return std::make_unique<Unwritable>(texture);
    });
    gl::GlDisplayVolume display(context, GL_R32F);
    const StderrToFile said;
    for (int generation = 0; generation < 3; ++generation) {
      std::vector<float> values(static_cast<std::size_t>(grid.voxels()));
      std::iota(values.begin(), values.end(), 10.0f * static_cast<float>(generation));
      backend->upload(values, *array);
      display.publish(*array, grid);
      std::vector<float> shown(values.size());
      glPixelStorei(GL_PACK_ALIGNMENT, 4);
      glGetTextureImage(display.front().values->id(), 0, GL_RED, GL_FLOAT,
                        static_cast<GLsizei>(shown.size() * sizeof(float)), shown.data());
      CHECK(shown == values);
    }
    CHECK(attempts == 1);
    const std::string reason = registers ? "no way to write" : "no way to share";
    CHECK(said.text() ==
          "backlit: textures cannot be shared with OpenGL, volumes go through the host: interop: " + reason + "\n");
  }
  cuda::register_shared_volumes();
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
