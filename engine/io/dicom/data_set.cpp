#include "io/dicom/data_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/byte_source.hpp"
#include "io/text_fields.hpp"

namespace backlit::dicom {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t preamble = 132, most_kept = 1 << 16;
constexpr std::uint32_t undefined = 0xffffffff;
constexpr Tag item = 0xfffee000, item_end = 0xfffee00d, sequence_end = 0xfffee0dd, transfer_syntax = 0x00020010;

static_assert(std::endian::native == std::endian::little);

template <class T>
std::vector<double> values_of(const std::string& bytes) {
  std::vector<double> values;
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    values.push_back(static_cast<double>(value));
  }
  return values;
}

/// Why the pixels of a transfer syntax cannot be read; empty where they can.
std::string compression_of(const std::string& syntax) {
  if (syntax == "1.2.840.10008.1.2" || syntax == "1.2.840.10008.1.2.1") return "";
  if (syntax == "1.2.840.10008.1.2.2") return "big-endian";
  if (syntax == "1.2.840.10008.1.2.1.99") return "deflated";
  if (syntax == "1.2.840.10008.1.2.5") return "compressed (RLE)";
  if (syntax.starts_with("1.2.840.10008.1.2.4.8")) return "compressed (JPEG-LS)";
  if (syntax.starts_with("1.2.840.10008.1.2.4.9")) return "compressed (JPEG 2000)";
  if (syntax.starts_with("1.2.840.10008.1.2.4")) return "compressed (JPEG)";
  return fmt::format("in transfer syntax {}", syntax);
}

}  // namespace

std::string tag_text(Tag tag) { return fmt::format("({:04x},{:04x})", tag >> 16, tag & 0xffff); }

bool is_dicom(std::string_view front) { return front.size() >= preamble && front.substr(128, 4) == "DICM"; }

namespace {

bool is_dicom_file(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.is_regular_file(error) && entry.path().filename() != "DICOMDIR" &&
         is_dicom(read_front(entry.path(), preamble));
}

}  // namespace

std::vector<fs::path> dicom_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), last; !error && entry != last; entry.increment(error))
    if (is_dicom_file(*entry)) files.push_back(entry->path());
  sort_naturally(files);
  return files;
}

std::optional<fs::path> a_dicom_file(const fs::path& folder) {
  int tries = 16;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), last; !error && entry != last && tries-- > 0;
       entry.increment(error))
    if (is_dicom_file(*entry)) return entry->path();
  return {};
}

/// Walks through the elements of a file.
class DataSet::Parser {
 public:
  Parser(const fs::path& path, DataSet& set) : set_(set), source_(open_bytes(path)), at_(preamble) {
    front_.resize(static_cast<std::size_t>(std::min<std::int64_t>(source_->size(), most_kept)));
    source_->read(0, std::as_writable_bytes(std::span(front_)));
    if (!is_dicom(front_))
      throw InputError(set_.file_, "does not begin as DICOM files do", "write it again as DICOM part 10");
  }

  void run() {
    while (at_ + 8 <= source_->size() && group_at(at_) == 0x0002) element(true);
    const std::string compression = compression_of(set_.text(transfer_syntax));
    if (!compression.empty())
      throw InputError(set_.file_, fmt::format("its pixels are {}", compression),
                       "unpack it, for example by gdcmconv --raw IN OUT");
    explicit_ = set_.text(transfer_syntax) != "1.2.840.10008.1.2";
    while (at_ + 8 <= source_->size() && set_.pixel_offset_ < 0) element(explicit_);
  }

 private:
  struct Head {
    Tag tag = 0;
    std::string type;
    std::uint32_t length = 0;
  };

