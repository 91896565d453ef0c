// MATLAB files of version 5 to 7.2, read only: an array of numbers, also as a field of a structure. (Version 7.3 is
// HDF5.) The first dimension of the array, which lies side by side in the file, is x.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t mat_header_bytes = 128;
enum Element : std::uint32_t { matrix = 14, compressed = 15 };
enum Class : std::uint32_t { structure = 2, first_number = 6, last_number = 15 };

const std::map<std::uint32_t, SampleType>& sample_types() {
  static const std::map<std::uint32_t, SampleType> types{
      {1, SampleType::i8},  {2, SampleType::u8},  {3, SampleType::i16}, {4, SampleType::u16},  {5, SampleType::i32},
      {6, SampleType::u32}, {7, SampleType::f32}, {9, SampleType::f64}, {12, SampleType::i64}, {13, SampleType::u64}};
  return types;
}

/// Where the bytes of a variable are: the file, or one compressed variable of it.
struct Place {
  std::int64_t at = -1;  ///< offset of the compressed bytes; -1: the file itself
  std::int64_t bytes = 0;
};

struct Array {
  std::string name;  ///< "/volume", "/structure/field"
  Place place;
  std::vector<std::int64_t> shape;
  SampleType type{};
  std::int64_t offset = 0;

  double values() const {
    double n = 1;
    for (const std::int64_t s : shape) n *= static_cast<double>(s);
    return n;
  }
};

std::unique_ptr<ByteSource> open_place(const fs::path& path, const Place& place) {
  return place.at < 0 ? open_bytes(path) : open_inflated(path, place.at, 0, place.bytes);
}

/// Goes through the elements of a file.
class Reader {
 public:
  explicit Reader(const fs::path& path) : path_(path), where_(path.string()) {}

  std::vector<Array> arrays() {
    const auto file = open_bytes(path_);
    for (std::int64_t at = mat_header_bytes; at + 8 <= file->size();) {
      const Tag tag = read_tag(*file, at, file->size());
      if (tag.type == compressed) {
        take_compressed(tag);
      } else if (tag.type == matrix) {
        take(*file, {}, tag, "");
      }
      at = tag.begin + tag.bytes;  // of a compressed element without padding
      if (tag.type != compressed) at = padded(at);
    }
    return std::move(arrays_);
  }

 private:
  struct Tag {
    std::uint32_t type = 0;
    std::int64_t begin = 0, bytes = 0;
    std::int64_t next = 0;  ///< where the next element begins
  };

  [[noreturn]] void damaged() const { throw InputError(where_, "an element has no valid size", "the file is damaged"); }

  static std::int64_t padded(std::int64_t n) { return (n + 7) / 8 * 8; }

  Tag read_tag(ByteSource& source, std::int64_t at, std::int64_t end) const {
    std::array<std::uint32_t, 2> words{};
    if (at < 0 || at + 8 > end) damaged();
    source.read(at, std::as_writable_bytes(std::span(words)));
    Tag tag;
    const std::uint32_t small = words[0] >> 16;  // a small element holds up to 4 bytes in its tag
    tag.type = small > 0 ? words[0] & 0xffff : words[0];
    tag.bytes = small > 0 ? small : words[1];
    tag.begin = small > 0 ? at + 4 : at + 8;
    tag.next = small > 0 ? at + 8 : padded(tag.begin + tag.bytes);
    if ((small > 4) || tag.begin + tag.bytes > end) damaged();
    return tag;
  }

  template <class T>
  std::vector<T> read(ByteSource& source, const Tag& tag, std::int64_t most) const {
    if (tag.bytes % static_cast<std::int64_t>(sizeof(T)) != 0 || tag.bytes > most) damaged();
    std::vector<T> out(static_cast<std::size_t>(tag.bytes) / sizeof(T));
    source.read(tag.begin, std::as_writable_bytes(std::span(out)));
    return out;
  }

  void take_compressed(const Tag& tag) {
    const auto front = open_inflated(path_, tag.begin, 0, 8);
    std::array<std::uint32_t, 2> words{};
    front->read(0, std::as_writable_bytes(std::span(words)));
    if (words[0] != matrix) return;
    const Place place{tag.begin, 8 + static_cast<std::int64_t>(words[1])};
    const auto source = open_place(path_, place);
    take(*source, place, read_tag(*source, 0, place.bytes), "");
  }

  /// A matrix of numbers, or a structure of one element with its fields.
  void take(ByteSource& source, const Place& place, const Tag& whole, const std::string& parent, int depth = 0) {
    const std::int64_t end = whole.begin + whole.bytes;
    if (whole.bytes == 0) return;
    const Tag flags = read_tag(source, whole.begin, end);
    const auto words = read<std::uint32_t>(source, flags, 8);
    const Tag dimensions = read_tag(source, flags.next, end);
    const auto shape = read<std::int32_t>(source, dimensions, std::int64_t{4} * 32);
    const Tag name = read_tag(source, dimensions.next, end);
    const auto letters = read<char>(source, name, 256);
    if (words.empty()) damaged();
    const std::uint32_t kind = words[0] & 0xff;
    const bool complex = (words[0] & 0x800) != 0;
    std::string full = parent;  // fields have no names of their own
    if (parent.empty() || !letters.empty()) full += "/" + std::string(letters.begin(), letters.end());
    if (kind == structure) return take_fields(source, place, name.next, end, shape, full, depth);
    if (kind < first_number || kind > last_number || complex) return;
    add(source, place, read_tag(source, name.next, end), {shape.begin(), shape.end()}, full);
  }

