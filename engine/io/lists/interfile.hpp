// Interfile headers of PET: "!name := value" lines.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace backlit::formats {

/// Names are in lower case, without "!" or "%" in front and without blanks in front of "[". The first of equal names
/// counts; lines after ";" are comments. Errors are InputErrors that name the file and the field.
class Interfile {
 public:
  explicit Interfile(const std::filesystem::path&);

  bool has(const std::string& name) const { return fields_.contains(name); }
  /// Throws when the field is missing or empty.
  const std::string& text(const std::string& name) const;
  /// The text in lower case; `otherwise` where the field is missing or empty.
  std::string word(const std::string& name, const std::string& otherwise) const;
  /// A whole number from 1 to `most`; `otherwise`, if positive, stands for a missing field.
  std::int64_t count(const std::string& name, std::int64_t most, std::int64_t otherwise = 0) const;
  /// "{1, 2, 3}", or one number.
  std::vector<std::int64_t> integers(const std::string& name) const;
  double number(const std::string& name, double otherwise) const;
  /// A positive length that is given in cm.
  double length_mm(const std::string& name_cm) const;
  const std::string& where() const { return where_; }

 private:
  std::string where_;
  std::map<std::string, std::string> fields_;
};

/// The two detectors, of `detectors` in a ring, of a view and a tangential position counted from the middle. STIR's
/// ProjDataInfoCylindricalNoArcCorr has the same.
inline std::array<std::int64_t, 2> detectors_of_bin(std::int64_t view, std::int64_t tangential,
                                                    std::int64_t detectors) {
  const std::int64_t n = detectors;
  return {(view + (tangential >> 1) + n) % n, (view - ((tangential + 1) >> 1) + n / 2 + n) % n};
}

}  // namespace backlit::formats
