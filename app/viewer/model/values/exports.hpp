// Exports of the viewer. Every file appears complete or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <backlit/render/plane.hpp>
#include "model/engine/orders.hpp"

namespace backlit::viewer {

/// .png: with the order's window and colours; .tif: the values. Throws InputError for other extensions.
void save_slice(const Plane&, const order::ExportSlice&);

struct CsvColumn {
  std::string name;
  std::vector<double> values;
};
/// Writes columns of equal length with a header line.
void save_csv(const std::vector<CsvColumn>&, const std::filesystem::path&);

/// "turn_####.png" -> "turn_0007.png": replaces the last run of # by the number. Without #, inserts it before the
/// extension: "turn.png" -> "turn_0007.png".
std::string numbered(const std::string& pattern, std::int64_t number);

/// `count` cameras on one turn around the object, beginning at `start`.
std::vector<Turntable> turntable_path(const Turntable& start, std::int64_t count);
/// `count` cameras on a smooth path through the keyframes (Catmull-Rom in every number, azimuths by the shorter
/// direction). The first and last are the first and last keyframe. Throws InputError for fewer than two keyframes.
std::vector<Turntable> keyframe_path(const std::vector<Turntable>& keys, std::int64_t count);

}  // namespace backlit::viewer