  std::string bytes(std::int64_t offset, std::int64_t count) const {
    if (count < 0 || offset < 0 || offset > source_->size() - count)
      throw InputError(set_.file_, fmt::format("ends at byte {}, in the middle of an element", source_->size()),
                       "the file is cut off: copy it again");
    if (offset + count <= static_cast<std::int64_t>(front_.size()))
      return front_.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
    std::string read(static_cast<std::size_t>(count), '\0');
    source_->read(offset, std::as_writable_bytes(std::span(read)));
    return read;
  }
  template <class T>
  T get(std::int64_t offset) const {
    T value;
    std::memcpy(&value, bytes(offset, sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::uint16_t group_at(std::int64_t offset) const { return get<std::uint16_t>(offset); }

  /// Tag, type and length; at_ is behind them.
  Head head(bool with_type) {
    Head h;
    h.tag = static_cast<Tag>(group_at(at_)) << 16 | get<std::uint16_t>(at_ + 2);
    const bool delimiter = h.tag >> 16 == 0xfffe;
    if (!with_type || delimiter) {
      h.length = get<std::uint32_t>(at_ + 4);
      at_ += 8;
      return h;
    }
    h.type = bytes(at_ + 4, 2);
    constexpr std::array<std::string_view, 12> long_types{"OB", "OD", "OF", "OL", "OV", "OW",
                                                          "SQ", "SV", "UC", "UN", "UR", "UT"};
    if (std::ranges::count(long_types, h.type) + (h.type == "UV" ? 1 : 0) > 0) {
      h.length = get<std::uint32_t>(at_ + 8);
      at_ += 12;
    } else {
      if (!std::ranges::all_of(h.type, [](char c) { return c >= 'A' && c <= 'Z'; }))
        throw InputError(set_.file_, fmt::format("the type of element {} is no type", tag_text(h.tag)),
                         "the file is damaged");
      h.length = get<std::uint16_t>(at_ + 6);
      at_ += 8;
    }
    return h;
  }

  void element(bool with_type) {
    Head h = head(with_type);
    if (h.tag == tags::pixels) {
      if (h.length == undefined) throw InputError(set_.file_, "its pixels are compressed");
      bytes(at_ + h.length, 0);
      set_.pixel_offset_ = at_;
      set_.pixel_bytes_ = h.length;
      return;
    }
    if (h.type == "SQ" || h.length == undefined) return skip_sequence(h, h.type == "UN" ? false : with_type, 0);
    bytes(at_ + h.length, 0);
    std::string value = h.length <= most_kept ? bytes(at_, h.length) : std::string();
    set_.elements_[h.tag] = {std::move(h.type), std::move(value), h.length};
    at_ += h.length;
  }

  void skip_sequence(const Head& h, bool with_type, int depth) {
    if (depth > 16) throw InputError(set_.file_, "its sequences lie in one another too deep", "the file is damaged");
    if (h.length != undefined) {
      bytes(at_ + h.length, 0);
      at_ += h.length;
      return;
    }
    while (true) {
      const Head next = head(with_type);
      if (next.tag == sequence_end) return;
      if (next.tag != item)
        throw InputError(set_.file_, fmt::format("{} where an item of a sequence should be", tag_text(next.tag)),
                         "the file is damaged");
      if (next.length == undefined) {
        skip_item(with_type, depth);
      } else {
        bytes(at_ + next.length, 0);
        at_ += next.length;
      }
    }
  }

  /// Elements up to the item's end.
  void skip_item(bool with_type, int depth) {
    while (true) {
      const Head h = head(with_type);
      if (h.tag == item_end) return;
      if (h.type == "SQ" || h.length == undefined) {
        skip_sequence(h, h.type == "UN" ? false : with_type, depth + 1);
      } else {
        bytes(at_ + h.length, 0);
        at_ += h.length;
      }
    }
  }

  DataSet& set_;
  std::unique_ptr<ByteSource> source_;
  std::string front_;
  std::int64_t at_;
  bool explicit_ = true;
};

DataSet::DataSet(const fs::path& path) : file_(path.string()) {
  require_regular_file(path);
  Parser(path, *this).run();
}

const DataSet::Element* DataSet::find(Tag tag) const {
  const auto found = elements_.find(tag);
  if (found == elements_.end()) return nullptr;
  found->second.used = true;
  return &found->second;
}

void DataSet::fail(Tag tag, const std::string& problem) const {
  throw InputError(file_, fmt::format("element {} {}", tag_text(tag), problem), "the file is damaged");
}

std::string DataSet::text(Tag tag) const {
  const Element* element = find(tag);
  if (!element) return {};
  std::string value = element->value;
  while (!value.empty() && (value.back() == ' ' || value.back() == '\0')) value.pop_back();
  return std::string(trimmed(value));
}

std::vector<double> DataSet::numbers(Tag tag, char binary) const {
  const Element* element = find(tag);
  if (!element) return {};
  const auto is = [&](std::string_view type, char code) {
    const bool untyped =
        element->type.empty() || element->type == "UN" || element->type == "OW" || element->type == "OB";
    return element->type == type || (untyped && binary == code);
  };
  if (is("FL", 'f')) return values_of<float>(element->value);
  if (is("FD", 'd')) return values_of<double>(element->value);
  if (is("US", 'u')) return values_of<std::uint16_t>(element->value);
  if (element->type == "SS") return values_of<std::int16_t>(element->value);
  if (element->type == "UL") return values_of<std::uint32_t>(element->value);
  if (element->type == "SL") return values_of<std::int32_t>(element->value);
  std::string list = text(tag);
  std::ranges::replace(list, '\\', ' ');
  return parse_numbers(list, 0, file_, tag_text(tag));
}

std::optional<double> DataSet::number(Tag tag, char binary) const {
  const auto all = numbers(tag, binary);
  if (all.empty()) return {};
  if (!std::isfinite(all.front())) fail(tag, "is no finite number");
  return all.front();
}

int DataSet::integer(Tag tag, char binary, int otherwise) const {
  const double value = number(tag, binary).value_or(otherwise);
  constexpr double most = std::numeric_limits<int>::max();
  if (value != std::floor(value) || std::abs(value) > most) fail(tag, "is no whole number");
  return static_cast<int>(value);
}

double DataSet::require(Tag tag, char binary, std::string_view meaning) const {
  const auto value = number(tag, binary);
  if (!value) throw InputError(file_, fmt::format("has no {} {}", meaning, tag_text(tag)));
  return *value;
}

std::vector<double> DataSet::require_many(Tag tag, char binary, std::size_t count, std::string_view meaning) const {
  const auto all = numbers(tag, binary);
  if (all.size() != count || !std::ranges::all_of(all, [](double v) { return std::isfinite(v); }))
    throw InputError(file_, fmt::format("{} {} should be {} numbers", meaning, tag_text(tag), count),
                     all.empty() ? "the file has none" : "the file is damaged");
  return all;
}

std::string DataSet::shown(Tag tag, const Element& element) const {
  constexpr std::uint32_t most = 64;
  constexpr std::string_view binary[] = {"US", "SS", "UL", "SL", "FL", "FD"};
  if (element.length > most) return {};
  std::string value = text(tag);
  if (std::ranges::find(binary, element.type) == std::end(binary)) {
    const bool readable = std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; });
    return readable ? value : std::string();
  }
  value.clear();
  for (const double number : numbers(tag, ' ')) value += fmt::format("{}{}", value.empty() ? "" : " ", number);
  return value;
}

std::vector<std::string> DataSet::unused() const {
  std::vector<std::string> all;
  for (const auto& [tag, element] : elements_) {
    if (element.used || tag >> 16 == 0x0002 || (tag & 0xffff) == 0 || element.length == 0) continue;
    const std::string value = shown(tag, element);
    all.push_back(value.empty() ? fmt::format("{} of {} bytes", tag_text(tag), element.length)
                                : fmt::format("{} = {}", tag_text(tag), value));
  }
  return all;
}

PixelFormat pixel_format(const DataSet& set) {
  constexpr double most = 65535;
  PixelFormat f;
  const auto size = [&](Tag tag, const char* what) {
    const double value = set.require(tag, 'u', what);
    if (!(value >= 1 && value <= most)) throw InputError(set.file(), fmt::format("has {} {}", value, what));
    return static_cast<std::int64_t>(value);
  };
  f.rows = size(tags::rows, "rows");
  f.columns = size(tags::columns, "columns");
  if (set.number(tags::samples_per_pixel, 'u').value_or(1) != 1)
    throw InputError(set.file(), "is an image in colour", "grey images are read");
  if (set.number(tags::frames, 't').value_or(1) != 1)
    throw InputError(set.file(), "holds several images", "split it into files of one image each");
  f.bits_allocated = set.integer(tags::bits_allocated, 'u', 0);
  f.bits_stored = set.integer(tags::bits_stored, 'u', f.bits_allocated);
  f.is_signed = set.number(tags::is_signed, 'u').value_or(0) != 0;
  if ((f.bits_allocated != 8 && f.bits_allocated != 16 && f.bits_allocated != 32) || f.bits_stored < 1 ||
      f.bits_stored > f.bits_allocated)
    throw InputError(set.file(), fmt::format("has {} of {} bits a pixel", f.bits_stored, f.bits_allocated),
                     "8, 16 and 32 bits are read");
  f.slope = set.number(tags::slope, 't').value_or(1);
  f.intercept = set.number(tags::intercept, 't').value_or(0);
  const std::int64_t bytes = f.rows * f.columns * f.bits_allocated / 8;
  if (set.pixel_offset() < 0 || set.pixel_bytes() < bytes)
    throw InputError(set.file(), fmt::format("holds {} bytes of pixels of {}", set.pixel_bytes(), bytes),
                     "the file is cut off or no image");
  return f;
}

namespace {

/// Bits above those that are stored are not part of the value.
template <class Unsigned>
void convert(std::span<const std::byte> bytes, const PixelFormat& f, std::span<float> out) {
  const int unused = 32 - f.bits_stored;
  for (std::size_t i = 0; i < out.size(); ++i) {
    Unsigned stored;
    std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
    const std::uint32_t top = static_cast<std::uint32_t>(stored) << unused;
    const double value = f.is_signed ? static_cast<double>(static_cast<std::int32_t>(top) >> unused)
                                     : static_cast<double>(top >> unused);
    out[i] = static_cast<float>(value * f.slope + f.intercept);
  }
}

}  // namespace

void read_pixels(const fs::path& file, std::int64_t offset, const PixelFormat& f, std::span<float> out) {
  const auto source = open_bytes(file);
  std::vector<std::byte> bytes(out.size() * static_cast<std::size_t>(f.bits_allocated / 8));
  source->read(offset, bytes);
  if (f.bits_allocated == 8)
    convert<std::uint8_t>(bytes, f, out);
  else if (f.bits_allocated == 16)
    convert<std::uint16_t>(bytes, f, out);
  else
    convert<std::uint32_t>(bytes, f, out);
}

}  // namespace backlit::dicom
