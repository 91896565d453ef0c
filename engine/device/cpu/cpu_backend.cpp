#include "device/cpu/cpu_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include "device/array_rows.hpp"

namespace backlit {
namespace {

void require_equal(const DeviceArray& x, const DeviceArray& y) {
  if (x.shape() != y.shape()) throw Failure("cpu backend", "arrays of different shapes cannot be combined");
}

void require_count(std::size_t host, const DeviceArray& array) {
  if (static_cast<std::int64_t>(host) != array.count())
    throw Failure("cpu backend", fmt::format("{} host values for an array of {}", host, array.count()));
}

/// f(y_i) for all values.
template <class F>
void each(DeviceArray& y, F&& f) {
  double* b = cpu_values(y);
  parallel_chunks(y.count(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) f(b[i]);
  });
}

/// f(x_i, y_i) for all values.
template <class F>
void each(const DeviceArray& x, DeviceArray& y, F&& f) {
  require_equal(x, y);
  const double* a = cpu_values(x);
  double* b = cpu_values(y);
  parallel_chunks(y.count(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) f(a[i], b[i]);
  });
}

/// The larger value; not a number when either is, so that errors show.
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

}  // namespace

std::string CpuBackend::device() const {
  return fmt::format("{} CPU threads", std::max(1u, std::thread::hardware_concurrency()));
}

Capabilities CpuBackend::capabilities() const { return {.memory_bytes = memory_bytes_, .reproducible = true}; }

ArrayPtr CpuBackend::make_array(const ArrayShape& shape) { return std::make_unique<CpuArray>(shape); }
ArrayPtr CpuBackend::make_like(const DeviceArray& array) { return make_array(array.shape()); }

ArrayPtr CpuBackend::rows(DeviceArray& array, std::int64_t first, std::int64_t count) {
  const ArrayShape& s = array.shape();
  if (first < 0 || count < 0 || first + count > s.n2)
    throw Failure("cpu backend", fmt::format("rows {} to {} of an array of {}", first, first + count, s.n2));
  return std::make_unique<CpuArray>(ArrayShape{s.n0, s.n1, count}, cpu_values(array) + first * s.n0 * s.n1);
}

void CpuBackend::upload(std::span<const float> host, DeviceArray& array) {
  require_count(host.size(), array);
  std::copy(host.begin(), host.end(), cpu_values(array));
}

void CpuBackend::download(const DeviceArray& array, std::span<float> host) {
  require_count(host.size(), array);
  download_rows(array, 0, host);
}

bool CpuBackend::download_rows(const DeviceArray& array, std::int64_t first, std::span<float> host) {
  const double* values = cpu_values(array) + begin_of_rows(array.shape(), first, host.size(), "cpu backend");
  std::transform(values, values + host.size(), host.begin(), [](double v) { return static_cast<float>(v); });
  return true;
}

std::int64_t CpuBackend::stored_bytes(const DeviceArray& array) const {
  return array.count() * static_cast<std::int64_t>(sizeof(double));
}

void CpuBackend::store(const DeviceArray& array, std::span<std::byte> host) {
  std::memcpy(host.data(), cpu_values(array), host.size());
}

void CpuBackend::restore(std::span<const std::byte> host, DeviceArray& array) {
  std::memcpy(cpu_values(array), host.data(), host.size());
}

void CpuBackend::fill(DeviceArray& y, float value) {
  each(y, [=](double& b) { b = value; });
}
void CpuBackend::copy(const DeviceArray& x, DeviceArray& y) {
  each(x, y, [](double a, double& b) { b = a; });
}
void CpuBackend::scale(DeviceArray& y, float factor) {
  each(y, [=](double& b) { b *= factor; });
}
void CpuBackend::axpy(float factor, const DeviceArray& x, DeviceArray& y) {
  each(x, y, [=](double a, double& b) { b += factor * a; });
}
void CpuBackend::multiply(const DeviceArray& x, DeviceArray& y) {
  each(x, y, [](double a, double& b) { b *= a; });
}
void CpuBackend::divide(const DeviceArray& x, DeviceArray& y, float floor) {
  each(x, y, [=](double a, double& b) { b = std::abs(a) > floor ? b / a : 0.0; });
}
void CpuBackend::clamp(DeviceArray& y, float low, float high) {
  each(y, [=](double& b) { b = std::clamp(b, static_cast<double>(low), static_cast<double>(high)); });
}
void CpuBackend::exponential(DeviceArray& y) {
  each(y, [](double& b) { b = std::exp(b); });
}

double CpuBackend::dot(const DeviceArray& x, const DeviceArray& y) {
  require_equal(x, y);
  const double *a = cpu_values(x), *b = cpu_values(y);
  return parallel_sum(x.count(), [&](std::int64_t begin, std::int64_t end) {
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i) sum += a[i] * b[i];
    return sum;
  });
}

void CpuBackend::add_square(const DeviceArray& x, DeviceArray& total) { *cpu_values(total) += dot(x, x); }

double CpuBackend::sum(const DeviceArray& x) {
  const double* a = cpu_values(x);
  return parallel_sum(x.count(), [&](std::int64_t begin, std::int64_t end) {
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i) sum += a[i];
    return sum;
  });
}

float CpuBackend::maximum(const DeviceArray& x) {
  const double* a = cpu_values(x);
  return static_cast<float>(parallel_reduce(
      x.count(), -std::numeric_limits<double>::infinity(),
      [&](std::int64_t begin, std::int64_t end) { return std::accumulate(a + begin, a + end, a[begin], larger); },
      larger));
}

}  // namespace backlit
