// RabbitCT's volumes: a cube of numbers without a header, 256 mm wide about the origin. The reference volumes are u16,
// the output of its runner is f32.
#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

std::unique_ptr<StackReader> open_cube(const std::filesystem::path& path) {
  auto source = open_bytes(path);
  const auto voxels_of = [&](std::int64_t bytes) {
    const auto n = static_cast<std::int64_t>(std::llround(std::cbrt(static_cast<double>(source->size() / bytes))));
    return n > 0 && n * n * n * bytes == source->size() ? n : 0;
  };
  const std::int64_t shorts = voxels_of(2), floats = voxels_of(4);
  const std::int64_t n = shorts ? shorts : floats;
  if (n == 0)
    throw InputError(path.string(), fmt::format("its {} bytes are not a cube of u16 or f32", source->size()),
                     "the file is cut off, or not a RabbitCT volume");
  RawLayout layout;
  layout.info.columns = layout.info.rows = layout.info.images = n;
  layout.info.format = "vol";
  layout.info.spacing = Vec3(256.0 / static_cast<double>(n));
  layout.info.center = Vec3(0);
  layout.samples.type = shorts ? SampleType::u16 : SampleType::f32;
  return make_raw_stack(std::move(source), layout, path.string());
}

}  // namespace

VolumeFormat rabbitct_volume_format() {
  VolumeFormat f;
  f.name = "vol";
  f.title = "RabbitCT volume";
  f.extensions = {".vol"};
  f.open = [](const std::filesystem::path& path, const std::string&) { return open_cube(path); };
  f.describe = [](const std::filesystem::path&, FileInfo& info) { info.kind = "volume"; };
  f.notes = "a cube of u16 or f32, 256 mm wide; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
