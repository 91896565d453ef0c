// Ways between host and devices, and parts of plans, that backends need not have better ones for.
#include <fmt/format.h>

#include <cstdlib>

#include "backend/backend.hpp"
#include "core/error.hpp"
#include "data/host_array.hpp"

namespace backlit {

void Backend::send(const DeviceArray& from, Backend& to, DeviceArray& into) {
  HostArray<float> host(from.count());
  activate();
  download(from, host.span());
  to.activate();
  to.upload(host.span(), into);
  to.finish();
}

std::unique_ptr<LinearOperator> Backend::make_slab(const VolumeGrid& grid, std::int64_t first, std::int64_t count,
                                                   const Scan& scan, const CtOptions& options) {
  VolumeGrid slab = grid;
  slab.size[2] = count;
  slab.center.z += grid.spacing.z * (static_cast<double>(first) + 0.5 * static_cast<double>(count - grid.size[2]));
  return make_ct(slab, scan, options);
}

std::shared_ptr<std::byte> Backend::host_memory(std::int64_t bytes) {
  auto* memory = static_cast<std::byte*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!memory && bytes > 0)
    throw Failure("memory", fmt::format("no room for {} bytes", bytes), "ask for a smaller volume or fewer views");
  return {memory, [](std::byte* p) { std::free(p); }};
}

}  // namespace backlit
