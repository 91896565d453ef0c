// Varian .xim: one image, compressed without loss or plain, followed by named properties.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/binary_fields.hpp"
#include "io/header_fields.hpp"
#include "io/volumes/scanners/varian.hpp"
#include "io/volumes/scanners/varian_pixels.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// The parts of a file, with the pixels still packed.
struct Layout {
  std::string bytes;
  XimImage image;
  std::vector<std::pair<std::string, std::string>> properties;  ///< all of them, in the file's order
  bool packed = false;
  std::int64_t sample_bytes = 4;
  std::string_view lengths, pixels;
};

/// Reads a file from front to back.
class Cursor {
 public:
  explicit Cursor(const BinaryFields& fields, std::size_t at) : fields_(fields), at_(at) {}
  template <class T>
  T next() {
    const T value = fields_.get<T>(at_);
    at_ += sizeof(T);
    return value;
  }
  std::string_view text(std::int64_t size) {
    if (size < 0) throw InputError(fields_.where(), fmt::format("a part of it has {} bytes", size), "it is damaged");
    const std::string_view found = fields_.text(at_, static_cast<std::size_t>(size));
    at_ += found.size();
    return found;
  }

 private:
  const BinaryFields& fields_;
  std::size_t at_;
};

/// The largest single number stands for a property that the machine did not set.
std::string property_text(double value) {
  const bool set = value < static_cast<double>(std::numeric_limits<float>::max());
  return set ? with_unit(value, "") : "not set";
}

void read_properties(Cursor& at, Layout& l, const std::string& where) {
  const auto bins = at.next<std::int32_t>();
  at.text(4 * static_cast<std::int64_t>(bins));
  const auto count = at.next<std::int32_t>();
  for (std::int32_t i = 0; i < count; ++i) {
    const std::string name(at.text(at.next<std::int32_t>()));
    switch (const auto type = at.next<std::int32_t>()) {
      case 0:
        l.image.numbers[name] = at.next<std::int32_t>();
        l.properties.emplace_back(name, fmt::format("{:.0f}", l.image.numbers[name]));
        break;
      case 1:
        l.image.numbers[name] = at.next<double>();
        l.properties.emplace_back(name, property_text(l.image.numbers[name]));
        break;
      case 2:
        l.properties.emplace_back(name, at.text(at.next<std::int32_t>()));
        break;
      case 4:
      case 5:  // lists of doubles and of integers
        l.properties.emplace_back(name, fmt::format("{} numbers", at.text(at.next<std::int32_t>()).size() /
                                                                      (type == 4 ? sizeof(double) : 4)));
        break;
      default:
        throw InputError(where, fmt::format("its property {} is of type {}", name.substr(0, 40), type),
                         "it is damaged");
    }
  }
}

/// Files of Varian's machines have a zero byte in front of the word.
bool is_xim(std::string_view front) {
  if (front.starts_with('\0')) front.remove_prefix(1);
  return front.starts_with("VMS.XI");
}

Layout read_layout(const fs::path& path) {
  Layout l;
  const std::string where = path.string();
  l.bytes = read_front(path, most_varian_bytes);
  const BinaryFields fields(l.bytes, where);
  if (!is_xim(l.bytes)) throw InputError(where, "is no .xim image", "its first word is VMS.XI");
  l.image.columns = fields.get<std::int32_t>(12);
  l.image.rows = fields.get<std::int32_t>(16);
  l.sample_bytes = fields.get<std::int32_t>(24);
  const auto packing = fields.get<std::int32_t>(28);
  if (packing != 0 && packing != 1)
    throw InputError(where, fmt::format("its pixels are packed by method {}", packing), "methods 0 and 1 can be read");
  l.packed = packing == 1;
  Cursor at(fields, 32);
  if (l.packed) l.lengths = at.text(at.next<std::int32_t>());
  l.pixels = at.text(at.next<std::int32_t>());
  if (l.packed) at.next<std::int32_t>();
  read_properties(at, l, where);
  return l;
}

