// A stack of equal images on disk, whatever the format: slices of a volume or views of a scan, read a few at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/types.hpp"

namespace backlit {

struct StackInfo {
  std::int64_t columns = 0;        ///< fastest
  std::int64_t rows = 0;
  std::int64_t images = 0;         ///< slowest
  std::string type;                ///< as stored: "u8", "i16", "u16", "f32", "f64", ...
  std::string format;              ///< "npy", "tiff", "mha", "nrrd", "nifti", "hdf5", "rabbitct"
  std::optional<Vec3> spacing;     ///< mm, when the file says
  std::optional<Vec3> center;      ///< mm, of the middle of the grid in our frame, when the file says
};

class StackReader {
 public:
  virtual ~StackReader() = default;
  virtual const StackInfo& info() const = 0;
  /// Reads images [first, first + count) as floats (overwritten). Throws InputError naming file and image when the data
  /// end early or cannot be decoded. Integers are not rescaled.
  virtual void read(std::int64_t first, std::int64_t count, std::span<float> out) = 0;
};

/// Opens a file ("stack.mha"), a glob of images in natural order ("raw_*.tiff"), or an HDF5 data set
/// ("scan.h5:/exchange/data"). Checks sizes against the file before anything is allocated. Chosen by content, then by
/// extension. Throws InputError naming what is wrong and the formats that are known.
std::unique_ptr<StackReader> open_stack(const std::string& spec);

/// A one-dimensional list of numbers: a text file (one a line, # comments) or an HDF5 data set or .npy.
std::vector<double> read_numbers(const std::string& spec);

/// Names matching a glob pattern, in natural order ("a2" before "a10").
std::vector<std::filesystem::path> natural_glob(const std::string& pattern);

}  // namespace backlit
