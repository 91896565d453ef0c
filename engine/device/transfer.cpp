// Copies between host and devices, for backends without faster ones.
#include <fmt/format.h>

#include <cstdlib>

#include <backlit/core/error.hpp>
#include <backlit/data/host_array.hpp>
#include <backlit/device/backend.hpp>

namespace backlit {

bool Backend::download_rows(const DeviceArray& array, std::int64_t first, std::span<float> host) {
  const ArrayShape& s = array.shape();
  const std::int64_t row = s.n0 * s.n1, count = static_cast<std::int64_t>(host.size()) / row;
  // Parts are made of arrays that may be written; this one is only read.
  if (const ArrayPtr part = rows(const_cast<DeviceArray&>(array), first, count)) return download(*part, host), true;
  if (count == 1) return false;
  // They may lie in two pieces of memory.
  const auto half = static_cast<std::size_t>(count / 2 * row);
  return download_rows(array, first, host.first(half)) && download_rows(array, first + count / 2, host.subspan(half));
}

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
