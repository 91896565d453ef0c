#include "cuda/device/device_speed.hpp"

#include <cmath>
#include <map>
#include <mutex>

#include "cuda/device/event.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/pinned.hpp"

namespace backlit::cuda {

int current_device() {
  int device = 0;
  BACKLIT_CUDA(cudaGetDevice(&device));
  return device;
}

namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  BACKLIT_CUDA(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

/// f(device), evaluated once for each device.
template <class Value, class F>
Value once(std::map<int, Value>& known, std::mutex& mutex, F&& f) {
  const std::lock_guard lock(mutex);
  const int device = current_device();
  const auto at = known.find(device);
  return at != known.end() ? at->second : known[device] = f(device);
}

double measured_upload_rate() {
  constexpr std::int64_t bytes = std::int64_t{16} << 20;
  PinnedBuffer host(static_cast<std::size_t>(bytes));
  DeviceBuffer<std::byte> device(bytes);
  Stream stream;
  Event begin, end;
  const auto copy = [&] {
    BACKLIT_CUDA(cudaMemcpyAsync(device.data(), host.data(), host.bytes(), cudaMemcpyHostToDevice, stream));
  };
  copy();  // warms up
  begin.record(stream);
  copy();
  end.record(stream);
  end.wait();
  float milliseconds = 0;
  BACKLIT_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
  const double rate = static_cast<double>(bytes) / (1e-3 * static_cast<double>(milliseconds));
  return std::exp2(std::floor(2 * std::log2(rate)) / 2);
}

}  // namespace

int multiprocessors() {
  static std::map<int, int> known;
  static std::mutex mutex;
  return once(known, mutex, [](int device) { return attribute(cudaDevAttrMultiProcessorCount, device); });
}

double fetch_rate() {
  static std::map<int, double> known;
  static std::mutex mutex;
  return once(known, mutex, [](int device) {
    return 4e3 * attribute(cudaDevAttrMultiProcessorCount, device) * attribute(cudaDevAttrClockRate, device);
  });
}

double upload_rate() {
  static std::map<int, double> known;
  static std::mutex mutex;
  return once(known, mutex, [](int) { return measured_upload_rate(); });
}

}  // namespace backlit::cuda
