// A DICOM file as its elements: little-endian, explicit or implicit, pixels as they are (PS3.5, PS3.10).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace backlit::dicom {

/// Group and element: 0x00280010 is (0028,0010).
using Tag = std::uint32_t;

/// "(0028,0010)"
std::string tag_text(Tag);

/// Tags that several readers take.
namespace tags {
inline constexpr Tag modality = 0x00080060, manufacturer = 0x00080070, series_uid = 0x0020000e,
                     series_number = 0x00200011, instance_number = 0x00200013, thickness = 0x00180050,
                     position = 0x00200032, orientation = 0x00200037, samples_per_pixel = 0x00280002,
                     frames = 0x00280008, rows = 0x00280010, columns = 0x00280011, spacing = 0x00280030,
                     bits_allocated = 0x00280100, bits_stored = 0x00280101, is_signed = 0x00280103,
                     intercept = 0x00281052, slope = 0x00281053, pixels = 0x7fe00010;
}  // namespace tags

/// Whether a file begins as DICOM files do: 128 bytes of anything, and "DICM".
bool is_dicom(std::string_view front);

/// The files of a folder that are DICOM, in natural order.
std::vector<std::filesystem::path> dicom_files(const std::filesystem::path& folder);

/// The first file of a folder that is DICOM; nothing where there is none among the first few.
std::optional<std::filesystem::path> a_dicom_file(const std::filesystem::path& folder);

/// The elements of a file outside of sequences. Values longer than 64 KiB are not kept, pixels are found.
class DataSet {
 public:
  /// Throws InputError for a file that is damaged, or compressed.
  explicit DataSet(const std::filesystem::path&);

  bool has(Tag tag) const { return elements_.contains(tag); }
  /// Without blanks at its end; empty where there is none.
  std::string text(Tag) const;
  /// Numbers of DS, IS, US, SS, UL, SL, FL and FD; where a file gives no type (implicit, UN, OB, OW), `binary` says
  /// that of the element: 'f' (float), 'd' (double), 'u' (16 bits), 't' (text). Throws InputError when they are no
  /// numbers.
  std::vector<double> numbers(Tag, char binary) const;
  std::optional<double> number(Tag, char binary) const;
  /// A whole number of 32 bits; `otherwise` where there is none. Throws InputError when it is not one.
  int integer(Tag, char binary, int otherwise) const;
  /// Throws InputError naming `meaning` where there is none.
  double require(Tag, char binary, std::string_view meaning) const;
  std::vector<double> require_many(Tag, char binary, std::size_t count, std::string_view meaning) const;

  /// Every element that nobody asked for, as "(0028,0010) = 512"; those without a type and long ones as their size.
  std::vector<std::string> unused() const;

  const std::string& file() const { return file_; }
  std::int64_t pixel_offset() const { return pixel_offset_; }
  std::int64_t pixel_bytes() const { return pixel_bytes_; }

 private:
  struct Element {
    std::string type;  ///< "US"; empty where the file does not say
    std::string value;
    std::uint32_t length = 0;
    mutable bool used = false;
  };
  class Parser;
  const Element* find(Tag) const;
  /// The value of a short element as text; empty where it is neither text nor of a type of numbers.
  std::string shown(Tag, const Element&) const;
  [[noreturn]] void fail(Tag, const std::string& problem) const;

  std::string file_;
  std::map<Tag, Element> elements_;
  std::int64_t pixel_offset_ = -1, pixel_bytes_ = 0;
};

/// How the pixels of one image are stored.
struct PixelFormat {
  std::int64_t rows = 0, columns = 0;
  int bits_allocated = 16, bits_stored = 16;
  bool is_signed = false;
  double slope = 1, intercept = 0;
  bool operator==(const PixelFormat&) const = default;
};

/// Checks that the file holds one grey image of 8, 16 or 32 bits, all of it. Throws InputError.
PixelFormat pixel_format(const DataSet&);

/// Reads the pixels of `file` as values: slope x stored + intercept.
void read_pixels(const std::filesystem::path& file, std::int64_t offset, const PixelFormat&, std::span<float> out);

}  // namespace backlit::dicom
