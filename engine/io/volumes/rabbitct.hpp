// The RabbitCT benchmark's data (Rohkohl, Keck, Hofmann, Hornegger: RabbitCT - an open platform for benchmarking 3D
// cone-beam reconstruction algorithms, Medical Physics 36(9), 2009): one file with images and matrices.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <backlit/geometry/matrix.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// Layout, little endian: u32 columns, rows, images; f32 scale and shift to Hounsfield units. Version 2 of the data set
/// has a u32 version in front. For every image there follow 12 f64 and columns x rows f32. Version 2 ends with the
/// reference volumes of 128^3 to 1024^3 u16. The images are filtered and weighted already: use FDK without its filter.
struct RabbitCt {
  std::unique_ptr<StackReader> images;
  /// One matrix an image: the 12 numbers as stored, column by column. They map mm to (column w, row w, w), pixel
  /// centres at integers. The scale is the file's: w is 1 at the isocentre, not mm; view_from_matrix() accepts any
  /// scale.
  std::vector<ProjectionMatrix> matrices;
  double hu_scale = 1, hu_shift = 0;  ///< Hounsfield units + 1024 = scale * value + shift, clamped to 0 to 4095
};

/// Throws InputError naming the file, or the first image whose matrix is not finite.
RabbitCt open_rabbitct(const std::filesystem::path&);

/// Whether a file has exactly the size that its first numbers give for RabbitCT data.
bool is_rabbitct(const FileFront&);

}  // namespace backlit
