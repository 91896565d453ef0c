// Crystal maps: text with one line for each crystal.
#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/io/lists/scanner_format.hpp>
#include "io/byte_source.hpp"
#include "io/text_fields.hpp"

namespace backlit {
namespace fs = std::filesystem;

CrystalMap load_crystal_map(const fs::path& path) {
  constexpr std::int64_t longest = std::int64_t{1} << 30;
  const std::string where = path.string();
  const auto bytes = open_bytes(path);
  if (bytes->size() > longest)
    throw InputError(where, fmt::format("{} bytes are too many for a crystal map", bytes->size()));
  const std::string text = read_front(path, static_cast<std::size_t>(longest));
  CrystalMap map;
  map.scanner.name = path.stem().string();
  for (TextLines lines(text); lines.next();) {
    const std::string_view line = lines.line();
    if (line.empty() || line[0] == '#') continue;
    const std::string place = fmt::format("{}:{}", where, lines.number());
    const auto v = parse_numbers(line, 0, place, "a column");
    if (v.size() != 5 && v.size() != 6)
      throw InputError(place, fmt::format("{} columns", v.size()),
                       "a crystal map has ring, detector, (layer,) x, y, z");
    const std::size_t ids = v.size() - 3;
    std::array<std::int64_t, 3> id{};
    for (std::size_t i = 0; i < ids; ++i) {
      if (!(v[i] >= 0 && v[i] < 1e6 && v[i] == std::floor(v[i])))
        throw InputError(place, fmt::format("{} is no number of a ring, detector or layer", v[i]));
      id[i] = static_cast<std::int64_t>(v[i]);
    }
    const Vec3 p(v[ids], v[ids + 1], v[ids + 2]);
    const double radius = std::hypot(p.x, p.y);
    if (!(radius > 1e-3 && radius < 1e5 && std::abs(p.z) < 1e5))
      throw InputError(place, "the crystal is not beside the axis within 100 m", "x, y, z are in mm, z along the axis");
    if (!map.number.emplace(id, static_cast<std::uint32_t>(map.scanner.position.size())).second)
      throw InputError(place, fmt::format("crystal {} {} {} is given twice", id[0], id[1], id[2]), "keep one");
    map.scanner.position.push_back(Vec3f(p));
    map.scanner.outward.push_back(Vec3f(Vec3(p.x, p.y, 0) / radius));
  }
  if (map.scanner.position.empty())
    throw InputError(where, "holds no crystals", "a line is: ring detector layer x y z (mm)");
  return map;
}

namespace formats {

ScannerFormat crystal_map_format() {
  ScannerFormat f;
  f.name = "crystal map";
  f.title = "crystal map";
  f.extensions = {"crystal_map*.txt"};
  f.recognizes = [](const FileFront& front) {
    const std::size_t numbers = numbers_in_first_row(front.bytes);
    return numbers == 5 || numbers == 6;
  };
  f.load = [](const fs::path& path) { return load_crystal_map(path).scanner; };
  f.notes = "text: ring, detector, layer, x, y, z (mm) a line";
  return f;
}

}  // namespace formats
}  // namespace backlit
