// Reading and writing volumes; one file a format beside this one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/io/volumes/stack_writer.hpp>

namespace backlit {

/// .mha/.mhd, .nrrd, .nii(.gz), .tif (stack or glob), .h5 (or "file.h5:/path"), .npy, RabbitCT's .vol. Chosen by
/// content, then by extension. Formats that hold no geometry give voxels of 1 mm centred on the origin; positions: see
/// StackInfo. Throws InputError naming file and field; values that are not finite are refused, naming the first.
/// Cancelled is thrown between two batches of slices.
Volume load_volume(const std::filesystem::path&, const Watch& = {});

/// Format by extension. Written to a temporary name and renamed, so that no half file is ever left under the final
/// name. Values are f32 in every format; .mhd puts them in a .raw beside it (see check_replaceable), .nii.gz is
/// compressed, .npy and .tif hold no geometry. Throws InputError for an unknown extension (listing the known), Failure
/// when the disk does not take it, Cancelled between two batches of slices.
void save_volume(const Volume&, const std::filesystem::path&, const Watch& = {});

/// Where projections go view by view, so that there may be more of them than memory holds: .npy (view x row x column),
/// .mha, .mhd or .tif (one page a view).
std::unique_ptr<StackWriter> create_projections(const Scan&, const std::filesystem::path&);
/// The same from memory.
void save_projections(const Projections&, const std::filesystem::path&, const Watch& = {});

/// Throws the InputError that saving there would, for what the path alone tells: a .mhd whose .raw exists and belongs
/// to something else. For programs, before the work.
void check_replaceable(const std::filesystem::path&);

/// Extensions that save_volume() takes, with the dot.
const std::vector<std::string>& volume_extensions();

}  // namespace backlit
