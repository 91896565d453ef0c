#include "io/volumes/numpy/npy_header.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include <backlit/core/error.hpp>
#include "io/text_fields.hpp"

namespace backlit {
namespace {

/// The text after 'key': in the dictionary, up to the next comma outside brackets.
std::string_view value_of(std::string_view dictionary, std::string_view key, const std::string& where) {
  const std::size_t at = dictionary.find(fmt::format("'{}'", key));
  const std::size_t colon = at == std::string_view::npos ? at : dictionary.find(':', at);
  if (colon == std::string_view::npos)
    throw InputError(where, fmt::format("its header has no '{}'", key), "the file is damaged");
  int depth = 0;
  for (std::size_t i = colon + 1; i < dictionary.size(); ++i) {
    const char c = dictionary[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if ((c == ',' && depth <= 0) || c == '}') return trimmed(dictionary.substr(colon + 1, i - colon - 1));
  }
  return trimmed(dictionary.substr(colon + 1));
}

SampleFormat npy_type(std::string_view text, const std::string& where) {
  static const std::map<std::string_view, SampleType> types{
      {"b1", SampleType::u8},  {"u1", SampleType::u8},  {"i1", SampleType::i8},  {"u2", SampleType::u16},
      {"i2", SampleType::i16}, {"u4", SampleType::u32}, {"i4", SampleType::i32}, {"u8", SampleType::u64},
      {"i8", SampleType::i64}, {"f2", SampleType::f16}, {"f4", SampleType::f32}, {"f8", SampleType::f64}};
  if (text.size() >= 5) {
    const char order = text[1];
    const auto found = types.find(text.substr(2, text.size() - 3));
    if (found != types.end() && (order == '<' || order == '>' || order == '|' || order == '='))
      return {found->second, order == '>'};
  }
  throw InputError(where, fmt::format("its type (descr) is {}", text.substr(0, 60)),
                   "integers, booleans and floats can be read: array.astype('float32')");
}

}  // namespace

NpyHeader read_npy_header(std::string_view front, const std::string& where) {
  if (front.size() < 12 || front.compare(0, 6, "\x93NUMPY") != 0)
    throw InputError(where, "is not a .npy file", "write it with numpy.save");
  const bool wide = front[6] >= 2;
  std::uint32_t length = 0;
  std::memcpy(&length, front.data() + 8, wide ? 4 : 2);
  const std::size_t start = wide ? 12 : 10;
  if (front[6] < 1 || front[6] > 3 || length > front.size() - start)
    throw InputError(where, fmt::format("its header (version {}) is {} bytes long", int{front[6]}, length),
                     "the file is damaged");
  const std::string_view dictionary = front.substr(start, length);
  if (value_of(dictionary, "fortran_order", where) != "False")
    throw InputError(where, "is in Fortran order", "save numpy.ascontiguousarray(array) instead");
  NpyHeader header{
      npy_type(value_of(dictionary, "descr", where), where), {}, static_cast<std::int64_t>(start + length)};
  std::string_view shape = value_of(dictionary, "shape", where);
  if (shape.size() < 2 || shape.front() != '(' || shape.back() != ')')
    throw InputError(where, fmt::format("its shape is {}", shape.substr(0, 60)), "the file is damaged");
  header.shape = parse_integers(shape.substr(1, shape.size() - 2), 0, where, "shape");
  return header;
}

namespace {

/// One to three dimensions, as images.
RawLayout layout_of(const NpyHeader& header, std::size_t least, std::size_t most, const std::string& where) {
  const std::vector<std::int64_t>& shape = header.shape;
  if (shape.size() < least || shape.size() > most)
    throw InputError(
        where, fmt::format("has {} dimensions", shape.size()),
        most == 1 ? "a list of numbers has one" : "images have two (row, column) or three (view, row, column)");
  RawLayout layout;
  layout.samples = header.samples;
  layout.offset = header.offset;
  layout.info.format = "npy";
  layout.info.columns = shape.back();
  layout.info.rows = shape.size() > 1 ? shape[shape.size() - 2] : 1;
  layout.info.images = shape.size() > 2 ? shape[0] : 1;
  layout.info.dimensions = shape;
  return layout;
}

}  // namespace

RawLayout npy_images(const NpyHeader& header, const std::string& where) { return layout_of(header, 2, 3, where); }

std::vector<double> npy_numbers(std::unique_ptr<ByteSource> source, const NpyHeader& header, const std::string& where) {
  const RawLayout layout = layout_of(header, 1, 1, where);
  require_bytes(*source, layout, where);
  std::vector<double> numbers(static_cast<std::size_t>(header.shape[0]));
  std::vector<std::byte> stored(numbers.size() * static_cast<std::size_t>(sample_bytes(header.samples.type)));
  source->read(header.offset, stored);
  convert_samples(stored, header.samples, std::span(numbers));
  return numbers;
}

}  // namespace backlit
