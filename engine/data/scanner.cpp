#include <backlit/data/scanner.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr std::int64_t most_crystals = 16'000'000;

/// The frame of a module: outward normal and the direction in which its index grows.
struct ModuleFrame {
  Vec3 normal, along;
};

double module_angle(const RingLayout& layout) { return 2 * pi / static_cast<double>(layout.modules); }

ModuleFrame frame(const RingLayout& layout, std::int64_t module) {
  const double angle =
      layout.first_deg * radians_per_degree + (static_cast<double>(module) + 0.5) * module_angle(layout);
  const double c = std::cos(angle), s = std::sin(angle);
  return {{c, s, 0}, {-s, c, 0}};
}

/// The module whose sector holds a point.
std::int64_t module_at(const RingLayout& layout, double x, double y) {
  const double turn = (std::atan2(y, x) - layout.first_deg * radians_per_degree) / (2 * pi);
  const double share = turn - std::floor(turn);
  return std::min(static_cast<std::int64_t>(share * static_cast<double>(layout.modules)), layout.modules - 1);
}

double half_length(const RingLayout& layout) {
  return 0.5 * (static_cast<double>(layout.rings()) * layout.ring_spacing_mm +
                static_cast<double>(layout.axial_modules - 1) * layout.axial_gap_mm);
}

/// -1 outside and between modules.
std::int64_t ring_at(const RingLayout& layout, double z) {
  const double block = static_cast<double>(layout.module_rings) * layout.ring_spacing_mm;
  const double from_end = z + half_length(layout), step = block + layout.axial_gap_mm;
  const double module = std::floor(from_end / step);
  if (!(module >= 0 && module < static_cast<double>(layout.axial_modules))) return -1;
  const double ring = std::floor((from_end - module * step) / layout.ring_spacing_mm);
  if (ring >= static_cast<double>(layout.module_rings)) return -1;
  return static_cast<std::int64_t>(module) * layout.module_rings + static_cast<std::int64_t>(ring);
}

/// Index within a ring at `offset` mm along a module; -1 beside its crystals.
std::int64_t index_at(const RingLayout& layout, std::int64_t module, double offset) {
  const double column = std::floor(offset / layout.pitch_mm + 0.5 * static_cast<double>(layout.module_crystals));
  if (!(column >= 0 && column < static_cast<double>(layout.module_crystals))) return -1;
  return module * layout.module_crystals + static_cast<std::int64_t>(column);
}

/// Crystals of plain rings are wedges that touch at every depth; crystals of modules are bars.
double narrowing(const RingLayout& layout, double depth) {
  return layout.module_crystals == 1 ? layout.face_radius_mm / (layout.face_radius_mm + depth) : 1.0;
}

/// The point at which a ray from inside crosses the prism of planes at `radius` about the axis.
struct PrismHit {
  std::int64_t module = -1;  ///< -1: beyond the scanner's ends
  double distance = 0;
  double offset = 0;  ///< along the module, from its middle
};

PrismHit hit_prism(const RingLayout& layout, double radius, const Vec3& p, const Vec3& d) {
  const double a = d.x * d.x + d.y * d.y, b = p.x * d.x + p.y * d.y, c = p.x * p.x + p.y * p.y - radius * radius;
  const double round = (-b + std::sqrt(std::max(0.0, b * b - a * c))) / a;
  if (std::abs(p.z + round * d.z) > half_length(layout))
    return {-1, round, 0};  // the prism lies outside its inner circle
  const auto cross = [&](std::int64_t module) {
    const ModuleFrame axes = frame(layout, module);
    const double climb = axes.normal.x * d.x + axes.normal.y * d.y;
    const double distance = (radius - axes.normal.x * p.x - axes.normal.y * p.y) / climb;
    const double offset = axes.along.x * (p.x + distance * d.x) + axes.along.y * (p.y + distance * d.y);
    return PrismHit{module, climb > 0 ? distance : 1e300, offset};
  };
  const PrismHit best = cross(module_at(layout, p.x + round * d.x, p.y + round * d.y));
  const double half_side = radius * std::tan(0.5 * module_angle(layout));
  if (std::abs(best.offset) <= half_side) return best;
  // Between the circle and the prism the ray enters the neighbour's sector.
  const std::int64_t next = best.offset > 0 ? best.module + 1 : best.module + layout.modules - 1;
  return cross(next % layout.modules);
}

