// A stack of equal images on disk, whatever the format: slices of a volume or views of a scan, read a few at a time.
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

/// Positions are in the engine's world, which is the frame of MHA unchanged (LPS: x to the patient's left, y to the
/// back, z to the head). NIfTI and NRRD in RAS have x and y negated when read and written. Grids whose axes run against
/// the world's are reversed while they are read; turned or permuted ones are refused.
struct StackInfo {
  std::int64_t columns = 0;       ///< fastest; x of a volume
  std::int64_t rows = 0;          ///< y of a volume
  std::int64_t images = 0;        ///< slowest; z of a volume. Two-dimensional files are one image.
  std::string type{};             ///< as stored: "u8", "i16", "u16", "f32", "f64", ...
  std::string format{};           ///< FileFormat::name: "mha"
  std::optional<Vec3> spacing{};  ///< mm, when the file says
  std::optional<Vec3> center{};   ///< mm, of the middle of the grid in our frame, when the file says
  /// From the header of each image: the size of a pixel along columns and rows, and the place of the image's middle,
  /// mm. Several files in one stack must agree. How scans use it: docs/geometry.md.
  std::optional<glm::dvec2> pixel_mm{}, middle_mm{};
  std::optional<std::filesystem::path> values_file{};  ///< where the samples are, when the header names another file

  std::int64_t pixels() const { return columns * rows; }
};

class StackReader {
 public:
  virtual ~StackReader() = default;
  virtual const StackInfo& info() const = 0;
  /// Reads images [first, first + count) as floats (overwritten). Throws InputError naming file and image when the data
  /// end early or cannot be decoded. Integers are not rescaled (but NIfTI's scl_slope and scl_inter are applied: there
  /// they are part of the value).
  virtual void read(std::int64_t first, std::int64_t count, std::span<float> out) = 0;
  /// The same images as 16-bit counts; false, and nothing read, unless the samples are u8 or u16. For no images this
  /// only asks.
  virtual bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out);
  /// All images. Little-endian f32 in an uncompressed file that is larger than the memory left (host_memory.hpp) is
  /// mapped, copy on write: such a file must not be cut while it is in use. Everything else is read. Throws Cancelled
  /// between two batches.
  virtual HostArray<float> read_all(const Watch& = {});
};

/// Opens a file ("stack.mha"), a folder that is a volume ("head.zarr"), a glob of images in natural order
/// ("raw_*.tiff"), or an HDF5 data set
/// ("scan.h5:/exchange/data"). HDF5 without a path: /volume, else /exchange/data, else the only three-dimensional data
/// set. Checks sizes against the file before anything is allocated. Chosen by content, then by extension. Throws
/// InputError naming the fault and the known formats.
std::unique_ptr<StackReader> open_stack(const std::string& spec);

/// The images of several files as one stack, in this order. Throws as open_stack() does, and when there is none.
std::unique_ptr<StackReader> open_files(std::vector<std::filesystem::path>);

/// Every file that open_stack() or read_numbers() reads for this spec; empty when there is none.
std::vector<std::filesystem::path> files_of(const std::string& spec);

/// A one-dimensional list of numbers: a text file (separated by lines, blanks or commas; # starts a comment), an HDF5
/// data set or .npy. Throws InputError naming file and line.
std::vector<double> read_numbers(const std::string& spec);

/// Names matching a glob pattern (* ? [a-z]), in natural order ("a2" before "a10"); empty when there are none.
std::vector<std::filesystem::path> natural_glob(const std::string& pattern);
/// Sorts in natural order.
void sort_naturally(std::vector<std::filesystem::path>&);

}  // namespace backlit