class XimStack final : public StackReader {
 public:
  explicit XimStack(const fs::path& path) : where_(path.string()) {
    const Layout l = read_layout(path);
    info_ = {l.image.columns, l.image.rows, 1, "i32", "xim"};
    packed_bytes(info_, SampleType::i8, where_);
    // A packed pixel takes at least one byte, besides two bits of the table. A plain pixel takes its bytes.
    const auto bytes = static_cast<std::int64_t>(l.pixels.size());
    if (info_.pixels() > bytes / (l.packed ? 1 : std::max<std::int64_t>(1, l.sample_bytes)))
      throw InputError(where_, fmt::format("{} bytes cannot hold {} x {} pixels", bytes, info_.columns, info_.rows),
                       "the file is cut off or its header is damaged");
    const auto number = [&](const char* name) {
      const auto found = l.image.numbers.find(name);
      return found == l.image.numbers.end() ? 0.0 : 10 * found->second;  // cm
    };
    if (number("PixelWidth") > 0 && number("PixelHeight") > 0)
      info_.pixel_mm = glm::dvec2(number("PixelWidth"), number("PixelHeight"));
  }
  const StackInfo& info() const override { return info_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), where_);
    if (count == 0) return;
    const Layout l = read_layout(where_);
    if (l.image.columns != info_.columns || l.image.rows != info_.rows)
      throw InputError(where_, "has changed since it was opened");
    out = out.first(static_cast<std::size_t>(info_.pixels()));
    if (l.packed)
      unpack_varian(l.lengths, l.pixels, info_.columns, out, where_);
    else
      convert_samples(std::as_bytes(std::span(l.pixels)), {plain_type(l.sample_bytes)}, out);
  }

 private:
  SampleType plain_type(std::int64_t bytes) const {
    switch (bytes) {
      case 1:
        return SampleType::i8;
      case 2:
        return SampleType::i16;
      case 4:
        return SampleType::i32;
      default:
        throw InputError(where_, fmt::format("its pixels have {} bytes", bytes), "1, 2 and 4 can be read");
    }
  }

  std::string where_;
  StackInfo info_;
};

/// Units as in Varian's description of its images: cm, degrees. The kV side is the imager, the MV side the treatment.
constexpr KnownField xim_fields[] = {
    {"Width", "columns", "px"},
    {"Height", "rows", "px"},
    {"BitsPerPixel", "bits a pixel"},
    {"PixelWidth", "width of a pixel", "mm", 10},
    {"PixelHeight", "height of a pixel", "mm", 10},
    {"KVSourceRtn", "angle of the kV source", "deg"},
    {"KVSourcePitch", "pitch of the kV source", "deg"},
    {"KVSourceVrt", "kV source to axis", "mm", 10},
    {"KVSourceLat", "kV source moved across", "mm", 10},
    {"KVSourceLng", "kV source moved along the axis", "mm", 10},
    {"KVDetectorRtn", "turn of the kV detector", "deg"},
    {"KVDetectorPitch", "pitch of the kV detector", "deg"},
    {"KVDetectorVrt", "height of the kV detector above the axis", "mm", 10},
    {"KVDetectorLat", "kV detector moved across", "mm", 10},
    {"KVDetectorLng", "kV detector moved along the axis", "mm", 10},
    {"KVCollimatorX1", "kV collimator X1", "mm", 10},
    {"KVCollimatorX2", "kV collimator X2", "mm", 10},
    {"KVCollimatorY1", "kV collimator Y1", "mm", 10},
    {"KVCollimatorY2", "kV collimator Y2", "mm", 10},
    {"KVCollimatorShape", "collimator"},
    {"KVCollimatorFoil", "foil in the beam"},
    {"KVFocalSpot", "focal spot"},
    {"KVKiloVolts", "tube voltage", "kV"},
    {"KVMilliAmperes", "tube current", "mA"},
    {"KVMilliSeconds", "length of the pulse", "ms"},
    {"KVNormChamber", "chamber that monitors the beam", "counts"},
    {"GantryRtn", "angle of the gantry", "deg"},
    {"CouchVrt", "couch, vertical", "mm", 10},
    {"CouchLat", "couch, lateral", "mm", 10},
    {"CouchLng", "couch, longitudinal", "mm", 10},
    {"CouchRtn", "turn of the couch", "deg"},
    {"CouchPit", "pitch of the couch", "deg"},
    {"CouchRol", "roll of the couch", "deg"},
    {"FrameRate", "frames a second", "1/s"},
};

void describe_xim(const fs::path& path, FileInfo& info) {
  const Layout l = read_layout(path);
  HeaderFields fields(path.string());
  fields.add("Width", std::to_string(l.image.columns), "byte 12");
  fields.add("Height", std::to_string(l.image.rows), "byte 16");
  fields.add("BitsPerPixel", std::to_string(BinaryFields(l.bytes, path.string()).get<std::int32_t>(20)), "byte 20");
  for (const auto& [name, value] : l.properties) fields.add(name, value);
  fields.note_known(xim_fields);
  fields.add_to(info);
}

}  // namespace

XimImage read_xim_header(const fs::path& path) { return read_layout(path).image; }

VolumeFormat xim_format() {
  VolumeFormat f;
  f.name = "xim";
  f.title = "Varian XIM";
  f.extensions = {".xim"};
  f.recognizes = [](const FileFront& front) { return is_xim(front.bytes); };
  f.open = [](const fs::path& path, const std::string&) { return std::make_unique<XimStack>(path); };
  f.describe = describe_xim;
  f.notes = "one image a file, packed or plain; tested on a real frame";
  return f;
}

}  // namespace backlit::formats
