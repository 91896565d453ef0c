// MetaImage (.mha; .mhd with its data in another file). The format has the engine's frame.
#include <fmt/format.h>

#include <map>

#include <backlit/core/error.hpp>
#include <backlit/data/host_memory.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/text_fields.hpp"
#include "io/volumes/stacks/image_frame.hpp"
#include "io/volumes/stacks/mapped_volume.hpp"
#include "io/volumes/text_header.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

struct MhaHeader : TextHeader {
  bool is_true(std::initializer_list<const char*> names) const {
    const std::string value = lower_case(get(names));
    return value == "true" || value == "1";
  }
};

MhaHeader read_mha_header(const fs::path& path) {
  const std::string where = path.string();
  const std::string front = read_front(path, 1 << 16);
  MhaHeader header;
  for (std::size_t begin = 0; begin < front.size();) {
    const std::size_t end = front.find('\n', begin);
    const std::string_view line = std::string_view(front).substr(begin, end - begin);
    begin = end == std::string::npos ? front.size() : end + 1;
    if (trimmed(line).empty()) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) break;
    const std::string key(trimmed(line.substr(0, equals)));
    header.fields[key] = trimmed(line.substr(equals + 1));
    if (key == "ElementDataFile") {
      header.bytes = static_cast<std::int64_t>(begin);
      return header;
    }
  }
  throw InputError(where, "its header has no ElementDataFile", "the file is damaged or not a MetaImage");
}

SampleType mha_type(const std::string& text, const std::string& where) {
  static const std::map<std::string, SampleType> types{
      {"MET_UCHAR", SampleType::u8},      {"MET_CHAR", SampleType::i8},   {"MET_USHORT", SampleType::u16},
      {"MET_SHORT", SampleType::i16},     {"MET_UINT", SampleType::u32},  {"MET_INT", SampleType::i32},
      {"MET_ULONG", SampleType::u32},     {"MET_LONG", SampleType::i32},  {"MET_ULONG_LONG", SampleType::u64},
      {"MET_LONG_LONG", SampleType::i64}, {"MET_FLOAT", SampleType::f32}, {"MET_DOUBLE", SampleType::f64}};
  const auto found = types.find(text);
  if (found == types.end())
    throw InputError(where, fmt::format("ElementType is '{}'", text.substr(0, 40)),
                     "MET_UCHAR to MET_DOUBLE, one channel, can be read");
  return found->second;
}

void set_geometry(const MhaHeader& header, std::size_t dimensions, RawLayout& layout, const std::string& where) {
  std::array<Vec3, 3> steps{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  if (const std::string text = header.get({"TransformMatrix", "Rotation", "Orientation"}); !text.empty()) {
    const auto m = parse_numbers(text, dimensions * dimensions, where, "TransformMatrix");
    for (std::size_t axis = 0; axis < dimensions; ++axis)
      for (std::size_t i = 0; i < dimensions; ++i) steps[axis][static_cast<int>(i)] = m[axis * dimensions + i];
  }
  std::vector<double> spacing(dimensions, 1.0);
  const std::string stated = header.get({"ElementSpacing", "ElementSize"});
  if (const std::string& text = stated; !text.empty())
    spacing = parse_numbers(text, dimensions, where, "ElementSpacing");
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    if (!(spacing[axis] > 0))
      throw InputError(where, fmt::format("ElementSpacing is {}", spacing[axis]), "spacings are positive");
    steps[axis] *= spacing[axis];
  }
  std::optional<Vec3> first;
  if (const std::string text = header.get({"Offset", "Position", "Origin"}); !text.empty()) {
    const auto offset = parse_numbers(text, dimensions, where, "Offset");
    first = Vec3(offset[0], offset[1], dimensions > 2 ? offset[2] : 0.0);
  }
  set_frame(layout, steps, first, where);
  if (stated.empty()) layout.info.pixel_mm.reset();
}

