#include "model/values/materials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace backlit::viewer {
namespace {

constexpr std::size_t bins = 256;
// Told apart by people who are colour-blind, too (Okabe and Ito 2008).
constexpr std::array colors{"#999999", "#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"};
constexpr double shines_through = 0.03, opaque = 0.9;

/// Sums of numbers and values below each bin's edge.
struct Sums {
  double low = 0, width = 1;
  std::array<double, bins + 1> count{}, value{};

  explicit Sums(std::span<const float> sorted) {
    const std::size_t cut = sorted.size() / 2000;
    const auto v = sorted.subspan(cut, sorted.size() - 2 * cut);
    low = static_cast<double>(v.front());
    width = std::max((static_cast<double>(v.back()) - low) / bins, 1e-300);
    for (const float x : v) {
      const auto bin = static_cast<std::size_t>(std::clamp((static_cast<double>(x) - low) / width, 0.0, bins - 1.0));
      count[bin + 1] += 1;
      value[bin + 1] += static_cast<double>(x) - low;
    }
    for (std::size_t i = 1; i <= bins; ++i) {
      count[i] += count[i - 1];
      value[i] += value[i - 1];
    }
  }
  /// What a class of the bins [first, end) adds to the variance between classes.
  double between(std::size_t first, std::size_t end) const {
    const double n = count[end] - count[first], sum = value[end] - value[first];
    return n > 0 ? sum * sum / n : 0;
  }
  bool filled(std::size_t first, std::size_t end) const { return count[end] > count[first]; }
};

}  // namespace

std::vector<double> otsu_thresholds(std::span<const float> sorted, std::size_t classes) {
  if (sorted.empty() || !(sorted.front() < sorted.back())) return {};
  const Sums sums(sorted);
  // best[k][end]: of k + 1 classes below a bin's edge; begins[k][end]: where the last of them begins.
  std::vector<std::array<double, bins + 1>> best(classes);
  std::vector<std::array<std::size_t, bins + 1>> begins(classes);
  for (std::size_t end = 0; end <= bins; ++end) best[0][end] = sums.between(0, end);
  for (std::size_t k = 1; k < classes; ++k)
    for (std::size_t end = 0; end <= bins; ++end) {
      best[k][end] = best[k - 1][end];
      begins[k][end] = end;  // an empty class
      for (std::size_t first = 1; first < end; ++first) {
        const double all = best[k - 1][first] + sums.between(first, end);
        if (all <= best[k][end] * (1 + 1e-12) || !sums.filled(first, end)) continue;
        best[k][end] = all;
        begins[k][end] = first;
      }
    }
  std::vector<double> thresholds;
  std::size_t end = bins;
  for (std::size_t k = classes - 1; k > 0; --k) {
    const std::size_t first = begins[k][end];
    if (first < end) thresholds.push_back(sums.low + static_cast<double>(first) * sums.width);
    end = first;
  }
  std::ranges::reverse(thresholds);
  return thresholds;
}

std::vector<Material> found_materials(std::span<const float> sorted, std::size_t classes) {
  std::vector<Material> made;
  if (sorted.empty() || !(sorted.front() < sorted.back())) return made;
  std::vector<double> edges = otsu_thresholds(sorted, classes);
  edges.insert(edges.begin(), static_cast<double>(sorted.front()));
  edges.push_back(static_cast<double>(sorted.back()));
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const bool first = i == 0, last = i + 2 == edges.size();
    made.push_back({first ? "surroundings" : fmt::format("material {}", i), edges[i], edges[i + 1], colors[i],
                    first  ? 0
                    : last ? opaque
                           : shines_through});
  }
  return made;
}

std::vector<Material> tissue_materials(double water, double air) {
  const LinearScale hu = hounsfield_scale(water, air);
  return {{"air", hu.value(-1100), hu.value(-300), "#56b4e9", 0},
          {"fat", hu.value(-200), hu.value(-30), "#f0e442", shines_through},
          {"soft tissue", hu.value(-30), hu.value(200), "#d55e00", shines_through},
          {"bone", hu.value(200), hu.value(4000), "#f2e6cf", opaque}};
}

std::string next_color(std::span<const Material> materials) {
  for (const std::string color : colors)
    if (color != colors[0] && std::ranges::find(materials, color, &Material::color) == materials.end()) return color;
  return colors[0];
}

void move_material_end(std::vector<Material>& all, std::size_t end, double value, double least) {
  const std::size_t i = end / 2;
  if (i >= all.size()) return;
  const bool upper = end % 2 != 0;
  Material* const beside = upper ? (i + 1 < all.size() ? &all[i + 1] : nullptr) : (i > 0 ? &all[i - 1] : nullptr);
  double& mine = upper ? all[i].high : all[i].low;
  double* const its = beside ? (upper ? &beside->low : &beside->high) : nullptr;
  const bool touches = its && *its == mine;
  double low = -1e300, high = 1e300;
  (upper ? low : high) = upper ? all[i].low + least : all[i].high - least;
  if (its) (upper ? high : low) = !touches ? *its : upper ? beside->high - least : beside->low + least;
  if (low > high) return;
  mine = std::clamp(value, low, high);
  if (touches) *its = mine;
}

TransferFunction material_function(std::span<const Material> materials) {
  TransferFunction f;
  f.name = "materials";
  f.about = "Materials as steps";
  f.depth = 1.5;
  f.depth_in_percent = true;
  std::vector<Material> seen;
  for (const Material& m : materials)
    if (m.opacity > 0) seen.push_back(m);
  if (seen.empty()) seen.push_back({"nothing", 0, 1, "#000000", 0});
  double narrowest = seen.front().high - seen.front().low;
  for (const Material& m : seen) narrowest = std::min(narrowest, m.high - m.low);
  const double edge = std::min(0.01 * narrowest, 1e-4 * (seen.back().high - seen.front().low));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Material& m = seen[i];
    const Rgb c = color_from(m.color, "material");
    const Vec3 color = Vec3(c.r, c.g, c.b) / 255.0;
    const bool after = i > 0 && m.low - seen[i - 1].high < 2 * edge,
               before = i + 1 < seen.size() && seen[i + 1].low - m.high < 2 * edge;
    if (!after) f.points.push_back({m.low - edge, color, 0});
    f.points.push_back({m.low, color, m.opacity});
    f.points.push_back({m.high - edge, color, m.opacity});
    if (!before) f.points.push_back({m.high, color, 0});
  }
  return f;
}

ValueScale value_scale(const DisplayState& d, double largest_side) {
  return {{d.low, d.high > d.low ? d.high : d.low + 1e-12}, d.water, largest_side, d.air};
}

TransferFunction box_function(const DisplayState& d) {
  TransferFunction f;
  if (d.transfer == "custom") f = parse_transfer_function(d.transfer_text, "transfer function");
  if (f.boxes.empty()) {
    f = {};
    f.name = "boxes";
    f.about = "Boxes of value and gradient";
    f.depth = 1.5;
    f.depth_in_percent = true;
    return f;
  }
  return in_values(f, value_scale(d));
}

void show_boxes(DisplayState& d, const TransferFunction& f) {
  d.transfer = f.boxes.empty() ? "auto" : "custom";
  d.transfer_text = f.boxes.empty() ? "" : to_text(f);
}

}  // namespace backlit::viewer
