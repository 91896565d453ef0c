// Reading and writing volumes in any format; see volume_format.hpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/io/volumes/stack_writer.hpp>

namespace backlit {

/// Loads a volume in one of volume_formats(), a glob of slices as one stack, or a data set of a container
/// ("file.h5:/path"). The content decides the format, then the extension. Formats without geometry give voxels of 1 mm
/// centred on the origin; StackInfo explains positions. Throws InputError naming file and field, or the first value
/// that is not finite. Throws Cancelled between two batches of slices.
Volume load_volume(const std::filesystem::path&, const Watch& = {});

/// A volume for the eye: values that are not finite have become the smallest finite one, and are counted.
struct ShownVolume {
  Volume volume;
  std::int64_t replaced = 0;
};
/// As load_volume(). Throws InputError where no value is finite.
ShownVolume load_volume_to_show(const std::filesystem::path&, const Watch& = {});

/// Format by extension. Written to a temporary name and renamed, so that no half file is ever left under the final
/// name. Values are f32 in every format but DICOM, which has 16 bits; .mhd puts them in a .raw beside it (see
/// check_replaceable), .nii.gz is compressed, .npy and .tif hold no geometry. Throws InputError for an unknown
/// extension (listing the known), Failure when the disk does not take it, Cancelled between two batches of slices.
void save_volume(const Volume&, const std::filesystem::path&, const Watch& = {});

/// Creates a file for a volume that is written slice by slice, so that it may be larger than memory. Throws as
/// save_volume() does.
std::unique_ptr<StackWriter> create_volume(const std::filesystem::path&, const VolumeGrid&);

/// Creates a file for projections that are written view by view, so that they may be larger than memory. The format
/// follows from the extension, one of projection_extensions().
std::unique_ptr<StackWriter> create_projections(const Scan&, const std::filesystem::path&);
/// Saves projections that are in memory.
void save_projections(const Projections&, const std::filesystem::path&, const Watch& = {});

/// Throws the InputError that saving there would, as far as the path alone shows: a .mhd whose .raw exists and belongs
/// to something else, a folder that holds something else. For programs, before the work.
void check_replaceable(const std::filesystem::path&);

/// All files that saving under this name writes: the file, and the .raw of a .mhd.
std::vector<std::filesystem::path> files_saved(const std::filesystem::path&);

/// Whether values saved under this name are taken for HU (DICOM).
bool holds_hounsfield(const std::filesystem::path&);

/// Whether a volume saved under this name becomes a folder.
bool saved_as_folder(const std::filesystem::path&);

/// Whether a volume saved under this name keeps the spacing and the position of its voxels.
bool keeps_grid(const std::filesystem::path&);

/// Extensions that save_volume() and create_projections() take, with the dot.
std::vector<std::string> volume_extensions();
std::vector<std::string> projection_extensions();

}  // namespace backlit
