#include "model/sources/raw_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <regex>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/byte_source.hpp"
#include "io/sample_type.hpp"
#include "model/sources/file_beside.hpp"

namespace backlit::viewer {
namespace {

namespace fs = std::filesystem;

struct Type {
  const char* name;
  SampleType type;
  const char* meta;
  const char* words;  ///< what names of files call it
};
constexpr std::array types{Type{"u8", SampleType::u8, "MET_UCHAR", "uint8|uchar|u8|8bit|byte"},
                           Type{"i8", SampleType::i8, "MET_CHAR", "int8|i8"},
                           Type{"u16", SampleType::u16, "MET_USHORT", "uint16|ushort|u16|16bit"},
                           Type{"i16", SampleType::i16, "MET_SHORT", "int16|short|i16"},
                           Type{"u32", SampleType::u32, "MET_UINT", "uint32|u32"},
                           Type{"i32", SampleType::i32, "MET_INT", "int32|i32"},
                           Type{"f32", SampleType::f32, "MET_FLOAT", "float32|float|f32|32bit|real"},
                           Type{"f64", SampleType::f64, "MET_DOUBLE", "float64|double|f64"}};

const Type& type_of(const std::string& name) {
  const auto found = std::ranges::find(types, name, &Type::name);
  if (found == types.end())
    throw InputError("type", fmt::format("'{}' is no type of values", name), "u8, i8, u16, i16, u32, i32, f32 or f64");
  return *found;
}

std::int64_t file_bytes(const std::string& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) throw InputError(file, error.message());
  return static_cast<std::int64_t>(size);
}

void check(const RawImport& raw) {
  constexpr std::int64_t most = 1 << 20;
  for (const std::int64_t n : raw.size)
    if (n < 1 || n > most) throw InputError(raw.file, fmt::format("a size of {}", n), "give 1 to 1048576");
  if (raw.header < 0) throw InputError(raw.file, "a header of fewer than 0 bytes");
  if (raw.header > file_bytes(raw.file))
    throw InputError(raw.file, "a header longer than the file", "give fewer bytes");
  for (int a = 0; a < 3; ++a)
    if (!(raw.spacing[a] > 0)) throw InputError(raw.file, fmt::format("a spacing of {} mm", raw.spacing[a]));
  type_of(raw.type);
}

double needed_bytes(const RawImport& raw) {
  double bytes = static_cast<double>(sample_bytes(type_of(raw.type).type));
  for (const std::int64_t n : raw.size) bytes *= static_cast<double>(n);
  return bytes;
}

/// Every n-th column and row.
Plane thinned(const std::vector<float>& values, std::int64_t columns, std::int64_t rows, std::int64_t most) {
  const std::int64_t n = (std::max(columns, rows) + most - 1) / most;
  Plane plane;
  plane.width = (columns + n - 1) / n;
  plane.height = (rows + n - 1) / n;
  for (std::int64_t y = 0; y < rows; y += n)
    for (std::int64_t x = 0; x < columns; x += n)
      plane.values.push_back(values[static_cast<std::size_t>(y * columns + x)]);
  return plane;
}

bool has_ending(const std::string& file, std::initializer_list<const char*> endings) {
  std::string ending = fs::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(endings, ending) != endings.end();
}

/// Where the last number before a name's ending begins, and how many digits it has; 0: there is none.
std::pair<std::size_t, std::size_t> last_number(const std::string& name) {
  const std::size_t end = name.find_last_of("0123456789", name.rfind('.'));
  if (end == std::string::npos) return {0, 0};
  const std::size_t before = name.find_last_not_of("0123456789", end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return {begin, end + 1 - begin};
}

/// A cube of the type, if the file has its size.
bool take_cube(RawImport& raw, const Type& type, std::int64_t bytes) {
  const std::int64_t values = bytes / sample_bytes(type.type);
  const auto side = static_cast<std::int64_t>(std::cbrt(static_cast<double>(values)) + 1e-6);
  if (side < 8 || side * side * side * sample_bytes(type.type) != bytes) return false;
  raw.size = {side, side, side};
  raw.type = type.name;
  return true;
}

}  // namespace

const std::vector<std::string>& raw_types() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Type& t : types) all.emplace_back(t.name);
    return all;
  }();
  return names;
}

RawImport guess_raw(const std::string& file) {
  RawImport raw;
  raw.file = file;
  const std::int64_t bytes = file_bytes(file);
  std::string name = fs::path(file).filename().string();
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  bool typed = false;
  for (const Type& t : types)
    if (!typed && std::regex_search(name, std::regex(fmt::format("(^|[^a-z0-9])({})([^a-z0-9]|$)", t.words)))) {
      raw.type = t.name;
      typed = true;
    }
  raw.big_endian = std::regex_search(name, std::regex("(^|[^a-z])(be|big|msb)([^a-z]|$)"));
  std::smatch found;
  if (std::regex_search(name, found, std::regex("([0-9]{1,6})x([0-9]{1,6})x([0-9]{1,6})"))) {
    for (std::size_t a = 0; a < 3; ++a) raw.size[a] = std::stoll(found[static_cast<std::ptrdiff_t>(a + 1)].str());
    if (!typed)  // the type that fills the file best
      for (const Type* t : {&types[6], &types[2], &types[0]}) {
        raw.type = t->name;
        if (bytes_left(raw) >= 0) break;
      }
  } else if (typed) {
    take_cube(raw, type_of(raw.type), bytes);
  } else {
    for (const Type* t : {&types[2], &types[6], &types[0]})
      if (take_cube(raw, *t, bytes)) break;
  }
  raw.header = std::max<std::int64_t>(0, bytes_left(raw));
  const double slice = needed_bytes(raw) / static_cast<double>(std::max<std::int64_t>(1, raw.size[2]));
  if (static_cast<double>(raw.header) >= slice) raw.header = 0;  // not a header: more slices than were guessed
  return raw;
}

