// A device that can be lost: the CPU under another name. Backends cannot be taken out of the registry, so afterwards it
// does not start.
#pragma once

#include <memory>

#include <backlit/core/device_failure.hpp>
#include "device/cpu/cpu_backend.hpp"

namespace backlit::test {

/// The backend "fake" while this object lives.
class FailingBackend {
 public:
  FailingBackend() {
    register_backend("fake", [calls = calls_](const BackendOptions& options) -> std::unique_ptr<Backend> {
      return std::make_unique<Device>(options, calls);
    });
  }
  ~FailingBackend() {
    register_backend("fake", [](const BackendOptions&) -> std::unique_ptr<Backend> {
      throw Failure("backend fake", "was for a test");
    });
  }
  FailingBackend(const FailingBackend&) = delete;
  FailingBackend& operator=(const FailingBackend&) = delete;

  /// Every call from the `call`-th on fails; 0: none does. Counts from 1 again.
  void fail_from(int call) { *calls_ = {0, call}; }
  /// Calls since fail_from().
  int calls() const { return calls_->made; }

 private:
  struct Calls {
    int made = 0, first = 0;
    void count() {
      ++made;
      if (first > 0 && made >= first) throw DeviceFailure("backend fake", "the device was lost");
    }
  };

  struct Device : CpuBackend {
    Device(const BackendOptions& options, std::shared_ptr<Calls> known)
        : CpuBackend(options), calls(std::move(known)) {}
    ArrayPtr make_array(const ArrayShape& shape) override { return calls->count(), CpuBackend::make_array(shape); }
    ArrayPtr make_like(const DeviceArray& like) override { return calls->count(), CpuBackend::make_like(like); }
    void upload(std::span<const float> host, DeviceArray& to) override { calls->count(), CpuBackend::upload(host, to); }
    void download(const DeviceArray& from, std::span<float> host) override {
      calls->count();
      CpuBackend::download(from, host);
    }
    void axpy(float a, const DeviceArray& x, DeviceArray& y) override { calls->count(), CpuBackend::axpy(a, x, y); }
    void multiply(const DeviceArray& x, DeviceArray& y) override { calls->count(), CpuBackend::multiply(x, y); }
    std::shared_ptr<Calls> calls;
  };

  std::shared_ptr<Calls> calls_ = std::make_shared<Calls>();
};

}  // namespace backlit::test
