#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/geometry/helix.hpp>
#include <backlit/preprocess/fdk_filter.hpp>
#include "geometry/make_view_map.hpp"
#include "preprocess/scan_angles.hpp"

namespace backlit {
namespace {

double smooth_step(double x) {
  const double s = std::sin(0.5 * pi * std::clamp(x, 0.0, 1.0));
  return s * s;
}

[[noreturn]] void refuse(std::size_t view, const std::string& problem) {
  throw InputError("FDK", fmt::format("view {}: {}", view, problem),
                   "use `method` sirt or cgls, or `force` to accept the error");
}

[[noreturn]] void refuse_helix(const Scan& scan, std::size_t view, const std::string& problem) {
  const std::string bent = helix_problem(scan);
  throw InputError(
      "FDK",
      fmt::format("view {}: {}{}", view, problem,
                  bent.empty() ? "" : fmt::format(", and `method` hfdk does not take it ({})", bent)),
      bent.empty() ? "use `method` hfdk, which is made for helices, or sirt or cgls" : "use `method` sirt or cgls");
}

void check_detector(const Scan& scan) {
  const Detector& d = scan.detector;
  if (d.shape == Detector::Shape::flat) return;
  const double width = glm::length(scan.views.front().u);
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const double focus = detector_normal(scan.views[i]).distance;
    if (scan.beam() == Beam::parallel || (d.radius > 0 && std::abs(d.radius - focus) > 1e-6 * focus))
      throw Unsupported("FDK", fmt::format("view {}: the curved detector is not focused on the source", i),
                        is_helical(scan) ? "use `method` hfdk, which is made for helices, or an iterative method"
                                         : "resample it to a flat one, or use an iterative method");
    if (std::abs(glm::length(scan.views[i].u) - width) > 1e-6 * width)
      throw Unsupported("FDK", fmt::format("view {}: its columns are not as wide as the first view's", i),
                        "give all views of a curved detector the same |u|");
  }
}

void check_trajectory(const Scan& scan, bool force) {
  const bool parallel = scan.beam() == Beam::parallel;
  double plane = 0;
  for (const View& v : scan.views) plane += (parallel ? v.direction : v.source).z;
  plane /= static_cast<double>(scan.view_count());
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const View& v = scan.views[i];
    const Vec3 from = parallel ? v.direction : v.source;
    const double radius = std::hypot(from.x, from.y);
    if (!(radius > 1e-6 * glm::length(from)) || !(axis_distance(v) > 0))
      throw InputError("FDK", fmt::format("view {}: its rays do not run from the source across the axis", i),
                       "check the geometry: the axis of rotation is z, through the origin");
    if (force) continue;
    const double off = std::abs(from.z - plane);
    if (off > 0.01 * radius) {
      const std::string problem =
          parallel
              ? fmt::format("its rays leave the scan's plane by {:.1f} degrees", off / radius / radians_per_degree)
              : fmt::format("the source leaves its plane by {:.1f} mm, more than 1 % of R = {:.1f} mm", off, radius);
      is_helical(scan) ? refuse_helix(scan, i, problem) : refuse(i, problem);
    }
    const double tilt = std::asin(std::min(1.0, std::abs(v.u.z) / glm::length(v.u))) / radians_per_degree;
    if (tilt > 10) refuse(i, fmt::format("its rows are tilted by {:.1f} degrees, more than 10", tilt));
    const double raised = std::abs(elevation(v)) / radians_per_degree;
    if (raised > 10)
      refuse(i, fmt::format("its rays leave the plane of rotation by {:.1f} degrees, more than 10", raised));
  }
}

/// The range of rays that every view measured: gamma (cone) or mm from the axis (parallel), between the outer edges of
/// pixels.
struct Fan {
  double low = -1e300, high = 1e300, pixel = 0;
  double half_width() const { return std::max(-low, high); }
  double displacement() const { return std::abs(low + high); }
};

std::vector<MidplaneView> midplanes(const Scan& scan) {
  std::vector<MidplaneView> mids;
  for (const View& view : scan.views) mids.push_back(midplane(scan.detector, view));
  return mids;
}

/// The gaps of some views of the whole scan, found by their angles: views of one angle share its gap.
std::vector<double> gaps_of_part(const std::vector<double>& gaps, const std::vector<MidplaneView>& whole,
                                 const std::vector<MidplaneView>& part) {
  std::map<double, double> gap_at;
  for (std::size_t i = 0; i < gaps.size(); ++i) gap_at.emplace(whole[i].angle, gaps[i]);
  std::vector<double> found;
  for (const MidplaneView& view : part) {
    const auto at = gap_at.find(view.angle);
    if (at == gap_at.end()) throw Failure("FDK", "a view is not one of the whole scan's");
    found.push_back(at->second);
  }
  return found;
}

