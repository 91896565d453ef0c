#include "device/shared_arrays.hpp"

#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/data/reads_rows.hpp>

namespace backlit {
namespace {

SharedArrays* shared(Backend& backend) { return dynamic_cast<SharedArrays*>(&backend); }

}  // namespace

Ranks* ranks_of(Backend& backend) {
  SharedArrays* const arrays = shared(backend);
  return arrays ? &arrays->ranks() : nullptr;
}

void require_one_process(Backend& backend, const std::string& method) {
  if (shared(backend))
    throw Unsupported("method", method + " is not shared among ranks", "run it in one process, or use `method` fdk");
}

VolumeGrid held_part(Backend& backend, const VolumeGrid& grid) {
  SharedArrays* const arrays = shared(backend);
  return arrays ? arrays->held(grid) : grid;
}

Backend& own_device(Backend& backend, const VolumeGrid& grid, const Scan& scan) {
  SharedArrays* const arrays = shared(backend);
  if (!arrays) return backend;
  arrays->require_same(grid, scan);
  return arrays->own_device();
}

std::unique_ptr<SharedSlab> shared_slab(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                        const VolumeGrid& grid) {
  SharedArrays* const arrays = shared(backend);
  return arrays ? arrays->shared_slab(std::move(source), grid) : nullptr;
}

IndexRange slabs_in_turn(Backend& backend, const VolumeGrid& grid) {
  const SharedArrays* const arrays = shared(backend);
  return arrays ? arrays->slabs_in_turn(grid) : IndexRange{};
}

std::unique_ptr<Backend> backend_of_slab(Backend& backend, std::int64_t slab) {
  return shared(backend)->backend_of_slab(slab);
}

void look_at_rows_in_use(Backend& backend, ProjectionSource& source, const VolumeGrid& grid, bool filtered) {
  if (SharedArrays* const arrays = shared(backend))
    look_at_rows(source, arrays->rows_in_use(grid, source.scan(), filtered));
}

std::shared_ptr<ProjectionSource> source_of_rows(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                 const VolumeGrid& grid) {
  SharedArrays* const arrays = shared(backend);
  return arrays ? arrays->source_of_rows(std::move(source), grid) : source;
}

std::string unlike_devices(Backend& backend) {
  const SharedArrays* const arrays = shared(backend);
  return arrays ? arrays->unlike_devices() : "";
}

double largest(Backend& backend, double value) {
  Ranks* const ranks = ranks_of(backend);
  return ranks ? ranks->maximum(value) : value;
}

void store_pieces(Backend& backend, const DeviceArray& array, const TakeBytes& take) {
  if (SharedArrays* const arrays = shared(backend)) return arrays->store_pieces(array, take);
  std::vector<std::byte> bytes(static_cast<std::size_t>(backend.stored_bytes(array)));
  backend.store(array, bytes);
  take(bytes);
}

void restore_pieces(Backend& backend, const ReadBytes& read, DeviceArray& array) {
  if (SharedArrays* const arrays = shared(backend)) return arrays->restore_pieces(read, array);
  std::vector<std::byte> bytes(static_cast<std::size_t>(backend.stored_bytes(array)));
  read(0, bytes);
  backend.restore(bytes, array);
}

}  // namespace backlit
