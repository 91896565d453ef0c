// EDF of the ESRF: a text header in braces before each image, "key = value ;", padded to whole blocks.
#include <fmt/format.h>

#include <map>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/text_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_header = 1 << 20;

struct EdfHeader {
  std::map<std::string, std::string> fields;  ///< names in lower case
  std::int64_t bytes = 0;
};

EdfHeader parse(std::string_view text, const std::string& where) {
  EdfHeader h;
  // Values hold no braces. A closing brace at the end of a line ends the header.
  const std::size_t end = text.find("}\n");
  if (!text.starts_with('{') || end == std::string_view::npos)
    throw InputError(where, "has no header in braces, or one that does not end", "the file is cut off or damaged");
  h.bytes = static_cast<std::int64_t>(end) + 2;
  for (std::size_t begin = 1; begin < end;) {
    const std::size_t stop = std::min(text.find(';', begin), end);
    const std::string_view line = text.substr(begin, stop - begin);
    if (const std::size_t equals = line.find('='); equals != std::string_view::npos)
      h.fields[lower_case(trimmed(line.substr(0, equals)))] = std::string(trimmed(line.substr(equals + 1)));
    begin = stop + 1;
  }
  return h;
}

std::string get(const EdfHeader& h, const char* name) {
  const auto found = h.fields.find(name);
  return found == h.fields.end() ? "" : found->second;
}

SampleType type_of(const std::string& name, const std::string& where) {
  static const std::map<std::string, SampleType> types{
      {"unsignedbyte", SampleType::u8},  {"signedbyte", SampleType::i8},       {"unsignedshort", SampleType::u16},
      {"signedshort", SampleType::i16},  {"unsignedinteger", SampleType::u32}, {"signedinteger", SampleType::i32},
      {"unsignedlong", SampleType::u32}, {"signedlong", SampleType::i32},      {"unsigned64", SampleType::u64},
      {"signed64", SampleType::i64},     {"floatvalue", SampleType::f32},      {"float", SampleType::f32},
      {"floatieee32", SampleType::f32},  {"doublevalue", SampleType::f64},     {"floatieee64", SampleType::f64}};
  const auto found = types.find(lower_case(name));
  if (found == types.end())
    throw InputError(where, fmt::format("its DataType is '{}'", name.substr(0, 40)), "integers and floats can be read");
  return found->second;
}

/// Each image has a header. Further images are read when their headers have the same length.
std::unique_ptr<StackReader> open_edf(const fs::path& path) {
  const std::string where = path.string();
  const EdfHeader h = parse(read_front(path, longest_header), where);
  const std::string packing = lower_case(get(h, "compression"));
  if (!packing.empty() && packing != "none")
    throw InputError(where, fmt::format("its pixels are packed ({})", packing.substr(0, 40)), "write them plain");
  RawLayout layout;
  layout.info.format = "edf";
  layout.info.columns = parse_integers(get(h, "dim_1"), 1, where, "Dim_1")[0];
  layout.info.rows = parse_integers(get(h, "dim_2"), 1, where, "Dim_2")[0];
  layout.info.images = get(h, "dim_3").empty() ? 1 : parse_integers(get(h, "dim_3"), 1, where, "Dim_3")[0];
  layout.samples = {type_of(get(h, "datatype"), where), lower_case(get(h, "byteorder")) == "highbytefirst"};
  layout.offset = h.bytes;
  const std::int64_t image = packed_bytes(layout.info, layout.samples.type, where);
  auto source = open_bytes(path);
  if (layout.info.images == 1 && image < source->size() - h.bytes) {
    layout.gap = h.bytes;
    while (layout.info.images < (source->size() - h.bytes) / (image + h.bytes) + 1) {
      std::string next(static_cast<std::size_t>(h.bytes), '\0');
      const std::int64_t at = layout.info.images * (image + h.bytes);
      if (at + h.bytes + image > source->size()) break;
      source->read(at, std::as_writable_bytes(std::span(next)));
      if (!next.starts_with('{') || !next.ends_with("}\n")) break;
      const EdfHeader other = parse(next, where);
      if (get(other, "dim_1") != get(h, "dim_1") || get(other, "dim_2") != get(h, "dim_2") ||
          get(other, "datatype") != get(h, "datatype"))
        throw InputError(where, fmt::format("image {} is of another size or type than the first", layout.info.images),
                         "all images of a stack must be alike");
      ++layout.info.images;
    }
  }
  return make_raw_stack(std::move(source), layout, where);
}

}  // namespace

VolumeFormat edf_format() {
  VolumeFormat f;
  f.name = "edf";
  f.title = "EDF";
  f.extensions = {".edf"};
  f.recognizes = [](const FileFront& front) {
    return front.bytes.starts_with('{') && lower_case(front.bytes).find("dim_1") != std::string::npos;
  };
  f.open = [](const fs::path& path, const std::string&) { return open_edf(path); };
  f.notes = "of the ESRF; one image or several of one size, not packed";
  return f;
}

}  // namespace backlit::formats
