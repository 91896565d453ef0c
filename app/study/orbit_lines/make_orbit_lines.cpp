#include "study/orbit_lines/make_orbit_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/orbit_lines/mirrored_turns.hpp"

namespace backlit {
namespace {

constexpr double tolerance = 1e-4;  // pixels, slices

bool halves(double x) { return std::abs(2 * x - std::round(2 * x)) <= 2 * tolerance; }
bool within(double x, std::int64_t count) { return x > -tolerance && x < static_cast<double>(count - 1) + tolerance; }

std::string refusal_of(const VolumeGrid& grid, const QuarterTurns& turns, const Detector& d, double reach) {
  if (!turns.refusal.empty()) return turns.refusal;
  if (turns.parallel || !(turns.rows > 0)) return "mirror images take cone beams whose rows run along z";
  if (turns.distance <= reach) return "the source lies within the grid";
  if (!within(turns.column0, d.columns) || !within(turns.row0, d.rows)) return "the central ray misses the detector";
  if (!halves(turns.column0) || !halves(turns.row0))
    return fmt::format("the central ray meets column {:.6g}, row {:.6g}: pixels have no mirror images", turns.column0,
                       turns.row0);
  if (std::abs(grid.center.z - turns.source_z) > tolerance * grid.spacing.z)
    return fmt::format("the slices are not symmetric about the source's plane, z = {:.6g}", turns.source_z);
  return {};
}

/// Pixels first to last of an axis on which pixels c and `mirrored` - c are mirror images.
void place(std::int64_t pixels, double middle, bool from_middle, int& first, int& mirrored, int& stored) {
  mirrored = static_cast<int>(std::lround(2 * middle));
  const int last = std::max(static_cast<int>(pixels) - 1, mirrored);
  first = from_middle ? mirrored / 2 : std::min(0, mirrored - static_cast<int>(pixels) + 1);
  stored = last - first + 1;
}

}  // namespace

OrbitLines make_orbit_lines(const Scan& scan, const VolumeGrid& grid) {
  OrbitLines lines;
  const QuarterTurns turns = find_quarter_turns(scan, grid);
  const double reach = std::sqrt(0.5) * grid.spacing.x * static_cast<double>(grid.size[0]);
  lines.refusal = refusal_of(grid, turns, scan.detector, reach);
  if (!lines.refusal.empty()) return lines;
  const MirroredTurns mirrored = find_mirrored_turns(turns);
  lines.refusal = mirrored.refusal;
  if (!lines.refusal.empty()) return lines;

  LineScan& s = lines.scan;
  LineSources& from = lines.sources;
  place(scan.detector.columns, turns.column0, false, from.first_column, from.mirrored_column, s.stored_columns);
  place(scan.detector.rows, turns.row0, true, from.first_row, from.mirrored_row, s.stored_rows);
  const auto n = static_cast<int>(grid.size[0]);
  s.spacing = static_cast<float>(grid.spacing.x);
  s.middle = n & 1 ? 0.0f : 0.5f;
  s.side = orbit_side(n);
  s.z_step = static_cast<float>(grid.spacing.z);
  s.z_first = grid.size[2] & 1 ? 0.0f : 0.5f * s.z_step;
  s.distance = static_cast<float>(turns.distance);
  s.column0 = 0.5f * static_cast<float>(from.mirrored_column) - static_cast<float>(from.first_column);
  s.columns = static_cast<float>(turns.columns);
  s.row0 = 0.5f * static_cast<float>(from.mirrored_row) - static_cast<float>(from.first_row);
  s.rows = static_cast<float>(turns.rows);
  const double step = turns.rows * grid.spacing.z;
  lines.least_step = static_cast<float>(step / (turns.distance + reach));
  lines.most_step = static_cast<float>(step / (turns.distance - reach));
  for (std::size_t g = 0; g < turns.groups.size(); ++g) {
    auto& group = lines.groups.emplace_back();
    group.cosine = static_cast<float>(std::cos(turns.groups[g].angle));
    group.sine = static_cast<float>(std::sin(turns.groups[g].angle));
    for (std::size_t c = 0; c < 4; ++c) {
      group.views[c] = static_cast<int>(turns.groups[g].views[c]);
      group.views[4 + c] = static_cast<int>(mirrored.views[g][c]);
    }
  }
  return lines;
}

LineRoom line_room(const OrbitLines& lines, int side, int slices, int upper_slices) {
  LineRoom room{0, 0};
  const int last =
      std::max(0, (upper_slices - 1) / slices * slices);  // rows are farthest apart here: others may touch one more
  for (const auto& g : lines.groups)
    for (int p = 0; p < lines.scan.side; p += side)
      for (int q = 0; q <= p; q += side)
        for (int j = 0; j < 4; ++j) {
          const LineWindow w = line_window(lines.scan, g.cosine, g.sine, {p, q, last, side, slices}, j,
                                           2 * line_margin);  // a device rounds differently
          room = {std::max(room.columns, w.columns), std::max(room.rows, w.rows + 1)};
        }
  return room;
}

}  // namespace backlit