  void add(ByteSource&, const Place& place, const Tag& data, std::vector<std::int64_t> shape, const std::string& name) {
    const auto type = sample_types().find(data.type);
    if (type == sample_types().end()) return;
    while (shape.size() > 2 && shape.back() == 1) shape.pop_back();
    Array array{name, place, std::move(shape), type->second, data.begin};
    for (const std::int64_t n : array.shape)
      if (n < 0) damaged();
    if (array.values() * static_cast<double>(sample_bytes(array.type)) > static_cast<double>(data.bytes)) damaged();
    arrays_.push_back(std::move(array));
  }

  void take_fields(ByteSource& source, const Place& place, std::int64_t at, std::int64_t end,
                   const std::vector<std::int32_t>& shape, const std::string& full, int depth) {
    constexpr int deepest = 4;
    for (const std::int32_t n : shape)
      if (n != 1) return;  // a list of structures
    if (depth >= deepest) return;
    const Tag length = read_tag(source, at, end);
    const auto lengths = read<std::int32_t>(source, length, 8);
    const Tag names = read_tag(source, length.next, end);
    constexpr std::int64_t most_names = 1 << 16;
    const auto letters = read<char>(source, names, most_names);
    if (lengths.empty() || lengths[0] < 1 || lengths[0] > 256) damaged();
    const auto each = static_cast<std::size_t>(lengths[0]);
    std::int64_t next = names.next;
    for (std::size_t i = 0; (i + 1) * each <= letters.size(); ++i) {
      const Tag field = read_tag(source, next, end);
      if (field.type != matrix) damaged();
      const char* const begin = letters.data() + i * each;
      const std::string name(begin, strnlen(begin, each));
      take(source, place, field, fmt::format("{}/{}", full, name), depth + 1);
      next = field.next;
    }
  }

  fs::path path_;
  std::string where_;
  std::vector<Array> arrays_;
};

const Array& choose(const std::vector<Array>& arrays, const std::string& wanted, const std::string& where) {
  std::vector<std::string> names;
  const Array* largest = nullptr;
  for (const Array& a : arrays) {
    names.push_back(a.name);
    if (a.name == wanted || a.name == "/" + wanted) return a;
    if (!largest || a.values() > largest->values()) largest = &a;
  }
  if (!wanted.empty() || !largest)
    throw InputError(where, wanted.empty() ? "holds no array of numbers" : "holds no " + wanted,
                     names.empty() ? "save one" : fmt::format("it holds {}", fmt::join(names, ", ")));
  return *largest;
}

Array array_of(const fs::path& path, const std::string& data_set) {
  const std::string where = path.string();
  const std::string front = read_front(path, mat_header_bytes);
  if (front.size() < mat_header_bytes || front.compare(126, 2, "IM") != 0)
    throw InputError(where, "is not a little-endian MATLAB file of version 5", "save it with -v7 or -v7.3");
  return choose(Reader(path).arrays(), data_set, where);
}

/// One row or one column.
std::vector<double> mat_numbers(const fs::path& path, const std::string& data_set) {
  const std::string where = path.string();
  const Array array = array_of(path, data_set);
  RawLayout layout;
  layout.samples = {array.type, false};
  layout.offset = array.offset;
  layout.info.columns = std::ranges::max(array.shape);
  layout.info.rows = layout.info.images = 1;
  if (array.values() != static_cast<double>(layout.info.columns))
    throw InputError(where, fmt::format("{} has {} numbers", array.name, fmt::join(array.shape, " x ")),
                     "a list has one row or one column");
  const auto source = open_place(path, array.place);
  require_bytes(*source, layout, where);
  std::vector<double> numbers(static_cast<std::size_t>(layout.info.columns));
  std::vector<std::byte> stored(numbers.size() * static_cast<std::size_t>(sample_bytes(array.type)));
  source->read(array.offset, stored);
  convert_samples(stored, layout.samples, std::span(numbers));
  return numbers;
}

std::unique_ptr<StackReader> open_mat(const fs::path& path, const std::string& data_set) {
  const std::string where = path.string();
  const Array array = array_of(path, data_set);
  if (array.shape.size() < 2 || array.shape.size() > 3)
    throw InputError(where, fmt::format("{} has {} dimensions", array.name, array.shape.size()),
                     "images have two, stacks three");
  RawLayout layout;
  layout.samples = {array.type, false};
  layout.offset = array.offset;
  layout.info.format = "mat";
  layout.info.columns = array.shape[0];
  layout.info.rows = array.shape[1];
  layout.info.images = array.shape.size() > 2 ? array.shape[2] : 1;
  layout.info.dimensions = array.shape;
  layout.info.first_fastest = true;
  return make_raw_stack(open_place(path, array.place), layout, where);
}

}  // namespace

VolumeFormat mat_format() {
  VolumeFormat f;
  f.name = "mat";
  f.title = "MATLAB";
  f.extensions = {".mat"};
  f.recognizes = [](const FileFront& front) {
    return front.bytes.starts_with("MATLAB 5.0 MAT-file") || has_extension(front.path, {".mat"});
  };
  f.open = open_mat;
  f.has_data_sets = true;
  f.numbers = mat_numbers;
  f.notes =
      "versions 5 to 7.3: the largest array, or one by name (`scan.mat:/structure/field`); the first dimension is x, "
      "or "
      "`order` in the scan file says what it is";
  return f;
}

}  // namespace backlit::formats
