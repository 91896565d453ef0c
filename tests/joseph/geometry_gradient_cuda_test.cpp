// Derivatives by the geometry on the device against those on the CPU.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include <backlit/cuda.hpp>
#include <backlit/projectors/joseph/geometry_gradient.hpp>
#include "cuda/device/check.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/upload.hpp"
#include "support/cuda.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;

namespace geometry_gradient_cuda_test {
namespace {

template <class T>
std::vector<T> random_values(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& v : values) v = static_cast<T>(uniform(random));
  return values;
}

template <class T>
cuda::DeviceBuffer<T> on_device(const std::vector<T>& values) {
  cuda::DeviceBuffer<T> there(std::ssize(values));
  cuda::upload(there.data(), values.data(), there.bytes());
  return there;
}

/// The numbers of all views, found twice: the second call adds to the first.
template <class T>
std::vector<double> twice_on_device(Backend& backend, const test::CtCase& c, const std::vector<T>& volume,
                                    const std::vector<T>& weights) {
  const auto type = sizeof(T) == 8 ? CudaMemory::Type::f64 : CudaMemory::Type::f32;
  auto x = on_device(volume), w = on_device(weights);
  auto found = on_device(std::vector<double>(12 * c.scan.views.size()));
  CudaGeometryGradient gradient(backend, c.grid, c.scan.view_count());
  gradient.place(c.scan);
  for (int call = 0; call < 2; ++call) gradient.add({x.data(), type}, {w.data(), type}, found.data());
  backend.finish();
  std::vector<double> numbers(12 * c.scan.views.size());
  BACKLIT_CUDA(cudaMemcpy(numbers.data(), found.data(), found.bytes(), cudaMemcpyDeviceToHost));
  return numbers;
}

template <class T>
void check_equal(Backend& backend, const test::CtCase& c) {
  const auto volume = random_values<T>(c.grid.voxels(), 1);
  const auto weights = random_values<T>(c.scan.view_count() * c.scan.detector.pixels(), 2);
  const std::vector<double> wide(weights.begin(), weights.end());
  std::vector<double> expected;
  for (const ViewGradient& g : geometry_gradient(c.grid, c.scan, volume.data(), wide.data()))
    for (const Vec3& a : {g.source, g.center, g.u, g.v})
      for (int i = 0; i < 3; ++i) expected.push_back(2 * a[i]);
  CHECK(test::relative_l2(twice_on_device(backend, c, volume, weights), expected) < 1e-9);
}

}  // namespace

TEST_CASE("the derivative by a view's twelve numbers on CUDA is the CPU's", "[joseph]") {
  BACKLIT_REQUIRE_CUDA(backend);
  for (const test::CtCase& c : test::ct_cases()) {
    if (c.scan.detector.shape == Detector::Shape::curved) continue;
    INFO(c.name);
    check_equal<float>(*backend, c);
    check_equal<double>(*backend, c);
  }
}

TEST_CASE("derivatives on CUDA of curved detectors, and on another backend, are refused", "[joseph]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  for (const test::CtCase& c : test::ct_cases())
    if (c.scan.detector.shape == Detector::Shape::curved)
      CHECK_THROWS_WITH(CudaGeometryGradient(*backend, c.grid, 1).place(c.scan), Catch::Contains("curved"));
  const test::CtCase c = test::ct_cases().front();
  CHECK_THROWS_WITH(CudaGeometryGradient(*cpu, c.grid, 1), Catch::Contains("cpu"));
}

}  // namespace geometry_gradient_cuda_test
