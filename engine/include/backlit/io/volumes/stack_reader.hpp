// A stack of equal images on disk, in any format: slices of a volume or views of a scan, read a few at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/data/host_array.hpp>
#include <backlit/geometry/types.hpp>

namespace backlit {

/// Positions are in the engine's world, which is the frame of MHA (LPS: x to the patient's left, y to the back, z to
/// the head). For NIfTI, and for NRRD in RAS, readers and writers negate x and y. Axes against the world's direction
/// are reversed while reading. Rotated or permuted grids are refused.
struct StackInfo {
  std::int64_t columns = 0;       ///< fastest; x of a volume
  std::int64_t rows = 0;          ///< y of a volume
  std::int64_t images = 0;        ///< slowest; z of a volume. Two-dimensional files are one image.
  std::string type{};             ///< stored type: "u8", "i16", "u16", "f32", "f64", ...
  std::string format{};           ///< FileFormat::name: "mha"
  std::optional<Vec3> spacing{};  ///< mm, when the file has it
  std::optional<Vec3> center{};   ///< mm, middle of the grid in the world, when the file has it
  /// From each image's header: the pixel size along columns and rows, and the position of the image's middle, mm.
  /// Several files in one stack must agree. docs/reference/geometry-files.md explains their use in scans.
  std::optional<glm::dvec2> pixel_mm{}, middle_mm{};
  std::optional<std::filesystem::path> values_file{};  ///< the file of the samples, when the header names another file
  /// Sizes of an array of two or three dimensions, as its own program shows them (NumPy's shape, MATLAB's size());
  /// empty for formats of images.
  std::vector<std::int64_t> dimensions{};
  bool first_fastest = false;  ///< along the first of these, values lie side by side; else along the last

  std::int64_t pixels() const { return columns * rows; }
};

class StackReader {
 public:
  virtual ~StackReader() = default;
  virtual const StackInfo& info() const = 0;
  /// Reads images [first, first + count) as floats (overwritten). Throws InputError naming file and image when the data
  /// end early or cannot be decoded. Integers are not rescaled, except by NIfTI's scl_slope and scl_inter, which are
  /// part of the value.
  virtual void read(std::int64_t first, std::int64_t count, std::span<float> out) = 0;
  /// Reads the same images as 16-bit counts. Returns false and reads nothing unless the samples are u8 or u16. A call
  /// with `count` 0 reads nothing and only reports whether they are.
  virtual bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out);
  /// All images. Uncompressed little-endian f32 that is larger than the memory left (host_memory.hpp) is mapped, copy
  /// on write. Such a file must not be shortened while it is in use. Other files are read. Throws Cancelled between two
  /// batches.
  virtual HostArray<float> read_all(const Watch& = {});
};

/// Opens a file ("stack.mha"), a folder that is a volume ("head.zarr"), a glob of images in natural order
/// ("raw_*.tiff"), or an HDF5 data set
/// ("scan.h5:/exchange/data"). HDF5 without a path: /volume, else /exchange/data, else the only three-dimensional data
/// set, else the only image. The content decides the format, then the extension. Sizes are checked against the file
/// before anything is allocated. Throws InputError naming the fault and the known formats.
std::unique_ptr<StackReader> open_stack(const std::string& spec);

/// The images of several files as one stack, in this order. Throws as open_stack() does, and when there are no files.
std::unique_ptr<StackReader> open_files(std::vector<std::filesystem::path>);

/// Every file that open_stack() or read_numbers() reads for this spec; empty when there is none.
std::vector<std::filesystem::path> files_of(const std::string& spec);

/// A one-dimensional list of numbers: a text file (separated by lines, blanks or commas; # starts a comment), an HDF5
/// data set, .npy, .npz, or one row or column of a MATLAB file. Throws InputError naming file and line.
std::vector<double> read_numbers(const std::string& spec);

/// Names matching a glob pattern (* ? [a-z]), in natural order ("a2" before "a10"); empty when there are none.
std::vector<std::filesystem::path> natural_glob(const std::string& pattern);
/// Sorts in natural order.
void sort_naturally(std::vector<std::filesystem::path>&);

}  // namespace backlit
