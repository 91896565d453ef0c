// MRC2014 (Cheng et al., J. Struct. Biol. 192, 2015) and IMOD's tilt series: a header of 1024 bytes, then samples.
#include "io/volumes/mrc.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/binary_fields.hpp"
#include "io/header_fields.hpp"
#include "io/text_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mrc_header_bytes = 1024;
constexpr double mm_per_angstrom = 1e-7;

enum MrcField : std::size_t {
  columns = 0,
  rows = 4,
  sections = 8,
  mode = 12,
  intervals = 28,  // three
  cell = 40,       // three, angstrom
  axes = 64,       // three: 1 2 3 when columns, rows, sections run along x, y, z
  space_group = 88,
  extended_bytes = 92,
  imod_stamp = 152,
  imod_flags = 156,
  map = 208,
  machine = 212
};

bool plausible(const BinaryFields& h) {
  const auto kind = h.get<std::int32_t>(mode);
  return kind >= 0 && kind <= 101 && h.get<std::int32_t>(columns) > 0 && h.get<std::int32_t>(rows) > 0 &&
         h.get<std::int32_t>(sections) > 0;
}

/// Old files have no machine stamp or a wrong one. Then the byte order follows from the mode.
bool is_big_endian(std::string_view front) {
  const bool stamp = front.substr(machine, 2) == "\x11\x11";
  return plausible(BinaryFields(front, "", stamp)) ? stamp : !stamp;
}

SampleType sample_type(const BinaryFields& h) {
  const auto kind = h.get<std::int32_t>(mode);
  // IMOD's files state whether bytes are signed; in the standard they are.
  const bool imod = h.get<std::int32_t>(imod_stamp) == 1146047817;
  switch (kind) {
    case 0:
      return imod && !(h.get<std::int32_t>(imod_flags) & 1) ? SampleType::u8 : SampleType::i8;
    case 1:
      return SampleType::i16;
    case 2:
      return SampleType::f32;
    case 6:
      return SampleType::u16;
    case 12:
      return SampleType::f16;
    default:
      throw InputError(h.where(), fmt::format("its samples are of mode {}", kind),
                       "modes 0, 1, 2, 6 and 12 can be read: integers, floats and half floats");
  }
}

/// The bytes of the header.
std::string mrc_header(const fs::path& path) {
  std::string front = read_front(path, mrc_header_bytes);
  if (front.size() < mrc_header_bytes)
    throw InputError(path.string(), "is shorter than the header of MRC", "the file is cut off");
  return front;
}

std::unique_ptr<StackReader> open_mrc(const fs::path& path) {
  const std::string where = path.string(), front = mrc_header(path);
  const BinaryFields h(front, where, is_big_endian(front));
  RawLayout layout;
  layout.info.format = "mrc";
  layout.info.columns = h.get<std::int32_t>(columns);
  layout.info.rows = h.get<std::int32_t>(rows);
  layout.info.images = h.get<std::int32_t>(sections);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto axis = h.get<std::int32_t>(axes + 4 * a);
    if (axis != 0 && axis != static_cast<std::int32_t>(a + 1))
      throw InputError(where, fmt::format("axis {} of the file is axis {} of the map", a + 1, axis),
                       "columns, rows and sections must run along x, y and z");
  }
  layout.samples = {sample_type(h), is_big_endian(front)};
  const auto extended = h.get<std::int32_t>(extended_bytes);
  if (extended < 0) throw InputError(where, fmt::format("its extended header has {} bytes", extended), "it is damaged");
  layout.offset = static_cast<std::int64_t>(mrc_header_bytes) + extended;
  Vec3 pixel(0);
  for (int a = 0; a < 3; ++a) {
    const auto at = static_cast<std::size_t>(4 * a);
    const auto n = h.get<std::int32_t>(intervals + at);
    const double length = h.get<float>(cell + at);
    if (n > 0 && length > 0 && std::isfinite(length)) pixel[a] = length / n * mm_per_angstrom;
  }
  // Writers that do not know the size write one angstrom.
  const bool known = pixel.x > 0 && pixel.y > 0 && std::abs(pixel.x / mm_per_angstrom - 1) > 1e-6;
  if (known) layout.info.pixel_mm = glm::dvec2(pixel);
  if (known && pixel.z > 0) layout.info.spacing = pixel;
  return make_raw_stack(open_bytes(path), layout, where);
}

/// Names of MRC2014. IMOD uses the bytes from 128 on in another way.
constexpr BinaryField mrc_fields[] = {
    {columns, BinaryField::Type::i32, {"NX", "columns", "px"}},
    {rows, BinaryField::Type::i32, {"NY", "rows", "px"}},
    {sections, BinaryField::Type::i32, {"NZ", "sections"}},
    {mode, BinaryField::Type::i32, {"MODE", "mode of the samples"}},
    {16, BinaryField::Type::i32, {"NXSTART NYSTART NZSTART"}, 3},
    {intervals, BinaryField::Type::i32, {"MX MY MZ", "intervals of the cell"}, 3},
    {cell, BinaryField::Type::f32, {"CELLA", "cell", "angstrom"}, 3},
    {52, BinaryField::Type::f32, {"CELLB", "angles of the cell", "deg"}, 3},
    {axes, BinaryField::Type::i32, {"MAPC MAPR MAPS", "axes of columns, rows and sections"}, 3},
    {76, BinaryField::Type::f32, {"DMIN DMAX DMEAN", "least, greatest and mean value as stated"}, 3},
    {space_group, BinaryField::Type::i32, {"ISPG", "space group"}},
    {extended_bytes, BinaryField::Type::i32, {"NSYMBT", "extended header", "bytes"}},
    {104, BinaryField::Type::text, {"EXTTYP"}, 4},
    {108, BinaryField::Type::i32, {"NVERSION"}},
    {196, BinaryField::Type::f32, {"ORIGIN"}, 3},
    {216, BinaryField::Type::f32, {"RMS"}},
};

void describe_mrc(const fs::path& path, FileInfo& info) {
  const std::string front = mrc_header(path);
  const BinaryFields h(front, path.string(), is_big_endian(front));
  HeaderFields fields = HeaderFields::of_binary(h, mrc_fields);
  constexpr std::size_t labels = 10, first = 224, length = 80;
  for (std::size_t i = 0; i < labels; ++i) {
    std::string_view label = h.text(first + i * length, length);
    label = trimmed(label.substr(0, label.find('\0')));
    if (!label.empty()) fields.add(fmt::format("LABEL {}", i + 1), std::string(label));
  }
  fields.add_to(info);
}

}  // namespace

bool is_mrc(const FileFront& front) {
  if (front.bytes.size() < mrc_header_bytes || !plausible(BinaryFields(front.bytes, "", is_big_endian(front.bytes))))
    return false;
  // Files without the word "MAP" need one of these extensions too.
  return std::string_view(front.bytes).substr(map, 3) == "MAP" ||
         has_extension(front.path, {".mrc", ".mrcs", ".st", ".ali", ".rec", ".preali"});
}

VolumeFormat mrc_format() {
  VolumeFormat f;
  f.name = "mrc";
  f.title = "MRC";
  f.extensions = {".mrc", ".mrcs", ".st", ".ali", ".preali", ".rec"};
  f.recognizes = is_mrc;
  f.open = [](const fs::path& path, const std::string&) { return open_mrc(path); };
  f.describe = describe_mrc;
  f.notes =
      "integers, floats and half floats; angstroms become mm; tested on a real stack of half floats, else on files "
      "made from the description";
  return f;
}

}  // namespace backlit::formats
