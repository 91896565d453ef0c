// Interfile headers of PET: "!name := value" lines.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/header_fields.hpp"

namespace backlit::formats {

/// Names are without "!" or "%" in front and without blanks in front of "[", in upper or lower case. The first of equal
/// names counts; lines after ";" are comments. Errors are InputErrors that name the file and the field. What is read
/// with a `meaning` becomes a fact for the user.
class Interfile {
 public:
  explicit Interfile(const std::filesystem::path&);

  bool has(const std::string& name) const { return fields_.has(name); }
  /// Throws when the field is missing or empty.
  std::string text(const std::string& name, const char* meaning = "");
  /// The text in lower case; `otherwise` where the field is missing or empty.
  std::string word(const std::string& name, const std::string& otherwise, const char* meaning = "");
  /// A whole number from 1 to `most`; `otherwise`, if positive, stands for a missing field.
  std::int64_t count(const std::string& name, const char* meaning, std::int64_t most, std::int64_t otherwise = 0);
  /// "{1, 2, 3}", or one number.
  std::vector<std::int64_t> integers(const std::string& name, const char* meaning);
  /// In `unit`, once it is multiplied by `scale`.
  double number(const std::string& name, double otherwise, const char* meaning, const char* unit, double scale = 1);
  /// A positive length that is given in cm.
  double length_mm(const std::string& name_cm, const char* meaning);
  const std::string& where() const { return fields_.file(); }
  /// Facts that are read so far, and fields that are not used.
  HeaderFields& fields() { return fields_; }

 private:
  [[noreturn]] void missing(const std::string& name) const;

  HeaderFields fields_;
};

/// The two detectors, of `detectors` in a ring, of a view and a tangential position counted from the middle. STIR's
/// ProjDataInfoCylindricalNoArcCorr has the same.
inline std::array<std::int64_t, 2> detectors_of_bin(std::int64_t view, std::int64_t tangential,
                                                    std::int64_t detectors) {
  const std::int64_t n = detectors;
  return {(view + (tangential >> 1) + n) % n, (view - ((tangential + 1) >> 1) + n / 2 + n) % n};
}

}  // namespace backlit::formats
