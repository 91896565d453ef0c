// Copies between host and devices, for backends without faster ones.
#include <fmt/format.h>

#include <cstdlib>

#include <backlit/core/error.hpp>
#include <backlit/data/host_array.hpp>
#include <backlit/device/backend.hpp>

namespace backlit {

void Backend::send(const DeviceArray& from, Backend& to, DeviceArray& into) {
  HostArray<float> host(from.count());
  activate();
  download(from, host.span());
  to.activate();
  to.upload(host.span(), into);
  to.finish();
}

std::shared_ptr<std::byte> Backend::host_memory(std::int64_t bytes) {
  auto* memory = static_cast<std::byte*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!memory && bytes > 0)
    throw Failure("memory", fmt::format("no room for {} bytes", bytes), "ask for a smaller volume or fewer views");
  return {memory, [](std::byte* p) { std::free(p); }};
}

}  // namespace backlit