Fan common_fan(const Scan& scan, const std::vector<MidplaneView>& mids) {
  Fan fan;
  const auto columns = static_cast<double>(scan.detector.columns);
  for (std::size_t i = 0; i < mids.size(); ++i) {
    const double a = ray_offset(scan.detector, scan.views[i], mids[i], -0.5);
    const double b = ray_offset(scan.detector, scan.views[i], mids[i], columns - 0.5);
    fan.low = std::max(fan.low, std::min(a, b));
    fan.high = std::min(fan.high, std::max(a, b));
    fan.pixel = std::max(fan.pixel, std::abs(b - a) / columns);
  }
  return fan;
}

/// A smooth confidence c of a ray. One factor grows with the view's distance from the ends of the scan. The other grows
/// with the column's distance from the short side of a displaced detector. A ray's share is c / (c + c of its
/// conjugate). So the shares of conjugates sum to 1 (Noo, Defrise, Clackdoyle, Kudo, Phys. Med. Biol. 47 (2002) 2525).
/// For a full scan with a displaced detector this is the weight of Wang, Med. Phys. 29 (2002) 1634, with sin^2 in place
/// of his sine.
class Trust {
 public:
  Trust(const Fan& fan, const AngleCircle* circle, bool displaced) : fan_(fan), circle_(circle), displaced_(displaced) {
    const double overlap = 2 * std::min(-fan.low, fan.high);
    taper_ = std::min(overlap, std::max(fan.displacement(), 0.1 * (fan.high - fan.low)));
  }

  bool ignores_views() const { return !circle_ || circle_->closed(); }
  double operator()(double angle, double offset) const { return of_view(angle) * of_column(offset); }

 private:
  double of_view(double angle) const {
    if (!circle_ || circle_->closed()) return 1;
    for (const AngleCircle::Arc& arc : circle_->arcs()) {
      const double into = wrapped(angle - arc.start + arc.half_gap, 2 * pi);
      const double length = arc.length + 2 * arc.half_gap;
      if (into > length) continue;
      const double ends = std::min(length / 2, std::max((length - pi) / 2, 10 * radians_per_degree));
      return smooth_step(std::min(into, length - into) / ends);
    }
    return 0;
  }
  double of_column(double offset) const {
    // Where views moved, rays lie outside the columns common to all views. Two such conjugates count as halves.
    constexpr double outside = 1e-6;
    if (!displaced_) return offset >= fan_.low && offset <= fan_.high ? 1 : outside;
    const double from_short_side = -fan_.low < fan_.high ? offset - fan_.low : fan_.high - offset;
    const double from_long_side = -fan_.low < fan_.high ? fan_.high - offset : offset - fan_.low;
    return from_long_side < 0 ? 0 : smooth_step(from_short_side / taper_);
  }

  Fan fan_;
  const AngleCircle* circle_;
  bool displaced_;
  double taper_;
};

/// Whether all views see their columns under the same angles. Three columns suffice, because the projection of a line
/// has three degrees of freedom.
bool alike(const Scan& scan, const std::vector<MidplaneView>& mids) {
  for (double at : {0.0, 0.5, 1.0}) {
    const double column = at * static_cast<double>(scan.detector.columns - 1);
    const double first = ray_offset(scan.detector, scan.views[0], mids[0], column);
    const double tolerance = 1e-9 * (scan.beam() == Beam::parallel ? std::max(1.0, std::abs(first)) : 1.0);
    for (std::size_t i = 1; i < mids.size(); ++i)
      if (std::abs(ray_offset(scan.detector, scan.views[i], mids[i], column) - first) > tolerance) return false;
  }
  return true;
}

double share(double mine, double conjugate) { return mine + conjugate > 0 ? mine / (mine + conjugate) : 1; }

/// The weight of Parker, Med. Phys. 9 (1982) 254, for an arc of pi + 2 `half`. Silver, Med. Phys. 27 (2000) 773,
/// extends it to longer arcs than needed. `angle` counts from the arc's start; conjugates are at angle + pi + 2 gamma.
double parker(double angle, double gamma, double half) {
  if (angle < 0 || angle > pi + 2 * half) return 0;
  const auto quarter = [](double x) {
    const double s = std::sin(0.25 * pi * x);
    return s * s;
  };
  if (angle < 2 * (half - gamma)) return quarter(angle / (half - gamma));
  if (angle > pi - 2 * gamma) return quarter((pi + 2 * half - angle) / (half + gamma));
  return 1;
}

enum class Scheme { plain, trust, parker };

/// Weights for the window "none", see FdkFilter: only the factor from R to the depth of the world's origin.
FdkWeights weights_of_filtered(const Scan& scan) {
  FdkWeights weights;
  for (const View& view : scan.views) {
    const double ratio =
        view.beam == Beam::parallel ? 1 : -glm::dot(detector_normal(view).normal, view.source) / axis_distance(view);
    weights.gap.push_back(ratio * ratio);
  }
  weights.ray.emplace_back(static_cast<std::size_t>(scan.detector.columns), 1.0f);
  weights.scheme = "filtered already";
  return weights;
}

