#include "grid_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <backlit/core/error.hpp>

namespace backlit::cli {
namespace {

/// One or three numbers separated by 'x' or ','; one stands for all three, unless that is not allowed.
template <class T>
std::vector<T> three_numbers(const std::string& text, const std::string& where, const char* example,
                             bool one_for_all = true) {
  std::vector<T> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (true) {
    T number{};
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc{}) break;
    numbers.push_back(number);
    at = stop;
    if (at == end || (*at != 'x' && *at != ',')) break;
    ++at;
  }
  if (at != end || text.empty() || (numbers.size() != 3 && !(one_for_all && numbers.size() == 1)))
    throw InputError(where, fmt::format("'{}' is not understood", text), fmt::format("give it like {}", example));
  if (numbers.size() == 1) numbers.assign(3, numbers.front());
  return numbers;
}

}  // namespace

Size3 parse_size(const std::string& text, const std::string& where) {
  const auto n = three_numbers<std::int64_t>(text, where, "256x256x200 or 256");
  return {n[0], n[1], n[2]};
}

Vec3 parse_vector(const std::string& text, const std::string& where) {
  const auto n = three_numbers<double>(text, where, "0.5x0.5x1 or 0.5");
  return {n[0], n[1], n[2]};
}

Vec3 parse_point(const std::string& text, const std::string& where) {
  const auto n = three_numbers<double>(text, where, "10,-2.5,0 (mm)", false);
  if (!std::isfinite(n[0] + n[1] + n[2])) throw InputError(where, fmt::format("'{}' is not a point", text));
  return {n[0], n[1], n[2]};
}

std::string size_text(const Size3& s) { return fmt::format("{} x {} x {}", s[0], s[1], s[2]); }

void GridOption::add_flags(CLI::App& app) {
  app.add_option("--grid", size,
                 "voxels along x, y and z (default: the scan file's [volume], else what every view sees)")
      ->type_name("NXxNYxNZ")
      ->group("Volume");
  app.add_option("--voxel", voxel, "voxel size, one number or three (default: a pixel seen at the axis)")
      ->type_name("mm")
      ->group("Volume");
  app.add_option("--grid-center", center, "middle of the volume, x,y,z (default: 0,0,0)")
      ->type_name("mm")
      ->group("Volume");
}

VolumeGrid GridOption::apply(const VolumeGrid& base) const {
  VolumeGrid grid = base;
  const Vec3 extent = base.upper() - base.lower();
  if (!size.empty()) grid.size = parse_size(size, "--grid");
  if (!voxel.empty()) grid.spacing = parse_vector(voxel, "--voxel");
  if (!center.empty()) grid.center = parse_point(center, "--grid-center");
  grid.check(!size.empty() ? "--grid" : "--voxel");
  if (voxel.empty() && !size.empty()) {
    double side = 0;
    for (int a = 0; a < 3; ++a) {
      const auto n = grid.size[static_cast<std::size_t>(a)];
      if (n > 1 || side == 0) side = std::max(side, extent[a] / static_cast<double>(n));
    }
    grid.spacing = Vec3(side);
  }
  if (size.empty() && !voxel.empty())
    for (int a = 0; a < 3; ++a) {
      auto& n = grid.size[static_cast<std::size_t>(a)];
      if (n > 1) n = std::max<std::int64_t>(1, std::llround(std::ceil(extent[a] / grid.spacing[a] - 1e-6)));
    }
  grid.check(!size.empty() ? "--grid" : "--voxel");
  return grid;
}

}  // namespace backlit::cli
