// The geometry files that `plastimatch drr` writes, one beside each image.
#include <fmt/format.h>

#include <iterator>

#include <backlit/core/error.hpp>
#include "io/scans/geometries/view_table.hpp"

namespace backlit::formats {
namespace {

/// A file has the image centre (column, row), three matrix rows relative to that centre, SAD, SID, and further values
/// that are not needed.
std::vector<View> read_plastimatch(const GeometryText& text, Detector& d) {
  const ViewTable table = read_view_table(text, "Extrinsic");
  constexpr std::size_t lengths[] = {2, 4, 4, 4, 1, 1, 3};
  if (table.rows.size() != std::size(lengths))
    throw InputError(text.name, fmt::format("{} lines of numbers before Extrinsic", table.rows.size()),
                     "plastimatch writes the image's centre, three matrix rows, SAD, SID and the normal");
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.rows[i].numbers.size() != lengths[i])
      throw InputError(table.rows[i].where,
                       fmt::format("{} numbers where plastimatch writes {}", table.rows[i].numbers.size(), lengths[i]));
  const auto number = [&](std::size_t row, std::size_t i) { return table.rows[row].numbers[i]; };
  ProjectionMatrix p;
  for (int c = 0; c < 4; ++c) {
    const auto i = static_cast<std::size_t>(c);
    p[c] = Vec3(number(1, i) + number(0, 0) * number(3, i), number(2, i) + number(0, 1) * number(3, i), number(3, i));
  }
  if (!(number(5, 0) > 0)) throw InputError(table.rows[5].where, "the distance to the image (SID) is not positive");
  return {matrix_view(p, d, number(5, 0), text.name)};
}

}  // namespace

GeometryFormat plastimatch_format() {
  GeometryFormat f;
  f.name = "plastimatch";
  f.title = "plastimatch view";
  f.extensions = {".txt"};
  f.recognizes = [](const FileFront& front) { return front.bytes.find("Extrinsic") != std::string::npos; };
  f.read = read_plastimatch;
  f.notes = "a file a view, named by a pattern";
  return f;
}

}  // namespace backlit::formats
