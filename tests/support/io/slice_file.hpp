// A CT slice in DICOM as other programs write it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "support/io/dicom_bytes.hpp"
#include "support/io/io_samples.hpp"

namespace backlit::test {

/// A slice of 3 columns and 2 rows: stored values 10 k to 10 k + 5.
struct SliceFile {
  double z = 0;
  int number = 0;  ///< k
  std::string orientation = "1\\0\\0\\0\\1\\0", position = "5\\-7\\{}", slope = "2", intercept = "-1000";
  std::string series = "1.2.3", series_number = "1", spacing = "0.5\\0.25", syntax = "";
  int bits_stored = 16, samples = 1;
  bool with_types = true, is_signed = true;

  std::string bytes() const {
    DicomBytes d(with_types);
    d.text(0x00080060, "CS", "CT");
    // A sequence of unknown length, as scanners write them, with another image's position in it.
    d.open_sequence(0x00081140);
    d.text(0x00200032, "DS", "99\\99\\99");
    d.close_sequence();
    d.text(0x0020000e, "UI", series);
    d.text(0x00200011, "IS", series_number);
    d.text(0x00200013, "IS", std::to_string(number + 1));
    d.text(0x00200032, "DS", fmt::format(fmt::runtime(position), z));
    d.text(0x00200037, "DS", orientation);
    d.binary("US", 0x00280002, {static_cast<std::uint16_t>(samples)});
    d.binary<std::uint16_t>("US", 0x00280010, {2});
    d.binary<std::uint16_t>("US", 0x00280011, {3});
    d.text(0x00280030, "DS", spacing);
    d.binary<std::uint16_t>("US", 0x00280100, {16});
    d.binary("US", 0x00280101, {static_cast<std::uint16_t>(bits_stored)});
    d.binary("US", 0x00280103, {static_cast<std::uint16_t>(is_signed)});
    d.text(0x00281052, "DS", intercept);
    d.text(0x00281053, "DS", slope);
    std::vector<double> values;
    for (int i = 0; i < 6; ++i) values.push_back(10 * number + i);
    d.element(0x7fe00010, "OW", packed<std::int16_t>(values, false));
    return d.file(syntax);
  }
};

}  // namespace backlit::test
