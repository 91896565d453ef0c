#include "io/volume_file.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "io/check_finite.hpp"
#include "io/formats.hpp"
#include "io/text_fields.hpp"

namespace backlit {

Volume load_volume(const std::filesystem::path& path) {
  const std::string where = path.string();
  const auto stack = open_stack(where);
  const StackInfo& info = stack->info();
  VolumeGrid grid;
  grid.size = {info.columns, info.rows, info.images};
  grid.spacing = info.spacing.value_or(Vec3(1));
  grid.center = info.center.value_or(Vec3(0));
  grid.check(where.c_str());
  Volume volume(grid, stack->read_all());
  check_finite(volume.values.span(), info.columns, info.rows, 0, where);
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

void save_volume(const Volume& volume, const std::filesystem::path& path) {
  const std::string extension = file_extension(path.string());
  const std::span<const float> values = volume.values.span();
  if (extension == ".mha" || extension == ".mhd") return formats::write_mha(path, volume.grid, values);
  if (extension == ".nrrd") return formats::write_nrrd(path, volume.grid, values);
  if (extension == ".nii" || extension == ".nii.gz") return formats::write_nifti(path, volume.grid, values);
  if (extension == ".h5" || extension == ".hdf5") return formats::write_hdf5(path, volume.grid, values);
  if (extension == ".tif" || extension == ".tiff") return formats::write_tiff(path, volume.grid.size, values);
  if (extension == ".npy") return formats::write_npy(path, volume.grid.size, values);
  throw InputError(path.string(), fmt::format("no format for volumes is called '{}'", extension),
                   fmt::format("use {}", fmt::join(volume_extensions(), ", ")));
}

void save_projections(const Projections& projections, const std::filesystem::path& path) {
  const std::string extension = file_extension(path.string());
  const Detector& detector = projections.scan.detector;
  VolumeGrid grid;
  grid.size = {detector.columns, detector.rows, projections.scan.view_count()};
  grid.spacing = {detector.pixel_u, detector.pixel_v, 1};
  const std::span<const float> values = projections.values.span();
  if (extension == ".npy") return formats::write_npy(path, grid.size, values);
  if (extension == ".tif" || extension == ".tiff") return formats::write_tiff(path, grid.size, values);
  if (extension == ".mha" || extension == ".mhd") return formats::write_mha(path, grid, values);
  throw InputError(path.string(), fmt::format("no format for projections is called '{}'", extension),
                   "use .npy, .mha, .mhd, .tif or .tiff");
}

}  // namespace backlit
