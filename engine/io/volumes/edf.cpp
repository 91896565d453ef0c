// EDF of the ESRF: a text header in braces before each image, "key = value ;", padded to whole blocks.
#include <fmt/format.h>

#include <map>
#include <sstream>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/header_fields.hpp"
#include "io/text_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_header = 1 << 20;

struct EdfHeader {
  HeaderFields fields;
  std::int64_t bytes = 0;
};

EdfHeader parse(std::string_view text, const std::string& where) {
  EdfHeader h{HeaderFields(where)};
  // Values hold no braces. A closing brace at the end of a line ends the header.
  const std::size_t end = text.find("}\n");
  if (!text.starts_with('{') || end == std::string_view::npos)
    throw InputError(where, "has no header in braces, or one that does not end", "the file is cut off or damaged");
  h.bytes = static_cast<std::int64_t>(end) + 2;
  for (std::size_t begin = 1; begin < end;) {
    const std::size_t stop = std::min(text.find(';', begin), end);
    const std::string_view line = text.substr(begin, stop - begin);
    if (const std::size_t equals = line.find('='); equals != std::string_view::npos)
      h.fields.add(std::string(trimmed(line.substr(0, equals))), std::string(trimmed(line.substr(equals + 1))));
    begin = stop + 1;
  }
  return h;
}

std::string get(EdfHeader& h, const char* name) { return h.fields.text(name).value_or(""); }

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

/// mm, as beamlines that measure scattering write it, in metres. Nothing where it is anything else.
std::optional<glm::dvec2> pixel_of(EdfHeader& h) {
  try {
    const double width = 1e3 * h.fields.number("PSize_1").value_or(0),
                 height = 1e3 * h.fields.number("PSize_2").value_or(0);
    if (width > 0 && height > 0) return glm::dvec2(width, height);
  } catch (const InputError&) {
  }
  return {};
}

/// Each image has a header. Further images are read when their headers have the same length.
std::unique_ptr<StackReader> open_edf(const fs::path& path) {
  const std::string where = path.string();
  EdfHeader h = parse(read_front(path, longest_header), where);
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
  layout.info.pixel_mm = pixel_of(h);
  auto source = open_bytes(path);
  if (layout.info.images == 1 && image < source->size() - h.bytes) {
    layout.gap = h.bytes;
    while (layout.info.images < (source->size() - h.bytes) / (image + h.bytes) + 1) {
      std::string next(static_cast<std::size_t>(h.bytes), '\0');
      const std::int64_t at = layout.info.images * (image + h.bytes);
      if (at + h.bytes + image > source->size()) break;
      source->read(at, std::as_writable_bytes(std::span(next)));
      if (!next.starts_with('{') || !next.ends_with("}\n")) break;
      EdfHeader other = parse(next, where);
      if (get(other, "dim_1") != get(h, "dim_1") || get(other, "dim_2") != get(h, "dim_2") ||
          get(other, "datatype") != get(h, "datatype"))
        throw InputError(where, fmt::format("image {} is of another size or type than the first", layout.info.images),
                         "all images of a stack must be alike");
      ++layout.info.images;
    }
  }
  return make_raw_stack(std::move(source), layout, where);
}

/// Units of the ESRF's keywords for pictures of scattering, where beamlines use these names.
constexpr KnownField edf_fields[] = {
    {"Dim_1", "columns", "px"},
    {"Dim_2", "rows", "px"},
    {"Dim_3", "images"},
    {"DataType", "kind of values"},
    {"ByteOrder", "order of bytes"},
    {"Compression", "packing"},
    {"Size", "one image", "bytes"},
    {"PSize_1", "width of a pixel", "mm", 1e3},
    {"PSize_2", "height of a pixel", "mm", 1e3},
    {"Center_1", "centre along columns", "px"},
    {"Center_2", "centre along rows", "px"},
    {"SampleDistance", "sample to detector", "mm", 1e3},
    {"WaveLength", "wavelength", "angstrom", 1e10},
    {"ExposureTime", "exposure", "s"},
    {"count_time", "exposure", "s"},
    {"title", "title"},
};

/// Splits lists of motors or counters and their values into fields of their own.
void add_pairs(HeaderFields& fields, const char* names, const char* values, const char* prefix) {
  const auto all = fields.text(names), numbers = fields.text(values);
  if (!all || !numbers) return;
  std::istringstream name(*all), value(*numbers);
  for (std::string n, v; name >> n && value >> v;) fields.add(fmt::format("{} {}", prefix, n), v);
}

void describe_edf(const fs::path& path, FileInfo& info) {
  EdfHeader h = parse(read_front(path, longest_header), path.string());
  h.fields.note_known(edf_fields);
  add_pairs(h.fields, "motor_mne", "motor_pos", "motor");
  add_pairs(h.fields, "counter_mne", "counter_pos", "counter");
  h.fields.add_to(info);
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
  f.describe = describe_edf;
  f.notes = "of the ESRF; one image or several of one size, not packed; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
