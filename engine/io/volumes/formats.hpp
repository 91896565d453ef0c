// The formats behind open_stack(), load_volume() and save_volume(): one .cpp file each.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <backlit/geometry/volume_grid.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/stack_writer.hpp>

namespace backlit::formats {

namespace fs = std::filesystem;

/// All readers throw InputError naming the file and the field that is wrong.
std::unique_ptr<StackReader> open_npy(const fs::path&);
/// Rows in the order of the file (pfm(5) calls the first one the bottom of the picture); the size of the number that
/// gives the byte order is not applied.
std::unique_ptr<StackReader> open_pfm(const fs::path&);
std::unique_ptr<StackReader> open_tiff(const fs::path&);
std::unique_ptr<StackReader> open_mha(const fs::path&);
std::unique_ptr<StackReader> open_nrrd(const fs::path&);
std::unique_ptr<StackReader> open_nifti(const fs::path&);
/// `dataset` empty: see open_stack().
std::unique_ptr<StackReader> open_hdf5(const fs::path&, const std::string& dataset);
/// Whether an HDF5 file has a data set of this name.
bool hdf5_has(const fs::path&, const std::string& dataset);
std::unique_ptr<StackReader> open_rabbitct(const fs::path&);
std::unique_ptr<StackReader> open_vol(const fs::path&);

/// The NPY or HDF5 file as a list of numbers.
std::vector<double> npy_numbers(const fs::path&);
std::vector<double> hdf5_numbers(const fs::path&, const std::string& dataset);

/// Whether the first bytes of a file are those of a NIfTI header, or of a PFM image.
bool is_nifti_header(const std::string& front);
bool is_pfm(const std::string& front);
/// Whether a file has exactly the size that its first numbers promise as RabbitCT data.
bool is_rabbitct(const fs::path&);

/// Writers take images in order, slices or views.
std::unique_ptr<StackWriter> create_npy(const fs::path&, const Size3& size);
std::unique_ptr<StackWriter> create_tiff(const fs::path&, const Size3& size);
std::unique_ptr<StackWriter> create_mha(const fs::path&, const VolumeGrid&);
/// Throws InputError when saving this .mhd would replace a .raw that it does not name already: that may be a scan.
void require_own_raw(const fs::path&);
std::unique_ptr<StackWriter> create_nrrd(const fs::path&, const VolumeGrid&);
std::unique_ptr<StackWriter> create_nifti(const fs::path&, const VolumeGrid&);
std::unique_ptr<StackWriter> create_hdf5(const fs::path&, const VolumeGrid&);

}  // namespace backlit::formats
