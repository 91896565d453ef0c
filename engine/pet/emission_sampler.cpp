#include "pet/emission_sampler.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include "phantom/body.hpp"

namespace backlit {
namespace {

/// Volume of the whole shape, for weights: mm^3 (gaussian: its integral).
double shape_volume(const Body& body) {
  const double product = body.half.x * body.half.y * body.half.z;
  switch (body.shape) {
    case Body::Shape::ellipsoid:
      return 4.0 / 3 * pi * product;
    case Body::Shape::cylinder:
      return 2 * pi * product;
    case Body::Shape::box:
      return 8 * product;
    case Body::Shape::cone:
      return 2 * pi * product * (1 + body.top + body.top * body.top) / 3;
    case Body::Shape::gaussian:
      return std::pow(2 * pi, 1.5) * product;
  }
  return 0;
}

/// A point with uniform density in the unit disc.
glm::dvec2 disc(CounterRandom& random) {
  for (;;) {
    const double x = 2 * random.uniform() - 1, y = 2 * random.uniform() - 1;
    if (x * x + y * y < 1) return {x, y};
  }
}

/// Height in a cone, -1 to 1, below which the cone has the share `share` of its volume.
double cone_height(const Body& body, double share) {
  if (body.top == 1) return 2 * share - 1;
  const double top3 = body.top * body.top * body.top;
  const double radius = std::cbrt(1 + share * (top3 - 1));
  return 2 * (radius - 1) / (body.top - 1) - 1;
}

/// A random place in a body, in units of `half`, along the body's own axes.
Vec3 unit_place(const Body& body, CounterRandom& random) {
  switch (body.shape) {
    case Body::Shape::ellipsoid: {
      const double r = std::cbrt(random.uniform()), z = 2 * random.uniform() - 1, phi = 2 * pi * random.uniform();
      const double across = std::sqrt(1 - z * z);
      return r * Vec3(across * std::cos(phi), across * std::sin(phi), z);
    }
    case Body::Shape::cylinder: {
      const glm::dvec2 p = disc(random);
      return {p, 2 * random.uniform() - 1};
    }
    case Body::Shape::box: {
      const double x = random.uniform(), y = random.uniform();
      return 2.0 * Vec3(x, y, random.uniform()) - 1.0;
    }
    case Body::Shape::cone: {
      const double z = cone_height(body, random.uniform());
      return {(1 + (body.top - 1) * 0.5 * (z + 1)) * disc(random), z};
    }
    case Body::Shape::gaussian:
      break;
  }
  const double x = gaussian(random), y = gaussian(random);
  return {x, y, gaussian(random)};
}

double reach_of(const Body& body) {
  const Capsule bound = bounding_capsule(body);
  const auto distance = [](const Vec3& p) { return std::hypot(p.x, p.y); };
  return std::max(distance(bound.center - bound.half), distance(bound.center + bound.half)) + bound.radius;
}

}  // namespace

EmissionSampler::EmissionSampler(Phantom phantom) : phantom_(std::move(phantom)) {
  double sum = 0;
  for (std::size_t i = 0; i < phantom_.bodies.size(); ++i) {
    const Body& body = phantom_.bodies[i];
    thins_ = thins_ || body.value < 0;
    if (!(body.value > 0)) continue;
    sum += body.value * shape_volume(body);
    positive_.push_back(i);
    cumulative_.push_back(sum);
    reach_ = std::max(reach_, reach_of(body));
  }
  if (!(sum > 0))
    throw InputError(phantom_.name, "no body of this phantom has activity", "give bodies of a positive value");
}

bool EmissionSampler::draw(CounterRandom& random, Vec3& place) const {
  const double share = random.uniform() * cumulative_.back();
  const auto which =
      static_cast<std::size_t>(std::upper_bound(cumulative_.begin(), cumulative_.end(), share) - cumulative_.begin());
  const Body& body = phantom_.bodies[positive_[std::min(which, positive_.size() - 1)]];
  place = body.center + body.axes * (body.half * unit_place(body, random));
  return (body.clips.empty() && body.within.empty()) || value_at(body, place) > 0;
}

bool EmissionSampler::keep(CounterRandom& random, const Vec3& place) const {
  if (!thins_) return true;
  double all = 0, positive = 0;
  for (const Body& body : phantom_.bodies) {
    const double value = value_at(body, place);
    all += value;
    positive += std::max(0.0, value);
  }
  return random.uniform() * positive < all;
}

}  // namespace backlit
