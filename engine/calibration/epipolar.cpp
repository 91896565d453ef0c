// Consistency of cone-beam views: both views give the same integral of a plane through their two sources.
#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include <backlit/core/parallel.hpp>
#include "calibration/consistency.hpp"
#include "calibration/least_squares.hpp"
#include "calibration/measured_plane.hpp"

namespace backlit {
namespace {

constexpr double least_angle = 12 * radians_per_degree;  ///< smallest angle between two views of a pair
constexpr double outside = 1.3;  ///< least distance of a pair's line from the axis, in object radii, for integrals
constexpr std::size_t most_pairs = 480;

std::vector<double> gaussian(double sigma) {
  const int reach = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> kernel;
  double sum = 0;
  for (int k = -reach; k <= reach; ++k) sum += kernel.emplace_back(std::exp(-0.5 * k * k / (sigma * sigma)));
  for (double& k : kernel) k /= sum;
  return kernel;
}

/// Two unit vectors that are orthogonal to `along` and to each other; the first is near to z.
std::pair<Vec3, Vec3> frame_about(const Vec3& along) {
  const Vec3 axis = glm::normalize(along);
  const Vec3 helper = std::abs(axis.z) < 0.9 ? Vec3(0, 0, 1) : Vec3(1, 0, 0);
  const Vec3 first = glm::normalize(helper - glm::dot(helper, axis) * axis);
  return {first, glm::cross(axis, first)};
}

/// Shuffles to an order that is the same on all machines.
void shuffle(std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  std::minstd_rand random;
  for (std::size_t i = pairs.size(); i > 1; --i) std::swap(pairs[i - 1], pairs[random() % i]);
}

/// How a quantity is compared.
struct Sampling {
  double truncated;  ///< limit on a line's ends, as a share of the largest value
  double spacing;    ///< pixels between two planes, at the object. Two would miss what lies between planes where a face
                     ///< of the object is parallel to them: one row then seems wrong by pixels.
  double narrow;     ///< planes: differences are smoothed over this standard deviation
  double wide;       ///< planes: and reduced by their mean over this one, where beam hardening and scatter are; 0: not
  std::int64_t every;  ///< planes for one residual
};
Sampling sampling_of(PlaneQuantity quantity) {
  return quantity == PlaneQuantity::derivative ? Sampling{0.04, 1, 2, 0, 2} : Sampling{0.02, 1, 3, 12, 2};
}

/// The weighted mean of the values about `i` that are not NaN; NaN where they have less than `least` of the weight.
double mean_about(const std::vector<float>& values, std::int64_t i, const std::vector<double>& kernel, double least) {
  const auto reach = static_cast<std::int64_t>(kernel.size() / 2), count = static_cast<std::int64_t>(values.size());
  double sum = 0, weight = 0;
  for (std::int64_t k = std::max(-reach, -i); k <= std::min(reach, count - 1 - i); ++k) {
    const float v = values[static_cast<std::size_t>(i + k)];
    if (!std::isfinite(v)) continue;
    sum += kernel[static_cast<std::size_t>(k + reach)] * v;
    weight += kernel[static_cast<std::size_t>(k + reach)];
  }
  return weight > least ? sum / weight : missing;
}

/// Planes through two sources.
class SheafOfPlanes {
 public:
  SheafOfPlanes(const Vec3& from, const Vec3& to) : from_(from) { std::tie(up_, side_) = frame_about(to - from); }

  double distance() const { return std::hypot(glm::dot(from_, up_), glm::dot(from_, side_)); }  ///< of the line, mm
  /// Radians: the normal of the plane through the origin.
  double middle() const {
    return distance() > 1e-6 * glm::length(from_) ? std::atan2(-glm::dot(from_, up_), glm::dot(from_, side_)) : 0;
  }
  Vec3 normal(double turn) const { return std::cos(turn) * up_ + std::sin(turn) * side_; }
  /// Unit vector in that plane, across the line, towards the origin.
  Vec3 away(double turn) const {
    const Vec3 across = std::cos(turn) * side_ - std::sin(turn) * up_;
    return glm::dot(across, from_) > 0 ? -across : across;
  }

 private:
  Vec3 from_, up_, side_;
};

/// Two views, and the planes through both sources to compare.
struct SourcePair {
  std::size_t a, b;
  double middle, step;  ///< radians about the line that joins the sources
  std::int64_t planes;  ///< an odd number, evenly to both sides of the middle
  std::size_t begin;    ///< the pair's first residual
  double scale = 1;     ///< weight of the pair's differences

