#include "pet/true_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr std::uint64_t decay_group = 0x64656361;  // a separate stream of random numbers
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double sigma_per_fwhm = 1 / 2.354820045030949;

Vec3 direction_of(CounterRandom& random, double steepest) {
  const double z = steepest * (2 * random.uniform() - 1), phi = 2 * pi * random.uniform(),
               across = std::sqrt(1 - z * z);
  return {across * std::cos(phi), across * std::sin(phi), z};
}

}  // namespace

TrueEvents::TrueEvents(const Scanner& scanner, const CrystalPairs& pairs, const Phantom& activity,
                       const Phantom* attenuation, const ListModeSimulation& options, double tof_fwhm_ps)
    : scanner_(scanner),
      pairs_(pairs),
      attenuation_(attenuation),
      options_(options),
      sampler_(activity),
      tof_sigma_ps_(tof_fwhm_ps * sigma_per_fwhm) {
  if (!scanner.layout)
    throw InputError(scanner.name, "is a table of crystals: photons cannot be followed into it",
                     "simulate with a scanner of rings (.scanner.toml)");
  const RingLayout& layout = *scanner.layout;
  depth_ = options.depth || layout.layers() > 1;
  inner_radius_ = layout.face_radius_mm + (depth_ ? 0.0 : layout.mean_depth_mm);
  half_length_ = 0.5 * (layout.ring_z_mm(layout.rings() - 1) - layout.ring_z_mm(0) + layout.ring_spacing_mm);
  const double reach = sampler_.reach() + 6 * options.positron_sigma_mm;
  if (reach < inner_radius_ && options.acollinearity_deg == 0) {
    // Both ends lie within the scanner's length, and their distance across the axis is at least this chord.
    const double chord = 2 * std::sqrt(inner_radius_ * inner_radius_ - reach * reach);
    const double length = 2 * half_length_;
    steepest_ = length / std::hypot(length, chord);
  }
}

void TrueEvents::simulate(std::uint64_t first, std::uint64_t count, std::vector<TrueEvent>& out) const {
  TrueEvent event;
  for (std::uint64_t decay = first; decay < first + count; ++decay)
    if (this->count(decay, event)) out.push_back(event);
}

Vec3 TrueEvents::opposite(CounterRandom& random, const Vec3& direction) const {
  if (options_.acollinearity_deg == 0) return -direction;
  const double sigma = options_.acollinearity_deg * radians_per_degree * sigma_per_fwhm;
  const Vec3 side = glm::normalize(glm::cross(direction, std::abs(direction.z) < 0.9 ? Vec3(0, 0, 1) : Vec3(1, 0, 0)));
  const double a = sigma * gaussian(random), b = sigma * gaussian(random);
  return -glm::normalize(direction + a * side + b * glm::cross(direction, side));
}

RingLayout::Hit TrueEvents::detect(CounterRandom& random, const Vec3& origin, const Vec3& direction) const {
  const RingLayout& layout = *scanner_.layout;
  if (!depth_) return layout.hit(origin, direction);
  const double distance =
      layout.distance_to_face(origin, direction) - std::log(random.uniform()) / scanner_.stopping_per_mm;
  return {layout.crystal_at(origin + distance * direction), distance};
}

bool TrueEvents::may_hit(const Vec3& place, const Vec3& direction) const {
  const double a = direction.x * direction.x + direction.y * direction.y;
  const double b = place.x * direction.x + place.y * direction.y;
  const double c = place.x * place.x + place.y * place.y - inner_radius_ * inner_radius_;
  if (c >= 0) return false;
  if (options_.acollinearity_deg > 0) return true;
  const double middle = place.z - b / a * direction.z, reach = std::sqrt(b * b - a * c) / a * std::abs(direction.z);
  return std::abs(middle) + reach <= half_length_;
}

bool TrueEvents::count(std::uint64_t decay, TrueEvent& event) const {
  CounterRandom random(options_.seed, decay, decay_group);
  Vec3 place;
  if (!sampler_.draw(random, place)) return false;
  const Vec3 decayed = place;
  if (options_.positron_sigma_mm > 0) {
    const double x = gaussian(random), y = gaussian(random);
    place += options_.positron_sigma_mm * Vec3(x, y, gaussian(random));
  }
  const Vec3 direction = direction_of(random, steepest_);
  if (!may_hit(place, direction)) return false;
  const RingLayout::Hit one = detect(random, place, direction);
  if (one.crystal < 0) return false;
  const Vec3 back = opposite(random, direction);
  const RingLayout::Hit two = detect(random, place, back);
  if (two.crystal < 0 || !pairs_.coincide(one.crystal, two.crystal)) return false;
  if (attenuation_) {
    const double through = back == -direction ? line_integral(*attenuation_, place, direction, -infinity, infinity)
                                              : line_integral(*attenuation_, place, direction, 0, infinity) +
                                                    line_integral(*attenuation_, place, back, 0, infinity);
    if (random.uniform() >= std::exp(-through)) return false;
  }
  if (!sampler_.keep(random, decayed)) return false;
  const double dt = (one.distance - two.distance) / (2 * half_c_mm_per_ps);
  event.decay = decay;
  event.crystal1 = static_cast<std::uint32_t>(one.crystal);
  event.crystal2 = static_cast<std::uint32_t>(two.crystal);
  event.dt_ps = static_cast<float>(tof_sigma_ps_ > 0 ? dt + tof_sigma_ps_ * gaussian(random) : dt);
  return true;
}

}  // namespace backlit