void check(const RingLayout& layout, const std::string& where) {
  const auto fail = [&](const std::string& problem, const char* remedy) { throw InputError(where, problem, remedy); };
  for (const std::int64_t n : {layout.modules, layout.module_crystals, layout.axial_modules, layout.module_rings})
    if (n < 1 || n > 100'000) fail(fmt::format("a count of {}", n), "numbers of crystals and modules are 1 to 100000");
  if (layout.modules < 3) fail(fmt::format("{} modules around", layout.modules), "a ring needs at least 3");
  for (const double mm : {layout.face_radius_mm, layout.pitch_mm, layout.ring_spacing_mm})
    if (!(mm > 0 && mm < 1e5)) fail(fmt::format("a length of {} mm", mm), "radius and pitches are positive");
  if (!(layout.axial_gap_mm >= 0 && layout.axial_gap_mm < 1e5))
    fail(fmt::format("an axial gap of {} mm", layout.axial_gap_mm), "give 0 or more");
  if (layout.layers_mm.empty() || layout.layers_mm.size() > 64)
    fail("no layers of crystals, or over 64", "give 1 to 64");
  for (const double mm : layout.layers_mm)
    if (!(mm > 0 && mm < 1e4)) fail(fmt::format("a layer of {} mm", mm), "thicknesses are positive");
  if (!(layout.mean_depth_mm >= 0 && layout.mean_depth_mm <= layout.layers_mm[0]))
    fail(fmt::format("a mean depth of {} mm", layout.mean_depth_mm), "it lies within the first layer");
  const double rings = static_cast<double>(layout.axial_modules) * static_cast<double>(layout.module_rings);
  const double around = static_cast<double>(layout.modules) * static_cast<double>(layout.module_crystals);
  if (rings * around * static_cast<double>(layout.layers()) > static_cast<double>(most_crystals))
    fail(fmt::format("{:.3g} crystals", rings * around * static_cast<double>(layout.layers())), "at most 16 million");
  const double face = 2 * layout.face_radius_mm * std::tan(pi / static_cast<double>(layout.modules));
  const double width = static_cast<double>(layout.module_crystals) * layout.pitch_mm;
  if (width > face * 1.0001)
    fail(fmt::format("modules of {:.4g} mm overlap: {} of them at {:.4g} mm have room for {:.4g} mm each", width,
                     layout.modules, layout.face_radius_mm, face),
         "enlarge the radius or reduce the pitch");
}

double azimuth(const Vec3f& p) { return std::atan2(static_cast<double>(p.y), static_cast<double>(p.x)); }

}  // namespace

double RingLayout::depth_mm(std::int64_t layer) const {
  if (layers() == 1) return mean_depth_mm;
  const double above = std::accumulate(layers_mm.begin(), layers_mm.begin() + layer, 0.0);
  return above + 0.5 * layers_mm[static_cast<std::size_t>(layer)];
}

double RingLayout::ring_z_mm(std::int64_t ring) const {
  return (static_cast<double>(ring) + 0.5) * ring_spacing_mm + static_cast<double>(ring / module_rings) * axial_gap_mm -
         half_length(*this);
}

std::int64_t RingLayout::crystal_at(const Vec3& point) const {
  const std::int64_t ring = ring_at(*this, point.z);
  if (ring < 0) return -1;
  const std::int64_t module = module_at(*this, point.x, point.y);
  const ModuleFrame axes = frame(*this, module);
  double below = glm::dot(axes.normal, point) - face_radius_mm;
  if (below < 0) return -1;
  const std::int64_t index = index_at(*this, module, glm::dot(axes.along, point) * narrowing(*this, below));
  if (index < 0) return -1;
  for (std::int64_t layer = 0; layer < layers(); ++layer) {
    below -= layers_mm[static_cast<std::size_t>(layer)];
    if (below < 0) return (layer * rings() + ring) * per_ring() + index;
  }
  return -1;
}

RingLayout::Hit RingLayout::hit(const Vec3& origin, const Vec3& direction) const {
  const PrismHit found = hit_prism(*this, face_radius_mm + mean_depth_mm, origin, direction);
  if (found.module < 0) return {};
  const std::int64_t ring = ring_at(*this, origin.z + found.distance * direction.z);
  if (ring < 0) return {};
  const std::int64_t index = index_at(*this, found.module, found.offset * narrowing(*this, mean_depth_mm));
  if (index < 0) return {};
  return {ring * per_ring() + index, found.distance};
}

