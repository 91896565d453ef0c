// NRRD, attached (.nrrd) or detached (.nhdr): raw or gzip. LPS, RAS and LAS spaces are converted to the engine's (LPS).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/text_fields.hpp"
#include "io/volumes/stacks/image_frame.hpp"
#include "io/volumes/text_header.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// Reads "key: value" lines up to an empty line, or to the end when the data are in another file.
TextHeader read_nrrd_header(const fs::path& path) {
  const std::string front = read_front(path, 1 << 16);
  if (front.compare(0, 7, "NRRD000") != 0)
    throw InputError(path.string(), "is not a NRRD file", "its first line reads NRRD0001 to NRRD0005");
  TextHeader header;
  for (std::size_t begin = front.find('\n'); begin != std::string::npos && begin + 1 < front.size();) {
    const std::size_t end = front.find('\n', ++begin);
    const std::string_view line = trimmed(std::string_view(front).substr(begin, end - begin));
    begin = end;
    if (line.empty()) {
      header.bytes = static_cast<std::int64_t>(end == std::string::npos ? front.size() : end + 1);
      break;
    }
    const std::size_t colon = line.find(": ");
    if (line.front() != '#' && colon != std::string_view::npos)
      header.fields[lower_case(trimmed(line.substr(0, colon)))] = trimmed(line.substr(colon + 2));
  }
  return header;
}

SampleType nrrd_type(const std::string& text, const std::string& where) {
  static const std::map<std::string, SampleType> types{{"signed char", SampleType::i8},
                                                       {"int8", SampleType::i8},
                                                       {"int8_t", SampleType::i8},
                                                       {"uchar", SampleType::u8},
                                                       {"unsigned char", SampleType::u8},
                                                       {"uint8", SampleType::u8},
                                                       {"uint8_t", SampleType::u8},
                                                       {"short", SampleType::i16},
                                                       {"short int", SampleType::i16},
                                                       {"signed short", SampleType::i16},
                                                       {"int16", SampleType::i16},
                                                       {"int16_t", SampleType::i16},
                                                       {"ushort", SampleType::u16},
                                                       {"unsigned short", SampleType::u16},
                                                       {"unsigned short int", SampleType::u16},
                                                       {"uint16", SampleType::u16},
                                                       {"uint16_t", SampleType::u16},
                                                       {"int", SampleType::i32},
                                                       {"signed int", SampleType::i32},
                                                       {"int32", SampleType::i32},
                                                       {"int32_t", SampleType::i32},
                                                       {"uint", SampleType::u32},
                                                       {"unsigned int", SampleType::u32},
                                                       {"uint32", SampleType::u32},
                                                       {"uint32_t", SampleType::u32},
                                                       {"longlong", SampleType::i64},
                                                       {"long long", SampleType::i64},
                                                       {"int64", SampleType::i64},
                                                       {"int64_t", SampleType::i64},
                                                       {"ulonglong", SampleType::u64},
                                                       {"unsigned long long", SampleType::u64},
                                                       {"uint64", SampleType::u64},
                                                       {"uint64_t", SampleType::u64},
                                                       {"float", SampleType::f32},
                                                       {"double", SampleType::f64}};
  const auto found = types.find(text);
  if (found == types.end())
    throw InputError(where, fmt::format("type is '{}'", text.substr(0, 40)),
                     "8 to 64-bit integers, float and double can be read");
  return found->second;
}

/// Signs that convert x and y of a space to LPS.
Vec3 signs_to_lps(const std::string& space, const std::string& where) {
  const std::string name = lower_case(space);
  if (name.empty() || name == "lps" || name == "left-posterior-superior" || name == "scanner-xyz" ||
      name == "3d-right-handed")
    return {1, 1, 1};
  if (name == "ras" || name == "right-anterior-superior") return {-1, -1, 1};
  if (name == "las" || name == "left-anterior-superior") return {1, -1, 1};
  throw InputError(where, fmt::format("space is '{}'", space.substr(0, 40)),
                   "left-posterior-superior, right-anterior-superior and left-anterior-superior can be read");
}

/// "(1,0,0) (0,1,0) (0,0,1)" as nine numbers.
std::vector<double> parse_vectors(std::string text, std::size_t numbers, const std::string& where, const char* field) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
  return parse_numbers(text, numbers, where, field);
}

