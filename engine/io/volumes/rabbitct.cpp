#include "io/volumes/rabbitct.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t matrix_bytes = 12 * sizeof(double);

struct Header {
  std::int64_t start = 0;  ///< offset of the first matrix
  StackInfo info{};
  float hu_scale = 1, hu_shift = 0;
};

std::uint32_t word(const std::string& bytes, std::size_t index) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + 4 * index, 4);
  return value;
}

/// Whether `size` bytes fit a header of `start` bytes, its images, and none or some of the reference volumes.
bool fits(const StackInfo& info, std::int64_t start, std::int64_t size) {
  constexpr std::int64_t longest = 1 << 16;
  if (info.columns < 1 || info.rows < 1 || info.images < 1 || info.columns > longest || info.rows > longest ||
      info.images > longest)
    return false;
  std::int64_t expected = start + info.images * (matrix_bytes + 4 * info.pixels());
  for (std::int64_t n = 128; n <= 1024 && expected < size; n *= 2) expected += 2 * n * n * n;
  return expected == size;
}

/// The header of the version whose sizes agree with the file's size; images = 0 when neither version's do.
Header read_header(const fs::path& path) {
  std::error_code error;
  const auto size = static_cast<std::int64_t>(fs::file_size(path, error));
  if (error) return {};
  const std::string front = read_front(path, 24);
  for (const std::size_t skip : {0u, 1u}) {
    if (front.size() < 4 * (skip + 5)) continue;
    Header header;
    header.start = 4 * static_cast<std::int64_t>(skip + 5);
    header.info.columns = word(front, skip);
    header.info.rows = word(front, skip + 1);
    header.info.images = word(front, skip + 2);
    if (!fits(header.info, header.start, size)) continue;
    header.info.format = "rabbitct";
    std::memcpy(&header.hu_scale, front.data() + 4 * (skip + 3), 4);
    std::memcpy(&header.hu_shift, front.data() + 4 * (skip + 4), 4);
    return header;
  }
  return {};
}

}  // namespace

RabbitCt open_rabbitct(const fs::path& path) {
  const std::string where = path.string();
  const Header header = read_header(path);
  if (header.info.images == 0)
    throw InputError(where, "its size does not agree with a RabbitCT header",
                     "the file is cut off, damaged, or not a RabbitCT data set");
  const std::int64_t pixels = header.info.pixels();
  RabbitCt data;
  data.hu_scale = header.hu_scale;
  data.hu_shift = header.hu_shift;
  auto source = open_bytes(path);
  for (std::int64_t i = 0; i < header.info.images; ++i) {
    std::array<double, 12> numbers;
    source->read(header.start + i * (matrix_bytes + 4 * pixels), std::as_writable_bytes(std::span(numbers)));
    ProjectionMatrix matrix;
    for (std::size_t n = 0; n < 12; ++n) {
      if (!std::isfinite(numbers[n]))
        throw InputError(fmt::format("{}: image {}", where, i), "its matrix is not finite", "the file is damaged");
      matrix[static_cast<int>(n / 3)][static_cast<int>(n % 3)] = numbers[n];
    }
    data.matrices.push_back(matrix);
  }
  RawLayout layout;
  layout.info = header.info;
  layout.offset = header.start + matrix_bytes;
  layout.gap = matrix_bytes;
  data.images = make_raw_stack(std::move(source), layout, where);
  return data;
}

bool is_rabbitct(const FileFront& front) { return read_header(front.path).info.images > 0; }

namespace formats {

VolumeFormat rabbitct_format() {
  VolumeFormat f;
  f.name = "rabbitct";
  f.title = "RabbitCT data set";
  f.extensions = {".rctd", ".rct"};
  f.recognizes = is_rabbitct;
  f.open = [](const fs::path& path, const std::string&) { return open_rabbitct(path).images; };
  f.describe = [](const fs::path& path, FileInfo& info) {
    const RabbitCt data = open_rabbitct(path);
    info.kind = "projections";
    info.views = data.images->info().images;
    info.more["matrices"] = std::to_string(data.matrices.size());
    info.more["hounsfield"] = fmt::format("{:g} * value + {:g} - 1024", data.hu_scale, data.hu_shift);
  };
  f.notes = "projections and matrices of either version; tested on files made from the description";
  return f;
}

}  // namespace formats
}  // namespace backlit