/// Refuses weights that depend on the column: the derivative along a row does not commute with them.
void check_hilbert(const Scan& scan, const FdkWeights& weights) {
  if (scan.beam() != Beam::parallel || scan.detector.shape == Detector::Shape::curved)
    throw InputError("filter", "hilbert reconstructs parallel beams on flat detectors only",
                     "integrate differential views of other beams along their rows, and take ram-lak");
  for (const auto& row : weights.ray)
    for (float weight : row)
      if (weight != row.front())
        throw InputError("filter", "hilbert cannot weigh the rays that a displaced detector measures twice",
                         "integrate the differential views along their rows, and take ram-lak");
}

}  // namespace

FdkWeights fdk_weights(const Scan& scan, const FilterOptions& options) {
  const Scan& whole = options.whole ? *options.whole : scan;
  scan.check("FDK");
  check_detector(scan);
  check_trajectory(whole, options.force || !options.filters());
  if (!options.filters()) return weights_of_filtered(scan);
  const bool parallel = scan.beam() == Beam::parallel;
  const std::vector<MidplaneView> all = midplanes(whole), mids = options.whole ? midplanes(scan) : all;
  std::vector<double> angles;
  for (const MidplaneView& view : all) angles.push_back(view.angle);
  const Fan fan = common_fan(whole, all);
  if (!options.force && (fan.low >= 0 || fan.high <= 0))
    throw InputError("FDK", "the axis does not project onto the detector in every view",
                     "check offset_px or `center`, use an iterative method, or `force`");

  const AngleCircle turn(angles, 2 * pi), half_turn(angles, parallel ? pi : 2 * pi);
  const bool asked = options.redundancy != Redundancy::automatic, beside = fan.low >= 0 || fan.high <= 0;
  const bool displaced =
      !beside && (options.redundancy == Redundancy::offset || (!asked && fan.displacement() > 1.01 * fan.pixel));
  const bool paired = !parallel || (displaced && turn.closed());  // conjugates are weighted, not merged by angle
  const bool one_arc = turn.arcs().size() == 1;
  const double arc = one_arc ? turn.arcs()[0].length : 2 * pi;

  FdkWeights weights;
  Scheme scheme = Scheme::plain;
  weights.gap = (paired ? turn : half_turn).gaps();
  if (options.whole) weights.gap = gaps_of_part(weights.gap, all, mids);
  if (!paired) {
    weights.scheme = half_turn.closed() ? "parallel" : "parallel, limited arc";
  } else if (options.redundancy == Redundancy::none || beside) {
    weights.scheme = "none";
  } else if (options.redundancy == Redundancy::parker && (parallel || !one_arc || arc <= pi)) {
    throw InputError("redundancy",
                     "Parker's weights need one arc of a fan or cone beam, more than 180 and less than 360 degrees",
                     "use auto");
  } else if (options.redundancy == Redundancy::parker ||
             (!asked && one_arc && !displaced && arc >= pi + 2 * fan.half_width())) {
    scheme = Scheme::parker;
    weights.scheme = "short scan (Parker)";
  } else {
    scheme = Scheme::trust;
    weights.scheme = displaced ? "offset detector" : turn.closed() ? "full" : "general";
    if (displaced && !turn.closed()) weights.scheme += ", short scan";
  }

  const Trust trust(fan, turn.closed() || options.redundancy == Redundancy::offset ? nullptr : &turn, displaced);
  const auto ray_weight = [&](double angle, double offset) {
    if (scheme == Scheme::plain) return paired ? 0.5 : 1.0;
    if (scheme == Scheme::parker)
      return parker(wrapped(angle - turn.arcs()[0].start + 1e-9, 2 * pi) - 1e-9, offset, (arc - pi) / 2);
    return share(trust(angle, offset), trust(angle + pi + (parallel ? 0 : 2 * offset), -offset));
  };
  const bool same_for_all =
      scheme == Scheme::plain || (scheme == Scheme::trust && trust.ignores_views() && alike(scan, mids));
  weights.ray.resize(same_for_all ? 1 : mids.size());
  parallel_for(static_cast<std::int64_t>(weights.ray.size()), [&](std::int64_t n) {
    const auto i = static_cast<std::size_t>(n);
    auto& row = weights.ray[i];
    row.resize(static_cast<std::size_t>(scan.detector.columns));
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = static_cast<float>(
          ray_weight(mids[i].angle, ray_offset(scan.detector, scan.views[i], mids[i], static_cast<double>(c))));
  });
  const auto near_first = [&](const std::vector<float>& row) {
    return std::equal(row.begin(), row.end(), weights.ray[0].begin(),
                      [](float a, float b) { return std::abs(a - b) < 1e-6f; });
  };
  if (std::all_of(weights.ray.begin(), weights.ray.end(), near_first)) weights.ray.resize(1);
  if (options.hilbert()) check_hilbert(scan, weights);
  return weights;
}

}  // namespace backlit