std::int64_t bytes_left(const RawImport& raw) {
  const double left = static_cast<double>(file_bytes(raw.file)) - static_cast<double>(raw.header) - needed_bytes(raw);
  return static_cast<std::int64_t>(std::clamp(left, -9e15, 9e15));
}

Plane raw_slice(const RawImport& raw, std::int64_t slice, std::int64_t most) {
  check(raw);
  const Type& type = type_of(raw.type);
  const std::int64_t pixels = raw.size[0] * raw.size[1], bytes = pixels * sample_bytes(type.type);
  if (slice < 0 || (file_bytes(raw.file) - raw.header) / bytes <= slice)
    throw InputError(raw.file, fmt::format("ends before slice {}", slice), "give smaller sizes or another type");
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes));
  open_bytes(raw.file)->read(raw.header + slice * bytes, packed);
  std::vector<float> values(static_cast<std::size_t>(pixels));
  convert_samples(packed, {type.type, raw.big_endian}, std::span<float>(values));
  return thinned(values, raw.size[0], raw.size[1], most);
}

Plane stack_slice(StackReader& stack, std::int64_t slice, std::int64_t most) {
  const StackInfo& info = stack.info();
  std::vector<float> values(static_cast<std::size_t>(info.pixels()));
  stack.read(std::clamp<std::int64_t>(slice, 0, info.images - 1), 1, values);
  return thinned(values, info.columns, info.rows, most);
}

std::string save_raw_header(const RawImport& raw) {
  check(raw);
  if (const std::int64_t left = bytes_left(raw); left < 0)
    throw InputError(raw.file, fmt::format("is {} bytes too short", -left), "give smaller sizes or another type");
  const fs::path values = fs::absolute(raw.file);
  const std::string text = fmt::format(
      "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = {}\nCompressedData = False\n"
      "HeaderSize = {}\nElementSpacing = {} {} {}\nDimSize = {} {} {}\nElementType = {}\nElementDataFile = {}\n",
      raw.big_endian ? "True" : "False", raw.header, raw.spacing.x, raw.spacing.y, raw.spacing.z, raw.size[0],
      raw.size[1], raw.size[2], type_of(raw.type).meta, values.filename().string());
  return write_beside(values.string(), ".mhd", text);
}

std::string stack_of(const std::string& file) {
  const fs::path path(file);
  const std::string name = path.filename().string();
  const auto [begin, digits] = last_number(name);
  if (digits == 0) return file;
  const std::size_t others = name.size() - digits;
  // "[0-9]*" where "*" takes other names, too: flat_1.tif beside 0001.tif.
  for (const char* number : {"*", "[0-9]*"}) {
    std::string any = name;
    std::string pattern = (path.parent_path() / any.replace(begin, digits, number)).string();
    const auto images = natural_glob(pattern);
    const bool numbered = std::ranges::all_of(images, [&, from = begin](const fs::path& image) {
      const std::string other = image.filename().string();
      return other.substr(from, other.size() - others).find_first_not_of("0123456789") == std::string::npos;
    });
    if (numbered && images.size() > 1) return pattern;
  }
  return file;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code unreadable;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable))
    files.push_back(entry->path());
  return files;
}

std::string largest_stack(const std::string& folder) {
  std::map<std::string, std::vector<std::string>> stacks;  // by the name without its last number
  std::error_code unreadable;
  for (const fs::path& path : files_in(folder)) {
    const std::string file = path.string();
    if (!fs::is_regular_file(path, unreadable)) continue;
    if (!is_tiff(file)) {
      if (is_scan(file)) return {};
      continue;
    }
    std::string name = path.filename().string();
    const auto [begin, digits] = last_number(name);
    if (digits > 0) stacks[name.replace(begin, digits, "*")].push_back(file);
  }
  const auto largest = std::ranges::max_element(stacks, {}, [](const auto& stack) { return stack.second.size(); });
  if (largest == stacks.end() || largest->second.size() < 2) return {};
  return *std::ranges::min_element(largest->second);
}

bool looks_raw(const std::string& file) { return has_ending(file, {".raw", ".bin", ".dat", ".img", ".vol"}); }
bool in_known_format(const std::string& file) try {
  return is_list_mode(file) || is_scan(file) || open_stack(file)->info().images > 0;
} catch (const Error&) {
  return false;
}
bool is_tiff(const std::string& file) { return has_ending(file, {".tif", ".tiff"}); }

}  // namespace backlit::viewer
