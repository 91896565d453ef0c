#include "model/length_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace backlit::viewer {
namespace {

struct LengthUnit {
  std::string name;
  double size = 1;  ///< in the unit that lengths are given in
};

LengthUnit suiting(double length, const std::string& unit) {
  static const std::array finer{LengthUnit{"µm", 1e-3}, LengthUnit{"nm", 1e-6}};
  LengthUnit chosen{unit, 1};
  if (unit != "mm" || !(length > 0)) return chosen;
  for (const LengthUnit& u : finer)
    if (length < 0.0999 * chosen.size) chosen = u;
  return chosen;
}

/// Digits after the point: a voxel has two, or one where it is larger than the unit.
int digits(double voxel, const LengthUnit& unit, int least) {
  const double size = std::max(voxel, 1e-12) / unit.size;
  return std::clamp(static_cast<int>(std::ceil(1 - std::log10(size))), least, 9);
}

}  // namespace

std::string length_text(double length, const std::string& unit, double voxel) {
  const LengthUnit u = suiting(length, unit);
  return fmt::format("{:.{}f} {}", length / u.size, digits(voxel, u, u.size == 1 ? 2 : 0), u.name);
}

std::string sides_text(double larger, double smaller, const std::string& unit, double voxel) {
  const LengthUnit u = suiting(larger, unit);
  const int n = digits(voxel, u, u.size == 1 ? 1 : 0);
  return fmt::format("{:.{}f} × {:.{}f} {}", larger / u.size, n, smaller / u.size, n, u.name);
}

std::string round_length_text(double length, const std::string& unit) {
  const LengthUnit u = suiting(length, unit);
  return fmt::format("{:g} {}", length / u.size, u.name);
}

}  // namespace backlit::viewer