  /// `farther`: distance of the detector over the one for which the step was chosen.
  double turn(std::int64_t plane, double farther = 1) const {
    const std::int64_t from_middle = plane - planes / 2;
    return middle + static_cast<double>(from_middle) * step / farther;
  }
  std::size_t residuals(std::int64_t every) const { return static_cast<std::size_t>((planes - 1) / every + 1); }
};

/// Integrals: Clackdoyle and Desbat (Med. Phys. 42 (2015) 831) for fan beams whose sources lie on a line; Lesaint, Rit,
/// Clackdoyle and Desbat (IEEE Trans. Radiat. Plasma Med. Sci. 1 (2017) 517) calibrate cone beams by them. They need no
/// derivative, but a line of sources that misses the object. Derivatives: Grangeat's relation (in Mathematical Methods
/// in Tomography, 1991, 66); Debbeler, Maass, Elter, Dennerlein and Buzug (Fully3D 2013) and Aichert, Berger, Wang,
/// Maass, Doerfler, Hornegger and Maier (IEEE Trans. Med. Imaging 34 (2015) 2205) compare two views by it. Differences
/// are smoothed over neighbouring planes, so that both views are smoothed equally. Smoothing each view on its detector
/// shifts the distance by percents.
class EpipolarConsistency final : public Consistency {
 public:
  EpipolarConsistency(CalibrationViews views, const Scan& scan, double object_radius, PlaneQuantity quantity)
      : views_(std::move(views)),
        quantity_(quantity),
        sampling_(sampling_of(quantity)),
        narrow_(gaussian(sampling_.narrow)),
        wide_(gaussian(sampling_.wide)),
        limit_(static_cast<float>(sampling_.truncated * views_.largest())),
        distance_(detector_normal(view_of(scan, 0)).distance) {
    pair_up(scan, object_radius);
    if (quantity_ == PlaneQuantity::derivative)
      balance(scan);
    else
      weigh(scan);
  }

  /// One residual for every second plane of each pair of views.
  std::vector<float> residuals(const Scan& scan) const override { return differences(scan, -1); }

  std::pair<int, int> views_of(std::size_t residual) const override {
    const SourcePair& pair = *std::prev(std::ranges::upper_bound(pairs_, residual, {}, &SourcePair::begin));
    return {static_cast<int>(pair.a), static_cast<int>(pair.b)};
  }

 private:
  const View& view_of(const Scan& scan, std::size_t place) const {
    return scan.views[static_cast<std::size_t>(views_.index[place])];
  }
  void pair_up(const Scan&, double object_radius);
  void balance(const Scan&);
  void weigh(const Scan&);
  /// The distance of the detector over `distance_`. Integrals fall with it, and their noise with them: without this
  /// factor, noise makes the detector seem farther than it is. Planes stay in step with pixels for the same reason:
  /// noise is averaged over as many pixels at any distance.
  double farther(const Scan& scan) const {
    return quantity_ == PlaneQuantity::integral ? detector_normal(view_of(scan, 0)).distance / distance_ : 1;
  }
  std::vector<MeasuredPlane> planes_of(const Scan&) const;
  std::vector<float> differences(const Scan&, float sign) const;

