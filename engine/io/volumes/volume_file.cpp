#include <backlit/io/volumes/volume_file.hpp>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "io/check_finite.hpp"
#include "io/text_fields.hpp"
#include "io/volumes/formats.hpp"

namespace backlit {

Volume load_volume(const std::filesystem::path& path, const Watch& watch) {
  const std::string where = path.string();
  const auto stack = open_stack(where);
  const StackInfo& info = stack->info();
  VolumeGrid grid;
  grid.size = {info.columns, info.rows, info.images};
  grid.spacing = info.spacing.value_or(Vec3(1));
  grid.center = info.center.value_or(Vec3(0));
  grid.check(where.c_str());
  Volume volume(grid, stack->read_all(watch));
  in_batches(watch, "check", info.images, info.pixels(), "images", [&](std::int64_t first, std::int64_t count) {
    const auto part = volume.values.span().subspan(static_cast<std::size_t>(first * info.pixels()),
                                                   static_cast<std::size_t>(count * info.pixels()));
    check_finite(part, info.columns, info.rows, first, where);
  });
  return volume;
}

const std::vector<std::string>& volume_extensions() {
  static const std::vector<std::string> extensions{".mha", ".mhd",  ".nrrd", ".nii",  ".nii.gz",
                                                   ".tif", ".tiff", ".h5",   ".hdf5", ".npy"};
  return extensions;
}

void check_replaceable(const std::filesystem::path& path) {
  if (file_extension(path.string()) == ".mhd") formats::require_own_raw(path);
}

namespace {

std::unique_ptr<StackWriter> create_volume(const VolumeGrid& grid, const std::filesystem::path& path) {
  const std::string extension = file_extension(path.string());
  if (extension == ".mha" || extension == ".mhd") return formats::create_mha(path, grid);
  if (extension == ".nrrd") return formats::create_nrrd(path, grid);
  if (extension == ".nii" || extension == ".nii.gz") return formats::create_nifti(path, grid);
  if (extension == ".h5" || extension == ".hdf5") return formats::create_hdf5(path, grid);
  if (extension == ".tif" || extension == ".tiff") return formats::create_tiff(path, grid.size);
  if (extension == ".npy") return formats::create_npy(path, grid.size);
  throw InputError(path.string(), fmt::format("no format for volumes is called '{}'", extension),
                   fmt::format("use {}", fmt::join(volume_extensions(), ", ")));
}

void write_all(StackWriter& writer, std::span<const float> values, const Size3& size, const Watch& watch) {
  const std::int64_t pixels = size[0] * size[1];
  in_batches(watch, "write", size[2], pixels, "images", [&](std::int64_t first, std::int64_t count) {
    writer.write(values.subspan(static_cast<std::size_t>(first * pixels), static_cast<std::size_t>(count * pixels)));
  });
  writer.commit();
}

}  // namespace

void save_volume(const Volume& volume, const std::filesystem::path& path, const Watch& watch) {
  write_all(*create_volume(volume.grid, path), volume.values.span(), volume.grid.size, watch);
}

std::unique_ptr<StackWriter> create_projections(const Scan& scan, const std::filesystem::path& path) {
  const std::string extension = file_extension(path.string());
  const Detector& detector = scan.detector;
  VolumeGrid grid;
  grid.size = {detector.columns, detector.rows, scan.view_count()};
  grid.spacing = {detector.pixel_u, detector.pixel_v, 1};
  if (extension == ".npy") return formats::create_npy(path, grid.size);
  if (extension == ".tif" || extension == ".tiff") return formats::create_tiff(path, grid.size);
  if (extension == ".mha" || extension == ".mhd") return formats::create_mha(path, grid);
  throw InputError(path.string(), fmt::format("no format for projections is called '{}'", extension),
                   "use .npy, .mha, .mhd, .tif or .tiff");
}

void save_projections(const Projections& projections, const std::filesystem::path& path, const Watch& watch) {
  const Scan& scan = projections.scan;
  write_all(*create_projections(scan, path), projections.values.span(),
            {scan.detector.columns, scan.detector.rows, scan.view_count()}, watch);
}

}  // namespace backlit
