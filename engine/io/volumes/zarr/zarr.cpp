// OME-Zarr: a folder of packed chunks at several resolutions, which napari and neuroglancer open.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include <backlit/core/atomic_folder.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/volumes/stacks/raw_stack.hpp"
#include "io/volumes/zarr/array.hpp"
#include "io/volumes/zarr/multiscale.hpp"
#include "io/volumes/zarr/pyramid.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// "head.zarr/" is "head.zarr".
fs::path plain(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

/// What the group around an array says of it; nothing where there is none.
zarr::Level level_of_array(const fs::path& array) {
  const std::string name = plain(array).filename().string();
  try {
    for (zarr::Level& level : zarr::levels_of(plain(array).parent_path()))
      if (level.path == name) return level;
  } catch (const InputError&) {  // the array is what was asked for
  }
  return {};
}

class ZarrStack final : public StackReader {
 public:
  ZarrStack(const fs::path& folder, const zarr::Level& level) : where_(folder.string()), array_(folder) {
    const auto& shape = array_.shape();
    info_ = {shape[2], shape[1], shape[0], sample_name(array_.type()), "zarr"};
    info_.spacing = level.spacing;
    if (level.spacing) {
      const Vec3 steps(shape[2] - 1, shape[1] - 1, shape[0] - 1);
      info_.center = level.first + 0.5 * steps * *level.spacing;
    }
  }
  const StackInfo& info() const override { return info_; }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), where_);
    const std::int64_t depth = array_.chunk()[0];
    for (std::int64_t i = 0; i < count;) {
      const std::int64_t image = first + i, layer = image / depth, within = image - layer * depth;
      load(layer);
      const std::int64_t n = std::min(count - i, std::min(depth, info_.images - layer * depth) - within);
      const auto pixels = static_cast<std::size_t>(info_.pixels());
      std::copy_n(layer_.begin() + within * info_.pixels(), static_cast<std::size_t>(n) * pixels,
                  out.begin() + i * info_.pixels());
      i += n;
    }
  }

 private:
  /// Images of one layer of chunks are unpacked together and kept.
  void load(std::int64_t layer) {
    if (layer == loaded_) return;
    loaded_ = -1;
    const std::int64_t depth = std::min(array_.chunk()[0], info_.images - layer * array_.chunk()[0]);
    layer_.resize(static_cast<std::size_t>(depth * info_.pixels()));
    array_.read_layer(layer, layer_);
    loaded_ = layer;
  }

  std::string where_;
  zarr::Array array_;
  StackInfo info_;
  std::vector<float> layer_;
  std::int64_t loaded_ = -1;
};

std::unique_ptr<StackReader> open_zarr(const fs::path& path, const std::string&) {
  if (zarr::Array::is_array(path)) return std::make_unique<ZarrStack>(path, level_of_array(path));
  const auto levels = zarr::levels_of(path);
  if (levels.empty()) throw InputError(path.string(), "holds no volume of OME-Zarr", "name one of its arrays");
  return std::make_unique<ZarrStack>(path / levels.front().path, levels.front());
}

/// .zgroup, .zattrs and the levels' numbers.
bool is_own(const fs::path& name) {
  const std::string text = name.string();
  return text == ".zgroup" || text == ".zattrs" || text == ".zmetadata" ||
         (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos);
}

class ZarrWriter final : public StackWriter {
 public:
  ZarrWriter(const fs::path& path, const VolumeGrid& grid)
      : StackWriter(path.string(), grid.size),
        folder_(path, is_own),
        name_(plain(path).stem().string()),
        pyramid_(folder_.path(), grid) {}

 private:
  void put(std::int64_t, std::int64_t count, std::span<const float> images) override {
    const auto pixels = static_cast<std::size_t>(size()[0] * size()[1]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) pyramid_.add(images.subspan(i * pixels, pixels));
  }
  void finish() override {
    zarr::write_group(folder_.path(), name_, pyramid_.levels());
    folder_.commit();
  }

  AtomicFolder folder_;
  std::string name_;
  zarr::Pyramid pyramid_;
};

bool is_zarr(const FileFront& front) {
  std::error_code error;
  if (!fs::is_directory(front.path, error)) return false;
  return fs::exists(front.path / ".zgroup", error) || fs::exists(front.path / ".zattrs", error) ||
         fs::exists(front.path / "zarr.json", error) || fs::exists(front.path / ".zarray", error);
}

}  // namespace

VolumeFormat zarr_format() {
  VolumeFormat f;
  f.name = "zarr";
  f.title = "OME-Zarr";
  f.extensions = f.saved_as = {".zarr"};
  f.folders = true;
  f.recognizes = is_zarr;
  f.open = open_zarr;
  f.create = [](const fs::path& path, const VolumeGrid& grid) { return std::make_unique<ZarrWriter>(path, grid); };
  f.check_replaceable = [](const fs::path& path) { AtomicFolder::check_replaceable(path, is_own); };
  f.keeps_grid = true;
  f.notes =
      "a folder, in several resolutions; written as version 0.4, read up to 0.5: chunks of zlib, gzip, Blosc, "
      "Zstandard; "
      "one channel, no shards";
  return f;
}

}  // namespace backlit::formats