double RingLayout::distance_to_face(const Vec3& origin, const Vec3& direction) const {
  return hit_prism(*this, face_radius_mm, origin, direction).distance;
}

bool Scanner::in_coincidence(std::int64_t crystal1, std::int64_t crystal2) const {
  const Vec3f &a = position[static_cast<std::size_t>(crystal1)], &b = position[static_cast<std::size_t>(crystal2)];
  if (std::abs(static_cast<double>(a.z) - static_cast<double>(b.z)) > coincidence.max_axial_mm + 1e-3) return false;
  const double difference = std::abs(azimuth(a) - azimuth(b));
  return std::min(difference, 2 * pi - difference) >= coincidence.min_angle_deg * radians_per_degree - 1e-6;
}

double Scanner::pair_efficiency(std::int64_t crystal1, std::int64_t crystal2) const {
  const auto i = static_cast<std::size_t>(crystal1), j = static_cast<std::size_t>(crystal2);
  double detected = 1;
  if (given_efficiency)
    detected = given_efficiency(crystal1, crystal2);
  else if (!efficiency.empty())
    detected = static_cast<double>(efficiency[i]) * static_cast<double>(efficiency[j]);
  const double area = crystal_mm.x * crystal_mm.y;
  const Vec3 line = Vec3(position[j]) - Vec3(position[i]);
  const double square = glm::dot(line, line);
  if (geometry_is_given || !(area > 0 && square > 0)) return detected;
  const double cosines = glm::dot(Vec3(outward[i]), line) * glm::dot(Vec3(outward[j]), line) / square;
  return detected * std::abs(cosines) * area * area / (2 * pi * square);
}

std::vector<std::int32_t> Scanner::rings() const {
  std::vector<std::size_t> order(position.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return position[a].z < position[b].z; });
  std::vector<std::int32_t> ring(position.size());
  std::int32_t last = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && position[order[i]].z - position[order[i - 1]].z > 0.01f) ++last;
    ring[order[i]] = last;
  }
  return ring;
}

Scanner make_ring_scanner(const std::string& name, const RingLayout& layout, const Coincidence& coincidence,
                          const std::string& where, double stopping_per_mm) {
  check(layout, where);
  if (!(stopping_per_mm > 0)) throw InputError(where, "its scintillator stops nothing", "give stopping_per_mm above 0");
  if (!(coincidence.min_angle_deg >= 0 && coincidence.min_angle_deg < 180 && coincidence.max_axial_mm >= 0))
    throw InputError(where, "its rule of coincidence lets no pair count",
                     "give min_angle_deg from 0 to 180 and a max_ring_difference of 0 or more");
  Scanner scanner;
  scanner.name = name;
  scanner.layout = layout;
  scanner.coincidence = coincidence;
  scanner.stopping_per_mm = stopping_per_mm;
  scanner.crystal_mm = {layout.pitch_mm / narrowing(layout, layout.depth_mm(0)), layout.ring_spacing_mm,
                        layout.layers_mm[0]};
  scanner.depth_mm = layout.depth_mm(0);
  scanner.position.reserve(static_cast<std::size_t>(layout.crystals()));
  scanner.outward.reserve(scanner.position.capacity());
  for (std::int64_t layer = 0; layer < layout.layers(); ++layer)
    for (std::int64_t ring = 0; ring < layout.rings(); ++ring)
      for (std::int64_t index = 0; index < layout.per_ring(); ++index) {
        const ModuleFrame axes = frame(layout, index / layout.module_crystals);
        const double column =
            static_cast<double>(index % layout.module_crystals) - 0.5 * static_cast<double>(layout.module_crystals - 1);
        const Vec3 center = (layout.face_radius_mm + layout.depth_mm(layer)) * axes.normal +
                            column * layout.pitch_mm * axes.along + Vec3(0, 0, layout.ring_z_mm(ring));
        scanner.position.push_back(Vec3f(center));
        scanner.outward.push_back(Vec3f(axes.normal));
      }
  if (layout.layers() == 1) return scanner;
  double above = 0;
  for (const double thickness : layout.layers_mm) {
    const double share = std::exp(-stopping_per_mm * above) - std::exp(-stopping_per_mm * (above + thickness));
    scanner.efficiency.insert(scanner.efficiency.end(), static_cast<std::size_t>(layout.rings() * layout.per_ring()),
                              static_cast<float>(share));
    above += thickness;
  }
  return scanner;
}

}  // namespace backlit