std::unique_ptr<StackReader> open_mha(const fs::path& path) {
  const std::string where = path.string();
  const MhaHeader header = read_mha_header(path);
  const auto sizes = image_sizes(header, "NDims", "DimSize", where);
  if (const std::string channels = header.get({"ElementNumberOfChannels"}); !channels.empty() && channels != "1")
    throw InputError(where, fmt::format("ElementNumberOfChannels is {}", channels), "one channel can be read");
  if (const std::string binary = header.get({"BinaryData"}); !binary.empty() && !header.is_true({"BinaryData"}))
    throw InputError(where, "its values are text", "write it with BinaryData = True");

  RawLayout layout;
  layout.samples = {mha_type(header.get({"ElementType"}), where),
                    header.is_true({"ElementByteOrderMSB", "BinaryDataByteOrderMSB"})};
  layout.info.format = "mha";
  layout.info.columns = sizes[0];
  layout.info.rows = sizes[1];
  layout.info.images = sizes.size() > 2 ? sizes[2] : 1;
  const std::int64_t bytes = packed_bytes(layout.info, layout.samples.type, where);
  set_geometry(header, sizes.size(), layout, where);

  const std::string name = header.get({"ElementDataFile"});
  const bool local = name == "LOCAL";
  if (!local && (name.empty() || name == "LIST" || name.find('%') != std::string::npos))
    throw InputError(where, fmt::format("ElementDataFile is '{}'", name.substr(0, 60)),
                     "data in one file can be read, not in a list of files");
  const fs::path data = local ? path : path.parent_path() / name;
  if (!local) layout.info.values_file = data;
  std::error_code error;
  if (!local && !fs::is_regular_file(data, error))
    throw InputError(where, fmt::format("ElementDataFile: there is no file {}", data.string()),
                     "put it there, or correct the header");
  std::int64_t start = local ? header.bytes : 0;
  if (header.is_true({"CompressedData"})) return make_raw_stack(open_inflated(data, start, 0, bytes), layout, where);
  auto source = open_bytes(data);
  if (const std::string text = header.get({"HeaderSize"}); !text.empty()) {
    const std::int64_t skip = parse_integers(text, 1, where, "HeaderSize")[0];
    if (skip == -1) start = source->size() - bytes;  // the data are at the end of the file
    if (skip > 0) start = skip;
    if (skip < -1) throw InputError(where, fmt::format("HeaderSize is {}", skip), "give -1 or more");
  }
  layout.offset = start;
  return make_raw_stack(std::move(source), layout, local ? where : where + " (" + name + ")");
}

constexpr KnownField mha_fields[] = {
    {"DimSize", "size", "px"},
    {"ElementSpacing", "spacing", "mm"},
    {"ElementSize", "spacing where none is stated", "mm"},
    {"Offset", "first voxel", "mm"},
    {"Position", "first voxel", "mm"},
    {"Origin", "first voxel", "mm"},
    {"TransformMatrix", "directions of the axes"},
    {"ElementType", "kind of values"},
    {"ElementDataFile", "file of the values"},
    {"HeaderSize", "bytes in front of the values", "bytes"},
    {"CompressedData", "compressed"},
    {"BinaryDataByteOrderMSB", "values begin with their highest byte"},
    {"ElementByteOrderMSB", "values begin with their highest byte"},
    {"NDims", "dimensions"},
    {"ObjectType", "kind of object"},
    {"BinaryData", "binary values"},
};

fs::path raw_beside(fs::path header) { return header.replace_extension(".raw"); }

std::string header_of(const VolumeGrid& grid, const std::string& values_file) {
  const Vec3 first = grid.first_voxel();
  return fmt::format(
      "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = False\n"
      "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = {} {} {}\nCenterOfRotation = 0 0 0\nAnatomicalOrientation = RAI\n"
      "ElementSpacing = {} {} {}\nDimSize = {} {} {}\nElementType = MET_FLOAT\nElementDataFile = {}\n",
      first.x, first.y, first.z, grid.spacing.x, grid.spacing.y, grid.spacing.z, grid.size[0], grid.size[1],
      grid.size[2], values_file);
}

/// A second link to the new values. The header names it while an old .raw is replaced.
fs::path second_link(const fs::path& temporary) { return temporary.string() + ".raw"; }

/// Whether a header names the second link, because a program was killed while it replaced a .raw.
bool is_second_link(const fs::path& path, const fs::path& data) {
  const std::string named = path.filename().string();
  return named.starts_with(fmt::format(".{}.", data.stem().string())) && named.ends_with(".part.raw.raw");
}

