#include "study/cuda/probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cuda/device/cuda_backend.hpp"
#include "cuda/device/layered_textures.hpp"
#include "cuda/device/texture3d.hpp"

namespace backlit::cuda {
namespace {

constexpr int side = 2048, image_size = 512, cube_size = 128, layers = 4;
constexpr double threads = double{side} * side;
constexpr const char *fetches = "G fetches/s", *bytes_a_second = "GB/s", *flops = "GFLOP/s";

struct NamedTexel {
  const char* name;
  Texel texel;
};
constexpr NamedTexel texels[] = {
    {"r32f", Texel::r32f}, {"r16f", Texel::r16f}, {"rgba32f", Texel::rgba32f}, {"rgba16f", Texel::rgba16f}};

using SharedBuffer = std::shared_ptr<DeviceBuffer<float>>;

/// Layers of zeros: the values of texels do not affect the speed of a texture unit.
std::shared_ptr<LayeredTextures> make_image(Stream& stream, Texel texel) {
  const auto image = std::make_shared<LayeredTextures>(image_size, image_size, layers, texel);
  DeviceBuffer<float> zeros(std::int64_t{image_size} * image_size * layers * channels(texel));
  BACKLIT_CUDA(cudaMemsetAsync(zeros.data(), 0, zeros.bytes(), stream));
  image->fill(stream, {zeros.data(), image_size, std::int64_t{image_size} * image_size, nullptr}, 0, layers);
  stream.wait();
  return image;
}

}  // namespace

std::vector<DeviceProbe> CudaProbes::probes(std::int64_t copied_bytes) {
  Stream& stream = backend_.stream();
  std::vector<DeviceProbe> list;
  const auto add = [&](std::string name, const char* unit, double work, std::function<void()> run) {
    list.push_back({std::move(name), "CUDA", unit, 1e-9 * work, std::move(run)});
  };
  const SharedBuffer sums = std::make_shared<DeviceBuffer<float>>(std::int64_t{side} * side);
  for (const NamedTexel& t : texels) {
    const auto image = make_image(stream, t.texel);
    for (const float between : {0.5f, 1.0f, 2.5f}) {
      const std::string step = between > 0.5f ? fmt::format(", step {:g}", between) : "";
      add(fmt::format("bilinear {}{}", t.name, step), fetches, threads * fetches_a_thread,
          [&stream, image, between, sums] {
            probe_bilinear(stream, {image->texture(0), side, image_size, between, sums->data()},
                           channels(image->texel()));
          });
    }
  }
  const auto cube = std::make_shared<Texture3d>(Size3{cube_size, cube_size, cube_size}, false);
  add("trilinear r32f", fetches, threads * fetches_a_thread, [&stream, cube, sums] {
    probe_trilinear(stream, {cube->texture(), side, cube_size, 0.5f, sums->data()});
  });
  add("fma", flops, threads * 16 * fetches_a_thread, [&stream, sums] { probe_fma(stream, side, sums->data()); });
  const std::int64_t values = std::max<std::int64_t>(copied_bytes / 4, 1);
  const auto from = std::make_shared<DeviceBuffer<float>>(values), to = std::make_shared<DeviceBuffer<float>>(values);
  add("copy", bytes_a_second, 8 * static_cast<double>(values), [&stream, from, to] {
    BACKLIT_CUDA(cudaMemcpyAsync(to->data(), from->data(), from->bytes(), cudaMemcpyDeviceToDevice, stream));
  });
  return list;
}

std::vector<std::pair<std::string, std::string>> CudaProbes::facts() {
  backend_.activate();
  Stream& stream = backend_.stream();
  int device = 0;
  BACKLIT_CUDA(cudaGetDevice(&device));
  cudaDeviceProp p{};
  BACKLIT_CUDA(cudaGetDeviceProperties(&p, device));
  int kilohertz = 0, driver = 0, runtime = 0;
  BACKLIT_CUDA(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device));
  BACKLIT_CUDA(cudaDriverGetVersion(&driver));
  BACKLIT_CUDA(cudaRuntimeGetVersion(&runtime));
  DeviceBuffer<long long> counts(2);
  long long counted[2] = {};
  probe_clock(stream, 20'000'000, counts.data());
  BACKLIT_CUDA(cudaMemcpyAsync(counted, counts.data(), sizeof counted, cudaMemcpyDeviceToHost, stream));
  stream.wait();
  const auto version = [](int v) { return fmt::format("{}.{}", v / 1000, v % 1000 / 10); };
  return {{"CUDA device", p.name},
          {"CUDA multiprocessors", std::to_string(p.multiProcessorCount)},
          {"CUDA clock at most", fmt::format("{} MHz", kilohertz / 1000)},
          {"CUDA clock counted",
           fmt::format("{:.0f} MHz", 1e3 * static_cast<double>(counted[0]) / static_cast<double>(counted[1]))},
          {"CUDA memory", fmt::format("{:.1f} GiB", static_cast<double>(p.totalGlobalMem) / (1 << 30))},
          {"CUDA L2 cache", fmt::format("{:.0f} MiB", static_cast<double>(p.l2CacheSize) / (1 << 20))},
          {"CUDA driver", version(driver)},
          {"CUDA runtime", version(runtime)}};
}

}  // namespace backlit::cuda
