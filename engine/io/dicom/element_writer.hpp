// A DICOM file, element after element: explicit, little-endian.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/dicom/data_set.hpp"

namespace backlit::dicom {

/// A UID that nobody has yet: 2.25 and a random number.
std::string new_uid();

/// A number in at most 16 characters (DS).
std::string decimal(double value);

class ElementWriter {
 public:
  /// Begins with the preamble and the file meta elements.
  ElementWriter(std::string_view sop_class, std::string_view sop_instance);

  // Tags must rise from call to call.

  /// `type` is one of a short length: "CS", "DS", "UI", ...
  void text(Tag, std::string_view type, std::string_view value);
  void number(Tag, std::uint16_t value);
  void pixels(std::span<const std::byte>);
  /// Throws Failure when the disk does not take it.
  void save(const std::filesystem::path&) const;

 private:
  void head(Tag, std::string_view type);

  std::string bytes_;
};

}  // namespace backlit::dicom
