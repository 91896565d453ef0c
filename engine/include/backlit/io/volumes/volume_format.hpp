// Formats of stacks of images: slices of a volume or views of a scan. One file each in engine/io/volumes.
#pragma once

#include <list>
#include <memory>

#include <backlit/geometry/volume_grid.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/stack_writer.hpp>

namespace backlit {

struct FileInfo;

struct VolumeFormat : FileFormat {
  /// Opens a file. `data_set`: the part behind "file.h5:", empty unless has_data_sets. Throws InputError naming the
  /// file and the field that is wrong, before it allocates memory by a damaged header. Required.
  std::function<std::unique_ptr<StackReader>(const std::filesystem::path&, const std::string& data_set)> open;
  /// Creates a file under one of saved_as: grid.size[2] images of grid.size[0] x grid.size[1] values, slices of a
  /// volume or views of a scan. Empty where saved_as is.
  std::function<std::unique_ptr<StackWriter>(const std::filesystem::path&, const VolumeGrid&)> create{};
  bool holds_projections = false;  ///< projections are saved in it, too, one image a view
  bool keeps_grid = false;         ///< saves the spacing and the position of voxels
  bool holds_hounsfield = false;   ///< its values are taken for HU, and are saved to 16 bits, not as floats
  bool has_data_sets = false;      ///< one file holds several stacks: "file.h5:/path"
  bool values_apart = false;       ///< the samples may be in another file than the header (StackInfo::values_file)
  /// Reads a one-dimensional list of numbers (angles). Empty: the format holds none.
  std::function<std::vector<double>(const std::filesystem::path&, const std::string& data_set)> numbers{};
  /// Throws the InputError that saving under this name would, as far as the path shows. Empty: nothing to check.
  std::function<void(const std::filesystem::path&)> check_replaceable{};
  /// Sets FileInfo::kind, views and other known facts. Empty: kind follows from the header.
  std::function<void(const std::filesystem::path&, FileInfo&)> describe{};
};

/// The table, in the order in which help names the formats.
const std::list<VolumeFormat>& volume_formats();

/// Adds a format to the end of the table: open_stack(), load_volume(), save_volume() and everything that lists formats
/// know it from then on. Throws InputError when its name or an extension that it saves under is taken.
void register_volume_format(VolumeFormat);

}  // namespace backlit
