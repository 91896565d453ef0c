// The slices of a DICOM series, put in order.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/dicom/data_set.hpp"

namespace backlit::dicom {

struct Slice {
  std::filesystem::path file;
  std::int64_t offset = 0;  ///< of its pixels
  PixelFormat pixels;
  std::vector<double> position, orientation, spacing;  ///< empty where the file has none
  double thickness = 0;                                ///< mm; 0: not known
  std::string series;                                  ///< UID
  int series_number = 0, instance = 0;
};

struct Series {
  std::vector<Slice> slices;  ///< along +z
  double thickness = 0;       ///< mm between them; 0: not known
  bool has_place = false;     ///< positions and orientations are known
};

/// The slices of the files, or of one series of them where `number` is not empty. Throws InputError for several series
/// (naming their numbers), slices that differ, are turned, lie in one place or leave a gap.
Series series_of(const std::vector<std::filesystem::path>& files, const std::string& number, const std::string& where);

}  // namespace backlit::dicom