  CalibrationViews views_;
  PlaneQuantity quantity_;
  Sampling sampling_;
  std::vector<double> narrow_, wide_;  ///< kernels over planes
  float limit_;
  double distance_;  ///< of the detector, mm, in the geometry that the pairs were chosen for
  std::vector<SourcePair> pairs_;
};

/// Chooses pairs of views and their planes, which meet the ball of the object's radius.
void EpipolarConsistency::pair_up(const Scan& scan, double object_radius) {
  const View& view = view_of(scan, 0);
  const double pixel = static_cast<double>(views_.binning) * std::min(glm::length(view.u), glm::length(view.v)) *
                       glm::length(view.source) / detector_normal(view).distance;
  const auto suits = [&](std::size_t a, std::size_t b) {
    const Vec3 &from = view_of(scan, a).source, &to = view_of(scan, b).source;
    return glm::dot(glm::normalize(from), glm::normalize(to)) < std::cos(least_angle) &&
           (quantity_ == PlaneQuantity::derivative || SheafOfPlanes(from, to).distance() > outside * object_radius);
  };
  std::vector<std::pair<std::size_t, std::size_t>> apart;
  for (std::size_t a = 0; a < views_.index.size(); ++a)
    for (std::size_t b = a + 1; b < views_.index.size(); ++b)
      if (suits(a, b)) apart.emplace_back(a, b);
  shuffle(apart);
  if (apart.size() > most_pairs) apart.resize(most_pairs);
  std::size_t begin = 0;
  for (const auto& [a, b] : apart) {
    const SheafOfPlanes sheaf(view_of(scan, a).source, view_of(scan, b).source);
    const double reach = sheaf.distance();
    const double widest = reach > object_radius ? std::asin(object_radius / reach) : 0.5 * pi;
    const double step = sampling_.spacing * pixel / std::max(reach, object_radius);
    const auto half = static_cast<std::int64_t>(widest / step);
    pairs_.push_back({a, b, sheaf.middle(), step, 2 * half + 1, begin});
    begin += pairs_.back().residuals(sampling_.every);
  }
}

std::vector<MeasuredPlane> EpipolarConsistency::planes_of(const Scan& scan) const {
  std::vector<MeasuredPlane> planes;
  for (std::size_t i = 0; i < views_.index.size(); ++i) planes.emplace_back(views_, i, scan, limit_);
  return planes;
}

/// Gives all pairs the same noise, and their integrals a variance of about 1.
void EpipolarConsistency::weigh(const Scan& scan) {
  constexpr std::int64_t stride = 8;
  const std::vector<MeasuredPlane> planes = planes_of(scan);
  for (SourcePair& pair : pairs_) {
    const SheafOfPlanes sheaf(view_of(scan, pair.a).source, view_of(scan, pair.b).source);
    double noise = 0, count = 0;
    for (std::int64_t i = 0; i < pair.planes; i += stride) {
      const double turn = pair.turn(i);
      const float a = planes[pair.a].integral(sheaf.normal(turn), sheaf.away(turn)).noise,
                  b = planes[pair.b].integral(sheaf.normal(turn), sheaf.away(turn)).noise;
      if (std::isfinite(a + b)) noise += static_cast<double>(a) * a + static_cast<double>(b) * b, ++count;
    }
    pair.scale = std::sqrt(count / noise);  // NaN without planes
  }
  // The square of a sum is four times that of one term.
  const double square = mean_square(differences(scan, 1)) / 4;
  for (SourcePair& pair : pairs_) pair.scale /= std::sqrt(square);
}

/// Scales all pairs to equal weight. Otherwise opposite views would dominate: the line between their sources meets the
/// object, where smoothing over planes has little effect.
void EpipolarConsistency::balance(const Scan& scan) {
  const std::vector<float> sums = differences(scan, 1);
  std::vector<double> square(pairs_.size());
  double all = 0;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const std::size_t end = pairs_[p].begin + pairs_[p].residuals(sampling_.every);
    std::int64_t count = 0;
    for (std::size_t i = pairs_[p].begin; i < end; ++i)
      if (std::isfinite(sums[i])) square[p] += static_cast<double>(sums[i]) * sums[i], ++count;
    if (count > 0) square[p] /= 2 * static_cast<double>(count);  // the square of a sum is twice that of one term
    all += square[p] / static_cast<double>(pairs_.size());
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    pairs_[p].scale = 1 / std::sqrt(std::max(square[p], 0.01 * all) + 1e-300);
}

/// The quantities of the first view plus `sign` times those of the second, smoothed.
std::vector<float> EpipolarConsistency::differences(const Scan& scan, float sign) const {
  if (pairs_.empty()) return {};
  const std::vector<MeasuredPlane> planes = planes_of(scan);
  const double stretch = farther(scan);
  std::vector<float> out(pairs_.back().begin + pairs_.back().residuals(sampling_.every), missing);
  parallel_for(static_cast<std::int64_t>(pairs_.size()), [&](std::int64_t n) {
    const SourcePair& pair = pairs_[static_cast<std::size_t>(n)];
    const SheafOfPlanes sheaf(view_of(scan, pair.a).source, view_of(scan, pair.b).source);
    const auto quantity = [&](std::size_t view, double turn) {
      return quantity_ == PlaneQuantity::derivative ? planes[view].derivative(sheaf.normal(turn))
                                                    : planes[view].integral(sheaf.normal(turn), sheaf.away(turn)).value;
    };
    std::vector<float> plane(static_cast<std::size_t>(pair.planes));
    for (std::int64_t i = 0; i < pair.planes; ++i) {
      float& value = plane[static_cast<std::size_t>(i)] = quantity(pair.a, pair.turn(i, stretch));
      if (std::isfinite(value)) value += sign * quantity(pair.b, pair.turn(i, stretch));
    }
    for (std::int64_t i = 0; i < pair.planes; i += sampling_.every) {
      const double near = mean_about(plane, i, narrow_, 0.9),
                   far = sampling_.wide > 0 ? mean_about(plane, i, wide_, 0.6) : 0;
      out[pair.begin + static_cast<std::size_t>(i / sampling_.every)] =
          static_cast<float>(stretch * pair.scale * (near - far));
    }
  });
  return out;
}

}  // namespace

std::unique_ptr<Consistency> make_epipolar(CalibrationViews views, const Scan& scan, double object_radius,
                                           PlaneQuantity quantity) {
  return std::make_unique<EpipolarConsistency>(std::move(views), scan, object_radius, quantity);
}

}  // namespace backlit
