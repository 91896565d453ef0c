#include <backlit/io/volumes/volume_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include "io/check_finite.hpp"
#include "io/volumes/volume_format_list.hpp"

namespace backlit {

namespace {

Volume read_volume(const std::string& where, const Watch& watch) {
  const auto stack = open_stack(where);
  const StackInfo& info = stack->info();
  VolumeGrid grid;
  grid.size = {info.columns, info.rows, info.images};
  grid.spacing = info.spacing.value_or(Vec3(1));
  grid.center = info.center.value_or(Vec3(0));
  grid.check(where.c_str());
  return Volume(grid, stack->read_all(watch));
}

}  // namespace

Volume load_volume(const std::filesystem::path& path, const Watch& watch) {
  const std::string where = path.string();
  Volume volume = read_volume(where, watch);
  const auto [columns, rows, images] = volume.grid.size;
  const std::int64_t pixels = columns * rows;
  in_batches(watch, "check", images, pixels, "images", [&](std::int64_t first, std::int64_t count) {
    const auto part = volume.values.span().subspan(static_cast<std::size_t>(first * pixels),
                                                   static_cast<std::size_t>(count * pixels));
    check_finite(part, volume.grid.size[0], volume.grid.size[1], first, where);
  });
  return volume;
}

ShownVolume load_volume_to_show(const std::filesystem::path& path, const Watch& watch) {
  ShownVolume shown{read_volume(path.string(), watch)};
  const std::span<float> values = shown.volume.values.span();
  const auto [columns, rows, images] = shown.volume.grid.size;
  const std::int64_t pixels = columns * rows;
  float least = INFINITY;
  in_batches(watch, "check", images, pixels, "images", [&](std::int64_t first, std::int64_t count) {
    for (const float v :
         values.subspan(static_cast<std::size_t>(first * pixels), static_cast<std::size_t>(count * pixels)))
      if (std::isfinite(v))
        least = std::min(least, v);
      else
        ++shown.replaced;
  });
  if (shown.replaced == 0) return shown;
  if (!std::isfinite(least)) throw InputError(path.string(), "holds no finite number", "it cannot be shown");
  std::ranges::replace_if(
      values, [](float v) { return !std::isfinite(v); }, least);
  return shown;
}

std::vector<std::string> volume_extensions() { return saved_extensions(volume_formats()); }

std::vector<std::string> projection_extensions() {
  std::list<VolumeFormat> formats = volume_formats();
  formats.remove_if([](const VolumeFormat& format) { return !format.holds_projections; });
  return saved_extensions(formats);
}

void check_replaceable(const std::filesystem::path& path) {
  const VolumeFormat* format = volume_format_list().saved_as(path);
  if (format && format->check_replaceable) format->check_replaceable(path);
}

std::vector<std::filesystem::path> files_saved(const std::filesystem::path& path) {
  return volume_format_list().files_saved(path);
}

bool holds_hounsfield(const std::filesystem::path& path) {
  const VolumeFormat* format = volume_format_list().saved_as(path);
  return format && format->holds_hounsfield;
}

bool saved_as_folder(const std::filesystem::path& path) {
  const VolumeFormat* format = volume_format_list().saved_as(path);
  return format && format->folders;
}

bool keeps_grid(const std::filesystem::path& path) {
  const VolumeFormat* format = volume_format_list().saved_as(path);
  return format && format->keeps_grid;
}

namespace {

/// The format of a file to save. `what`: its content, for errors; `extensions`: those that can hold it.
const VolumeFormat& format_for(const std::filesystem::path& path, const char* what,
                               const std::vector<std::string>& extensions) {
  if (const VolumeFormat* format = volume_format_list().saved_as(path); format && has_extension(path, extensions))
    return *format;
  throw InputError(path.string(), fmt::format("no format for {} is called '{}'", what, path.extension().string()),
                   fmt::format("use {}", fmt::join(extensions, ", ")));
}

void write_all(StackWriter& writer, std::span<const float> values, const Size3& size, const Watch& watch) {
  const std::int64_t pixels = size[0] * size[1];
  in_batches(watch, "write", size[2], pixels, "images", [&](std::int64_t first, std::int64_t count) {
    writer.write(values.subspan(static_cast<std::size_t>(first * pixels), static_cast<std::size_t>(count * pixels)));
  });
  writer.commit();
}

}  // namespace

std::unique_ptr<StackWriter> create_volume(const std::filesystem::path& path, const VolumeGrid& grid) {
  return format_for(path, "volumes", volume_extensions()).create(path, grid);
}

void save_volume(const Volume& volume, const std::filesystem::path& path, const Watch& watch) {
  write_all(*create_volume(path, volume.grid), volume.values.span(), volume.grid.size, watch);
}

std::unique_ptr<StackWriter> create_projections(const Scan& scan, const std::filesystem::path& path) {
  const Detector& detector = scan.detector;
  VolumeGrid grid;
  grid.size = {detector.columns, detector.rows, scan.view_count()};
  grid.spacing = {detector.pixel_u, detector.pixel_v, 1};
  return format_for(path, "projections", projection_extensions()).create(path, grid);
}

void save_projections(const Projections& projections, const std::filesystem::path& path, const Watch& watch) {
  const Scan& scan = projections.scan;
  write_all(*create_projections(scan, path), projections.values.span(),
            {scan.detector.columns, scan.detector.rows, scan.view_count()}, watch);
}

}  // namespace backlit
