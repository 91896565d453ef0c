#include "io/volumes/zarr/pyramid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "io/volumes/zarr/codecs.hpp"

namespace backlit::zarr {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::int64_t largest_chunk = 64;

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wbe"), &std::fclose);
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() || std::fflush(file.get()) != 0)
    throw Failure(path.string(), fmt::format("could not be written: {}", std::strerror(errno)),
                  "make room on the disk or choose another place");
}

}  // namespace

/// One array, whose slices come one after the other.
class Pyramid::ArrayWriter {
 public:
  ArrayWriter(fs::path folder, const VolumeGrid& grid) : folder_(std::move(folder)), grid_(grid) {
    for (std::size_t i = 0; i < 3; ++i) chunk_[i] = std::min(largest_chunk, grid_.size[i]);
    layer_.resize(static_cast<std::size_t>(chunk_[2] * pixels()));
    make_folder(folder_);
    write_metadata();
  }

  const VolumeGrid& grid() const { return grid_; }
  std::int64_t slices() const { return slices_; }
  std::int64_t pixels() const { return grid_.size[0] * grid_.size[1]; }
  bool complete() const { return slices_ == grid_.size[2]; }

  /// The last slice that was added, or the one before it.
  std::span<const float> kept(std::int64_t back) const {
    const std::int64_t within = (slices_ - 1 - back) % chunk_[2];
    return std::span(layer_).subspan(static_cast<std::size_t>(within * pixels()), static_cast<std::size_t>(pixels()));
  }

  void add(std::span<const float> slice) {
    const std::int64_t within = slices_ % chunk_[2];
    std::ranges::copy(slice, layer_.begin() + within * pixels());
    ++slices_;
    if (within + 1 == chunk_[2] || complete()) flush((slices_ - 1) / chunk_[2], within + 1);
  }

 private:
  static void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Failure(folder.string(), fmt::format("could not be made: {}", error.message()));
  }

  void write_metadata() const {
    ordered_json m{{"zarr_format", 2},
                   {"shape", {grid_.size[2], grid_.size[1], grid_.size[0]}},
                   {"chunks", {chunk_[2], chunk_[1], chunk_[0]}},
                   {"dtype", "<f4"},
                   {"compressor", nullptr},
                   {"fill_value", 0.0},
                   {"order", "C"},
                   {"filters", nullptr},
                   {"dimension_separator", "/"}};
    if (has_blosc())
      m["compressor"] = {{"id", "blosc"}, {"cname", "lz4"}, {"clevel", 5}, {"shuffle", 1}, {"blocksize", 0}};
    const std::string text = m.dump(2) + "\n";
    write_file(folder_ / ".zarray", std::as_bytes(std::span(text)));
  }

  /// Writes the chunks of a layer that holds `depth` slices.
  void flush(std::int64_t layer, std::int64_t depth) const {
    const std::int64_t across = (grid_.size[0] + chunk_[0] - 1) / chunk_[0];
    const std::int64_t down = (grid_.size[1] + chunk_[1] - 1) / chunk_[1];
    for (std::int64_t y = 0; y < down; ++y) make_folder(folder_ / fmt::format("{}/{}", layer, y));
    parallel_for(across * down, [&](std::int64_t i) { write_chunk(layer, i / across, i % across, depth); });
  }

  /// A chunk has its full size at the ends of the volume, too.
  void write_chunk(std::int64_t layer, std::int64_t row, std::int64_t column, std::int64_t depth) const {
    std::vector<float> values(static_cast<std::size_t>(chunk_[0] * chunk_[1] * chunk_[2]));
    const std::int64_t x0 = column * chunk_[0], y0 = row * chunk_[1];
    const std::int64_t width = std::min(chunk_[0], grid_.size[0] - x0),
                       height = std::min(chunk_[1], grid_.size[1] - y0);
    for (std::int64_t z = 0; z < depth; ++z)
      for (std::int64_t y = 0; y < height; ++y)
        std::copy_n(layer_.begin() + z * pixels() + (y0 + y) * grid_.size[0] + x0, width,
                    values.begin() + (z * chunk_[1] + y) * chunk_[0]);
    const fs::path file = folder_ / fmt::format("{}/{}/{}", layer, row, column);
    if (has_blosc())
      write_file(file, pack_by_blosc(values));
    else
      write_file(file, std::as_bytes(std::span(values)));
  }

  fs::path folder_;
  VolumeGrid grid_;
  std::array<std::int64_t, 3> chunk_{};  ///< x, y, z
  std::vector<float> layer_;
  std::int64_t slices_ = 0;
};

