// What leaves the viewer as files. Everything appears complete or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <backlit/render/plane.hpp>
#include "model/engine/orders.hpp"

namespace backlit::viewer {

/// .png: in the order's window and colours; .tif: the values. Throws InputError for other extensions.
void save_slice(const Plane&, const order::ExportSlice&);

struct CsvColumn {
  std::string name;
  std::vector<double> values;
};
/// Columns of equal length with a header line.
void save_csv(const std::vector<CsvColumn>&, const std::filesystem::path&);

/// "turn_####.png" -> "turn_0007.png"; the last run of # is the number. Without one it comes before the ending:
/// "turn.png" -> "turn_0007.png".
std::string numbered(const std::string& pattern, std::int64_t number);

/// `count` cameras once about the object, from where `start` stands.
std::vector<Turntable> turntable_path(const Turntable& start, std::int64_t count);
/// `count` cameras through the keyframes, smooth (Catmull-Rom in every number, azimuths by the shorter way); first and
/// last are the first and last keyframe. Throws InputError for fewer than two.
std::vector<Turntable> keyframe_path(const std::vector<Turntable>& keys, std::int64_t count);

}  // namespace backlit::viewer
