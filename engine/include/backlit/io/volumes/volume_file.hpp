// Reading and writing volumes, whatever the format: see volume_format.hpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/io/volumes/stack_writer.hpp>

namespace backlit {

/// A volume in one of volume_formats(), a glob of slices in one stack, or a data set of a container ("file.h5:/path").
/// Chosen by content, then by extension. Formats that hold no geometry give voxels of 1 mm centred on the origin;
/// positions: see StackInfo. Throws InputError naming file and field; values that are not finite are refused, naming
/// the first. Cancelled is thrown between two batches of slices.
Volume load_volume(const std::filesystem::path&, const Watch& = {});

/// Format by extension. Written to a temporary name and renamed, so that no half file is ever left under the final
/// name. Values are f32 in every format but DICOM, which has 16 bits; .mhd puts them in a .raw beside it (see
/// check_replaceable), .nii.gz is compressed, .npy and .tif hold no geometry. Throws InputError for an unknown
/// extension (listing the known), Failure when the disk does not take it, Cancelled between two batches of slices.
void save_volume(const Volume&, const std::filesystem::path&, const Watch& = {});

/// Where a volume goes slice by slice, so that it may be larger than memory. Throws as save_volume() does.
std::unique_ptr<StackWriter> create_volume(const std::filesystem::path&, const VolumeGrid&);

/// Where projections go view by view, so that there may be more of them than memory holds. Format by extension, one of
/// projection_extensions().
std::unique_ptr<StackWriter> create_projections(const Scan&, const std::filesystem::path&);
/// The same from memory.
void save_projections(const Projections&, const std::filesystem::path&, const Watch& = {});

/// Throws the InputError that saving there would, as far as the path alone shows: a .mhd whose .raw exists and belongs
/// to something else, a folder that holds something else. For programs, before the work.
void check_replaceable(const std::filesystem::path&);

/// All files that saving under this name writes: it, and a .raw beside a .mhd.
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
