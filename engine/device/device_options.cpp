#include <backlit/device/device_options.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <set>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>

namespace backlit {
namespace {

std::string devices_text(const std::vector<std::int64_t>& devices) {
  return fmt::format("{}", fmt::join(devices, ","));
}

std::vector<std::int64_t> devices_from(const std::string& text, const std::string& where) {
  std::vector<std::int64_t> devices;
  const char *at = text.data(), *const end = at + text.size();
  while (at != end) {
    std::int64_t device = 0;
    const auto [stop, error] = std::from_chars(at, end, device);
    const bool more = error == std::errc{} && stop != end && *stop == ',' && stop + 1 != end;
    if (error != std::errc{} || device < 0 || (stop != end && !more))
      throw InputError(where, fmt::format("'{}' are no devices", text), "count them from 0, as 0 or 0,1");
    devices.push_back(device);
    at = more ? stop + 1 : stop;
  }
  return devices;
}

}  // namespace

Parameters describe(DeviceOptions& o) {
  auto names = backend_names();
  names.insert(names.begin(), "auto");
  const Written devices{&o.devices,
                        [](const void* v) { return devices_text(*static_cast<const std::vector<std::int64_t>*>(v)); },
                        [](void* v, const std::string& text, const std::string& where) {
                          *static_cast<std::vector<std::int64_t>*>(v) = devices_from(text, where);
                        }};
  const Written memory{&o.memory_bytes,
                       [](const void* v) {
                         const auto bytes = *static_cast<const std::int64_t*>(v);
                         return bytes == 0 ? std::string() : fmt::format("{}", bytes);
                       },
                       [](void* v, const std::string& text, const std::string& where) {
                         *static_cast<std::int64_t*>(v) = text.empty() ? 0 : byte_size_from(text, where);
                       }};
  return {
      {"backend", &o.backend,
       "device to compute on; auto: a GPU that supports the request, else the fastest without one", "", 0, 0, names},
      {"device", devices, "which of several devices of the backend, from 0 (default 0); 0,1 lets them share the work",
       "INDEX,..."},
      {"gpu_memory", memory,
       "limit on device memory, such as 256M or 2G: larger volumes are cut into parts (default: all)", "SIZE"}};
}

BackendOptions backend_options(const DeviceOptions& o) {
  if (std::set<std::int64_t>(o.devices.begin(), o.devices.end()).size() != o.devices.size())
    throw InputError("device", "a device is named twice", "name each once");
  if (!o.devices.empty() && o.backend == "cpu")
    throw InputError("device", "the cpu is one device", "leave it out, or choose another `backend`");
  BackendOptions options;
  options.memory_bytes = o.memory_bytes;
  if (!o.devices.empty()) {
    options.device = o.devices.front();
    options.further_devices.assign(o.devices.begin() + 1, o.devices.end());
  }
  return options;
}

std::string device_text(const Backend& backend) {
  const bool software = backend.capabilities().software;
  return software ? backend.device() + ": a software renderer on the CPU, no GPU was found" : backend.device();
}

}  // namespace backlit