/// Gives values on the disk and their header the final names. On file systems with hard links the header always belongs
/// to complete values, old or new. On others there is a short moment without.
template <class Data>
void commit_both(const fs::path& header_path, const VolumeGrid& grid, Data& data) {
  const fs::path data_path = raw_beside(header_path), link = second_link(data.path());
  OutputFile header(header_path);
  header.write(std::string_view(header_of(grid, data_path.filename().string())));
  header.close();
  std::error_code error, ignored;
  const bool replaces = fs::exists(data_path);
  if (replaces) fs::create_hard_link(data.path(), link, error);
  const bool linked = replaces && !error;
  try {
    const fs::path folder = header_path.has_parent_path() ? header_path.parent_path() : fs::path(".");
    if (linked) write_text(header_path, header_of(grid, fs::proximate(link, folder).string()));
  } catch (const Error&) {
    fs::remove(link, ignored);
    throw;
  }
  data.commit();
  try {
    header.commit();
  } catch (const Error&) {
    if (!replaces) fs::remove(data_path, ignored);
    throw;
  }
  if (linked) fs::remove(link, ignored);
}

/// Writes values to a file beside the header.
class DetachedWriter final : public RawWriter {
 public:
  DetachedWriter(const fs::path& header, const VolumeGrid& grid)
      : RawWriter(raw_beside(header), grid.size, ""), header_(header), grid_(grid) {
    OutputFile can_be_written(header);
  }

 private:
  void finish() override {
    file().close();
    commit_both(header_, grid_, file());
  }

  fs::path header_;
  VolumeGrid grid_;
};

/// Throws InputError when saving this .mhd would replace a .raw that the present header does not name: that file may be
/// a scan.
void require_own_raw(const fs::path& header) {
  const fs::path data = raw_beside(header);
  if (!fs::exists(data)) return;
  std::string named;
  try {
    named = read_mha_header(header).get({"ElementDataFile"});
  } catch (const InputError&) {  // no header, or one of another format
  }
  if (fs::path(named).lexically_normal() != data.filename() && !is_second_link(named, data))
    throw InputError(header.string(),
                     fmt::format("its values would replace {}, which belongs to another file", data.string()),
                     "save as .mha, which is one file, or under another name");
}

bool is_detached(const fs::path& path) { return file_extension(path.string()) == ".mhd"; }

std::unique_ptr<StackWriter> create_mha(const fs::path& path, const VolumeGrid& grid) {
  if (!is_detached(path)) return std::make_unique<RawWriter>(path, grid.size, header_of(grid, "LOCAL"));
  require_own_raw(path);
  return std::make_unique<DetachedWriter>(path, grid);
}

}  // namespace

VolumeFormat mha_format() {
  VolumeFormat f;
  f.name = "mha";
  f.title = "MetaImage";
  f.extensions = f.saved_as = {".mha", ".mhd"};
  f.recognizes = [](const FileFront& front) {
    return front.bytes.find("ObjectType") < 64 || front.bytes.find("NDims") < 64;
  };
  f.open = [](const fs::path& path, const std::string&) { return open_mha(path); };
  f.describe = [](const fs::path& path, FileInfo& info) {
    describe_text_header(read_mha_header(path), path.string(), mha_fields, info);
  };
  f.create = create_mha;
  f.saved_beside = [](const fs::path& path) {
    return is_detached(path) ? std::vector{raw_beside(path)} : std::vector<fs::path>();
  };
  f.check_replaceable = [](const fs::path& path) {
    if (is_detached(path)) require_own_raw(path);
  };
  f.holds_projections = f.keeps_grid = f.values_apart = true;
  f.notes = "its world is ours (LPS); .mhd keeps its values in a .raw beside it";
  return f;
}

}  // namespace backlit::formats

namespace backlit {

bool save_mapped_volume(const Volume& volume, const std::filesystem::path& path) {
  if (!formats::is_detached(path)) return false;
  formats::require_own_raw(path);
  AtomicFile data(formats::raw_beside(path));
  const auto bytes = static_cast<std::int64_t>(volume.values.span().size_bytes());
  std::error_code ignored;
  std::filesystem::remove(data.path(), ignored);  // name_mapped_file() needs a free name
  if (!name_mapped_file(volume.values.data(), bytes, data.path())) return false;
  data.sync();
  formats::commit_both(path, volume.grid, data);
  return true;
}

}  // namespace backlit
