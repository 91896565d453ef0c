// Volumes that were pinned, for undo and redo.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include <backlit/data/volume.hpp>

namespace backlit::viewer {

/// In the host's memory; the oldest go where they do not fit.
class KeptVolumes {
 public:
  explicit KeptVolumes(std::int64_t most_bytes = std::int64_t{2} << 30) : most_bytes_(most_bytes) {}

  bool fits(const VolumeGrid& grid) const { return bytes(grid) <= most_bytes_; }
  /// Does nothing where the volume alone does not fit.
  void keep(std::int64_t number, std::shared_ptr<const Volume> volume) {
    if (!fits(volume->grid)) return;
    used_ += bytes(volume->grid);
    volumes_.emplace_back(number, std::move(volume));
    for (; used_ > most_bytes_; volumes_.pop_front()) used_ -= bytes(volumes_.front().second->grid);
  }
  /// Null where it is not kept.
  std::shared_ptr<const Volume> find(std::int64_t number) const {
    for (const auto& [n, volume] : volumes_)
      if (n == number) return volume;
    return nullptr;
  }

 private:
  static std::int64_t bytes(const VolumeGrid& grid) { return grid.voxels() * static_cast<std::int64_t>(sizeof(float)); }
  std::int64_t most_bytes_, used_ = 0;
  std::deque<std::pair<std::int64_t, std::shared_ptr<const Volume>>> volumes_;
};

}  // namespace backlit::viewer
