// Choice of the device, and limit on its memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <backlit/core/parameter.hpp>
#include <backlit/device/backend.hpp>

namespace backlit {

struct DeviceOptions {
  std::string backend = "auto";         ///< one of backend_names(), or auto: see choose_backend()
  std::vector<std::int64_t> devices{};  ///< numbers of devices, from 0; several share the work; empty: the first
  std::int64_t memory_bytes = 0;        ///< device memory that may be used; 0: all

  bool operator==(const DeviceOptions&) const = default;
};

/// Parameters `backend`, `device` and `gpu_memory`.
Parameters describe(DeviceOptions&);

/// The options for make_backend(). Throws InputError naming the parameter.
BackendOptions backend_options(const DeviceOptions&);

/// The device's name, with a note where the CPU does a GPU's work.
std::string device_text(const Backend&);

}  // namespace backlit
