// Portable float maps, netpbm's pfm(5): one image of 32-bit floats. The header is "Pf", columns and rows, and a number
// whose sign is the byte order. plastimatch's drr writes such files and its fdk reads them.
#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/text_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

bool blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

bool is_pfm(const std::string& front) {
  return front.size() > 3 && front[0] == 'P' && (front[1] == 'f' || front[1] == 'F') && blank(front[2]);
}

/// Rows keep the order of the file (in pfm(5) the first row is the bottom of the picture). The magnitude of the
/// byte-order number is not used.
std::unique_ptr<StackReader> open_pfm(const std::filesystem::path& path) {
  const std::string where = path.string(), front = read_front(path, 256);
  if (!is_pfm(front)) throw InputError(where, "is not a .pfm file", "its first line must be Pf");
  if (front[1] == 'F')
    throw InputError(where, "holds colours (PF), three numbers a pixel", "write it as one number a pixel (Pf)");
  std::array<std::string_view, 3> words;  // columns, rows, byte order; one blank follows the last
  std::size_t at = 2;
  for (std::string_view& word : words) {
    while (at < front.size() && blank(front[at])) ++at;
    const std::size_t begin = at;
    while (at < front.size() && !blank(front[at])) ++at;
    if (at == front.size()) throw InputError(where, "its header ends too early", "the file is cut off or damaged");
    word = std::string_view(front).substr(begin, at - begin);
  }
  const double order = parse_numbers(words[2], 1, where, "the byte order")[0];
  if (order == 0) throw InputError(where, "its byte order is 0", "-1 means little-endian numbers, 1 big-endian");
  RawLayout layout;
  layout.info.format = "pfm";
  layout.info.columns = parse_integers(words[0], 1, where, "the number of columns")[0];
  layout.info.rows = parse_integers(words[1], 1, where, "the number of rows")[0];
  layout.info.images = 1;
  layout.samples = {SampleType::f32, order > 0};
  layout.offset = static_cast<std::int64_t>(at) + (front.substr(at, 2) == "\r\n" ? 2 : 1);
  return make_raw_stack(open_bytes(path), layout, where);
}

}  // namespace

VolumeFormat pfm_format() {
  VolumeFormat f;
  f.name = "pfm";
  f.title = "portable float map";
  f.extensions = {".pfm"};
  f.recognizes = [](const FileFront& front) { return is_pfm(front.bytes); };
  f.open = [](const std::filesystem::path& path, const std::string&) { return open_pfm(path); };
  f.notes = "one image a file; no spacing";
  return f;
}

}  // namespace backlit::formats
