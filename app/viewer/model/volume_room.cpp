#include "model/volume_room.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include <backlit/core/byte_size.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "gl/limits.hpp"
#include "model/actions/geometry_edit.hpp"

namespace backlit::viewer {
namespace {

constexpr std::int64_t copies = 3;  // the volume, its picture, and the picture before

/// Memory that programs may take without swapping; 0: unknown.
std::int64_t free_memory_of_machine() {
  std::ifstream in("/proc/meminfo");
  for (std::string name; in >> name;) {
    std::int64_t kib = 0;
    if (name == "MemAvailable:" && in >> kib) return kib << 10;
    in.ignore(256, '\n');
  }
  return 0;
}

}  // namespace

Room free_room(bool software) {
  return software ? Room{free_memory_of_machine(), false} : Room{gl::free_device_memory(), true};
}

VolumeGrid next_grid(const SourceInfo& source, const GeometryState& geometry, const GridState& grid) {
  const GridOptions asked = session_options({}, {}, grid, 0).grid;
  if (source.list || source.grid_in_file || geometry.center_shift == 0) return chosen_grid(source.grid, asked);
  return chosen_grid(base_grid(with_center(source.scan, source.center_px + geometry.center_shift), asked), asked);
}

std::int64_t needed_bytes(const VolumeGrid& grid) {
  return copies * static_cast<std::int64_t>(sizeof(float)) * grid.voxels();
}

std::string size_in_words(const VolumeGrid& grid) {
  const auto bytes = static_cast<std::int64_t>(sizeof(float)) * grid.voxels();
  return fmt::format("{} × {} × {}, {}", grid.size[0], grid.size[1], grid.size[2], byte_size_text(bytes));
}

std::string room_in_words(const Room& room) {
  if (room.bytes <= 0) return "";
  return fmt::format("the {} has {} free", room.card ? "card" : "machine", byte_size_text(room.bytes));
}

std::string too_large(const VolumeGrid& grid, const VolumeGrid& present, const Room& room) {
  if (room.bytes <= 0) return "";
  const std::int64_t all = room.bytes + needed_bytes(present), needed = needed_bytes(grid);
  if (needed <= all) return "";
  const double smaller = std::cbrt(static_cast<double>(all) / static_cast<double>(needed));
  const auto side = [&](std::size_t axis) { return std::floor(smaller * static_cast<double>(grid.size[axis])); };
  return fmt::format(
      "{} × {} × {} voxels need {} while they are reconstructed and shown; {}. {:.0f} × {:.0f} × {:.0f} fit.",
      grid.size[0], grid.size[1], grid.size[2], byte_size_text(needed), room_in_words(room), side(0), side(1), side(2));
}

}  // namespace backlit::viewer
