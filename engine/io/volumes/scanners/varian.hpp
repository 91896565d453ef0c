// The properties in the headers of Varian's images.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit::formats {

/// One .xim image: Varian's names, numbers in Varian's units (cm, degrees).
struct XimImage {
  std::int64_t columns = 0, rows = 0;
  std::map<std::string, double> numbers;  ///< properties that are one number: KVSourceRtn, PixelWidth, ...
};
/// Throws InputError naming the file.
XimImage read_xim_header(const std::filesystem::path&);

/// The header of a .hnd or .hnc image. Varian's names without their d, in the file's units.
struct HndHeader {
  std::int64_t columns = 0, rows = 0;
  double pixel_u = 0, pixel_v = 0;  ///< IDUResolutionX, IDUResolutionY, mm
  double angle = 0;                 ///< CTProjectionAngle, degrees
  double to_axis = 0;               ///< SAD
  double to_detector = 0;           ///< SFD
  double lateral = 0, along = 0;    ///< IDUPosLat, IDUPosLng
  double chamber = 0;               ///< CTNormChamber
};
/// Throws InputError naming the file, for numbers that are not finite, too.
HndHeader read_hnd_header(const std::filesystem::path&);

}  // namespace backlit::formats