void set_geometry(const TextHeader& header, std::size_t dimensions, RawLayout& layout, const std::string& where) {
  const Vec3 signs = signs_to_lps(header.get({"space"}), where);
  std::array<Vec3, 3> steps{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  const std::string directions = header.get({"space directions"}), spacings = header.get({"spacings"});
  if (directions.empty() && spacings.empty()) return;
  if (dimensions != 3) return;  // a single image has no position in the world
  if (!directions.empty()) {
    const auto m = parse_vectors(directions, 9, where, "space directions");
    for (std::size_t axis = 0; axis < 3; ++axis)
      steps[axis] = signs * Vec3(m[3 * axis], m[3 * axis + 1], m[3 * axis + 2]);
  } else {
    const auto spacing = parse_numbers(spacings, 3, where, "spacings");
    for (std::size_t axis = 0; axis < 3; ++axis) steps[axis] *= std::abs(spacing[axis]);
  }
  std::optional<Vec3> first;
  if (const std::string text = header.get({"space origin"}); !text.empty()) {
    const auto origin = parse_vectors(text, 3, where, "space origin");
    first = signs * Vec3(origin[0], origin[1], origin[2]);
  }
  set_frame(layout, steps, first, where);
}

std::unique_ptr<StackReader> open_nrrd(const fs::path& path) {
  const std::string where = path.string();
  const TextHeader header = read_nrrd_header(path);
  const auto sizes = image_sizes(header, "dimension", "sizes", where);
  RawLayout layout;
  const std::string endian = lower_case(header.get({"endian"}));
  layout.samples = {nrrd_type(header.get({"type"}), where), endian == "big"};
  if (sample_bytes(layout.samples.type) > 1 && endian != "big" && endian != "little")
    throw InputError(where, fmt::format("endian is '{}'", endian.substr(0, 40)), "it must say little or big");
  layout.info.format = "nrrd";
  layout.info.columns = sizes[0];
  layout.info.rows = sizes[1];
  layout.info.images = sizes.size() > 2 ? sizes[2] : 1;
  const std::int64_t bytes = packed_bytes(layout.info, layout.samples.type, where);
  set_geometry(header, sizes.size(), layout, where);

  const std::string name = header.get({"data file", "datafile"});
  if (name.find('%') != std::string::npos || name.substr(0, 4) == "LIST")
    throw InputError(where, fmt::format("data file is '{}'", name.substr(0, 60)),
                     "data in one file can be read, not in a list of files");
  if (name.empty() && header.bytes == 0)
    throw InputError(where, "its header does not end", "the file is cut off: an empty line ends the header");
  const fs::path data = name.empty() ? path : path.parent_path() / name;
  if (!name.empty()) layout.info.values_file = data;
  const std::int64_t start = name.empty() ? header.bytes : 0;
  const std::string line_skip = header.get({"line skip", "lineskip"}),
                    byte_skip = header.get({"byte skip", "byteskip"});
  if (!line_skip.empty() && line_skip != "0")
    throw InputError(where, fmt::format("line skip is {}", line_skip.substr(0, 40)), "use byte skip");
  const std::int64_t skip = byte_skip.empty() ? 0 : parse_integers(byte_skip, 1, where, "byte skip")[0];
  const std::string encoding = lower_case(header.get({"encoding"}));
  if (encoding == "gzip" || encoding == "gz")
    return make_raw_stack(open_inflated(data, start, std::max<std::int64_t>(skip, 0), bytes), layout, where);
  if (encoding != "raw")
    throw InputError(where, fmt::format("encoding is '{}'", encoding.substr(0, 40)), "raw and gzip can be read");
  auto source = open_bytes(data);
  if (skip < -1 || skip > source->size())
    throw InputError(where, fmt::format("byte skip is {}", skip), "give -1 to the size of the file");
  layout.offset = skip == -1 ? source->size() - bytes : start + skip;
  return make_raw_stack(std::move(source), layout, name.empty() ? where : where + " (" + name + ")");
}

std::unique_ptr<StackWriter> create_nrrd(const fs::path& path, const VolumeGrid& grid) {
  const Vec3 first = grid.first_voxel();
  const std::string header = fmt::format(
      "NRRD0005\n# Backlit\ntype: float\ndimension: 3\nspace: left-posterior-superior\nsizes: {} {} {}\n"
      "space directions: ({},0,0) (0,{},0) (0,0,{})\nkinds: domain domain domain\nendian: little\nencoding: raw\n"
      "space origin: ({},{},{})\n\n",
      grid.size[0], grid.size[1], grid.size[2], grid.spacing.x, grid.spacing.y, grid.spacing.z, first.x, first.y,
      first.z);
  return std::make_unique<RawWriter>(path, grid.size, header);
}

}  // namespace

VolumeFormat nrrd_format() {
  VolumeFormat f;
  f.name = "nrrd";
  f.title = "NRRD";
  f.extensions = {".nrrd", ".nhdr"};
  f.saved_as = {".nrrd"};
  f.recognizes = [](const FileFront& front) { return front.bytes.starts_with("NRRD000"); };
  f.open = [](const fs::path& path, const std::string&) { return open_nrrd(path); };
  f.describe = [](const fs::path& path, FileInfo& info) {
    constexpr KnownField known[] = {{"sizes", "size", "px"},
                                    {"dimension", "dimensions"},
                                    {"type", "kind of values"},
                                    {"space", "frame"},
                                    {"space directions", "voxel along the axes, mm"},
                                    {"spacings", "spacing", "mm"},
                                    {"space origin", "first voxel, mm"},
                                    {"encoding", "packing"},
                                    {"endian", "order of bytes"},
                                    {"data file", "file of the values"},
                                    {"datafile", "file of the values"}};
    describe_text_header(read_nrrd_header(path), path.string(), known, info);
  };
  f.create = create_nrrd;
  f.keeps_grid = f.values_apart = true;
  f.notes = "raw or gzip; left-posterior-superior, RAS and LAS spaces";
  return f;
}

}  // namespace backlit::formats