namespace {

/// Voxels twice as large along each axis that has more than one; the last ones may reach over the end.
VolumeGrid coarser(const VolumeGrid& fine) {
  VolumeGrid grid = fine;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto axis = static_cast<glm::length_t>(i);
    if (fine.size[i] < 2) continue;
    grid.size[i] = (fine.size[i] + 1) / 2;
    grid.spacing[axis] = 2 * fine.spacing[axis];
    grid.center[axis] += 0.5 * fine.spacing[axis] * static_cast<double>(fine.size[i] % 2);
  }
  return grid;
}

bool fits_one_chunk(const VolumeGrid& grid) {
  return std::ranges::all_of(grid.size, [](std::int64_t n) { return n <= largest_chunk; });
}

/// The mean of up to 2x2x2 voxels of one or two slices.
std::vector<float> mean_of(std::span<const float> lower, std::span<const float> upper, const VolumeGrid& fine,
                           const VolumeGrid& coarse) {
  std::vector<float> mean(static_cast<std::size_t>(coarse.size[0] * coarse.size[1]));
  const std::int64_t step_x = fine.size[0] > 1 ? 2 : 1, step_y = fine.size[1] > 1 ? 2 : 1;
  parallel_for(coarse.size[1], [&](std::int64_t row) {
    for (std::int64_t column = 0; column < coarse.size[0]; ++column) {
      double sum = 0;
      int count = 0;
      for (std::int64_t y = row * step_y; y < std::min(fine.size[1], (row + 1) * step_y); ++y)
        for (std::int64_t x = column * step_x; x < std::min(fine.size[0], (column + 1) * step_x); ++x)
          for (const auto& slice : {lower, upper}) {
            if (slice.empty()) continue;
            sum += static_cast<double>(slice[static_cast<std::size_t>(y * fine.size[0] + x)]);
            ++count;
          }
      mean[static_cast<std::size_t>(row * coarse.size[0] + column)] = static_cast<float>(sum / count);
    }
  });
  return mean;
}

}  // namespace

Pyramid::Pyramid(const fs::path& folder, const VolumeGrid& grid) {
  for (VolumeGrid level = grid;; level = coarser(level)) {
    arrays_.push_back(std::make_unique<ArrayWriter>(folder / std::to_string(arrays_.size()), level));
    if (fits_one_chunk(level)) return;
  }
}

Pyramid::~Pyramid() = default;

void Pyramid::add(std::span<const float> slice) { add(0, slice); }

void Pyramid::add(std::size_t level, std::span<const float> slice) {
  ArrayWriter& array = *arrays_[level];
  array.add(slice);
  if (level + 1 == arrays_.size()) return;
  const bool single = array.grid().size[2] < 2, second = array.slices() % 2 == 0;
  if (!single && !second && !array.complete()) return;
  const auto lower = array.kept(!single && second ? 1 : 0);
  const auto upper = !single && second ? array.kept(0) : std::span<const float>();
  add(level + 1, mean_of(lower, upper, array.grid(), arrays_[level + 1]->grid()));
}

std::vector<Level> Pyramid::levels() const {
  std::vector<Level> all;
  for (const auto& array : arrays_)
    all.push_back({std::to_string(all.size()), array->grid().spacing, array->grid().first_voxel()});
  return all;
}

}  // namespace backlit::zarr
