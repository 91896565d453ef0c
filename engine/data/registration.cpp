#include <backlit/data/registration.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

constexpr std::size_t bins = 32;
constexpr std::int64_t most_samples = 20000, least_side = 12;

/// From values to bins, between percentiles: a few values far out would leave most bins empty.
struct Bins {
  double low = 0, scale = 0;
  double operator()(double value) const { return std::clamp((value - low) * scale, 0.0, bins - 1.0); }
};

Bins bins_of(std::span<const float> values) {
  std::vector<float> sample;
  const std::size_t stride = values.size() / 65536 + 1;
  for (std::size_t i = 0; i < values.size(); i += stride)
    if (std::isfinite(values[i])) sample.push_back(values[i]);
  if (sample.empty()) return {};
  std::ranges::sort(sample);
  const auto at = [&](double share) {
    return sample[static_cast<std::size_t>(share * static_cast<double>(sample.size() - 1))];
  };
  const double low = at(0.002), high = at(0.998);
  return {low, high > low ? (bins - 1) / (high - low) : 0};
}

/// Trilinear, in voxels; false outside the outermost centres.
bool sample(const Volume& v, const Vec3& at, double& value) {
  std::array<std::int64_t, 3> i;
  Vec3 f;
  for (int a = 0; a < 3; ++a) {
    const auto n = v.grid.size[static_cast<std::size_t>(a)];
    if (n == 1 ? std::abs(at[a]) > 0.5 : at[a] < 0 || at[a] > static_cast<double>(n - 1)) return false;
    i[static_cast<std::size_t>(a)] =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(at[a]), 0, std::max<std::int64_t>(0, n - 2));
    f[a] = n == 1 ? 0 : at[a] - static_cast<double>(i[static_cast<std::size_t>(a)]);
  }
  const auto next = [&](std::size_t a) { return std::min(i[a] + 1, v.grid.size[a] - 1); };
  const auto along_x = [&](std::int64_t j, std::int64_t k) {
    return glm::mix<double>(v.at(i[0], j, k), v.at(next(0), j, k), f.x);
  };
  const double front = glm::mix(along_x(i[1], i[2]), along_x(next(1), i[2]), f.y),
               back = glm::mix(along_x(i[1], next(2)), along_x(next(1), next(2)), f.y);
  value = glm::mix(front, back, f.z);
  return std::isfinite(value);
}

double entropy(std::span<const double> counts, double total) {
  double h = 0;
  for (const double c : counts)
    if (c > 0) h -= c / total * std::log(c / total);
  return h;
}

/// Two volumes and what is looked at of them.
class Pair {
 public:
  Pair(const Volume& fixed, const Volume& moving) : moving_(moving), moving_bins_(bins_of(moving.values.span())) {
    const Bins fixed_bins = bins_of(fixed.values.span());
    contrast_ = fixed_bins.scale > 0 && moving_bins_.scale > 0;
    const std::int64_t stride = fixed.grid.voxels() / most_samples + 1;
    const Size3& n = fixed.grid.size;
    for (std::int64_t at = stride / 2; at < fixed.grid.voxels(); at += stride) {
      const float value = fixed.values[at];
      if (!std::isfinite(value)) continue;
      const std::int64_t i = at % n[0], j = at / n[0] % n[1], k = at / (n[0] * n[1]);
      points_.push_back(
          fixed.grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
      of_fixed_.push_back(static_cast<std::size_t>(std::lround(fixed_bins(value))));
    }
  }

  bool contrast() const { return contrast_; }

  /// On one core: a sum of so few samples is done before others have begun.
  double information(const RigidMotion& motion) const {
    std::array<double, bins * bins> joint{};
    const glm::dmat3 back = glm::transpose(motion.turn());
    const Vec3 moved = motion.shift + motion.pivot, first = moving_.grid.first_voxel();
    for (std::size_t s = 0; s < points_.size(); ++s) {
      const Vec3 at = (back * (points_[s] - moved) + motion.pivot - first) / moving_.grid.spacing;
      double value = 0;
      if (!sample(moving_, at, value)) continue;
      const double bin = moving_bins_(value);  // shared by two, so that small motions count
      const auto b = std::min(static_cast<std::size_t>(bin), bins - 2);
      const double share = bin - static_cast<double>(b);
      joint[of_fixed_[s] * bins + b] += 1 - share;
      joint[of_fixed_[s] * bins + b + 1] += share;
    }
    return information_of(joint);
  }

 private:
  double information_of(std::span<const double> joint) const {
    std::array<double, bins> fixed{}, moving{};
    double total = 0;
    for (std::size_t i = 0; i < bins; ++i)
      for (std::size_t j = 0; j < bins; ++j) {
        fixed[i] += joint[i * bins + j];
        moving[j] += joint[i * bins + j];
        total += joint[i * bins + j];
      }
    if (total < 0.25 * static_cast<double>(points_.size()) || total <= 0) return 0;
    const double both = entropy(joint, total);
    return both > 0 ? (entropy(fixed, total) + entropy(moving, total)) / both : 0;
  }

  const Volume& moving_;
  Bins moving_bins_;
  bool contrast_ = false;
  std::vector<Vec3> points_;
  std::vector<std::size_t> of_fixed_;
};

/// Means of 2 x 2 x 2 voxels; an axis of few voxels stays as it is.
Volume halved(const Volume& v) {
  Size3 by{1, 1, 1}, n = v.grid.size;
  for (std::size_t a = 0; a < 3; ++a)
    if (n[a] >= 2 * least_side) {
      by[a] = 2;
      n[a] /= 2;
    }
  VolumeGrid grid{n, v.grid.spacing * Vec3(by[0], by[1], by[2]), Vec3(0)};
  grid.center = v.grid.lower() + 0.5 * grid.spacing * Vec3(n[0], n[1], n[2]);
  Volume half(grid);
  parallel_for(n[2], [&](std::int64_t k) {
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i) {
        double sum = 0;
        for (std::int64_t c = 0; c < by[2]; ++c)
          for (std::int64_t b = 0; b < by[1]; ++b)
            for (std::int64_t a = 0; a < by[0]; ++a) sum += v.at(by[0] * i + a, by[1] * j + b, by[2] * k + c);
        half.at(i, j, k) = static_cast<float>(sum / static_cast<double>(count(by)));
      }
  });
  return half;
}

bool can_halve(const Volume& v) {
  return *std::ranges::max_element(v.grid.size) >= 2 * least_side && v.grid.voxels() > most_samples / 4;
}

double largest_spacing(const Volume& v) { return std::max({v.grid.spacing.x, v.grid.spacing.y, v.grid.spacing.z}); }

/// Six numbers in mm: shifts, and ways of the volume's rim that is turned.
class Search {
 public:
  using Place = std::array<double, 6>;

  Search(const RigidMotion& start, const Volume& body) : motion_(start) {
    const Vec3 extent = body.grid.upper() - body.grid.lower();
    radius_ = std::max(0.35 * std::max({extent.x, extent.y, extent.z}), 1e-9);
  }

  const RigidMotion& motion() const { return motion_; }

  void run(const Pair& pair, double step, double last, const Watch& watch) {
    Place at{};
    const RigidMotion from = motion_;
    double best = pair.information(from);
    const auto value = [&](const Place& p) { return pair.information(moved(from, p)); };
    while (step > last) {
      watch.advance(0);
      Place next = at;
      double found = explored(value, next, best, step);
      if (found <= best) {
        step *= 0.5;
        continue;
      }
      while (found > best) {  // further in the direction that was good
        watch.advance(0);
        Place beyond;
        for (std::size_t i = 0; i < 6; ++i) beyond[i] = 2 * next[i] - at[i];
        at = next;
        best = found;
        next = beyond;
        found = explored(value, next, value(beyond), step);
      }
    }
    motion_ = moved(from, at);
  }

 private:
  template <class Value>
  static double explored(const Value& value, Place& at, double best, double step) {
    for (std::size_t i = 0; i < 6; ++i)
      for (const double by : {step, -step}) {
        at[i] += by;
        if (const double found = value(at); found > best) {
          best = found;
          break;
        }
        at[i] -= by;
      }
    return best;
  }

  RigidMotion moved(const RigidMotion& from, const Place& p) const {
    RigidMotion m = from;
    m.shift += Vec3(p[0], p[1], p[2]);
    m.angles += Vec3(p[3], p[4], p[5]) / radius_ / radians_per_degree;
    return m;
  }

  RigidMotion motion_;
  double radius_ = 1;
};

}  // namespace

double mutual_information(const Volume& fixed, const Volume& moving, const RigidMotion& motion) {
  return Pair(fixed, moving).information(motion);
}

Registration register_rigid(const Volume& fixed, const Volume& moving, const RigidMotion& start, const Watch& watch) {
  const Pair whole(fixed, moving);
  if (!whole.contrast()) throw InputError("register", "a volume has the same value everywhere", "choose another");
  Registration result{start, whole.information(start), 0};
  std::vector<Volume> fixed_levels, moving_levels;
  const auto coarsest = [](const std::vector<Volume>& levels, const Volume& v) -> const Volume& {
    return levels.empty() ? v : levels.back();
  };
  while (can_halve(coarsest(fixed_levels, fixed)) && can_halve(coarsest(moving_levels, moving))) {
    fixed_levels.push_back(halved(coarsest(fixed_levels, fixed)));
    moving_levels.push_back(halved(coarsest(moving_levels, moving)));
  }
  const auto levels = static_cast<std::int64_t>(fixed_levels.size());
  Search search(start, moving);
  watch.begin("register", levels + 1, "levels");
  for (std::int64_t level = levels; level >= 0; --level) {
    const auto of = [&](const std::vector<Volume>& list, const Volume& v) -> const Volume& {
      return level == 0 ? v : list[static_cast<std::size_t>(level - 1)];
    };
    const Volume& body = of(fixed_levels, fixed);
    const double voxel = largest_spacing(body);
    search.run(Pair(body, of(moving_levels, moving)), (level == levels ? 4 : 0.5) * voxel,
               (level == 0 ? 0.04 : 0.1) * voxel, watch);
    watch.advance(1);
  }
  watch.end();
  result.motion = search.motion();
  result.information = whole.information(result.motion);
  if (result.information == 0)
    throw InputError("register", "the volumes hardly overlap", "move one onto the other by hand first");
  return result;
}

}  // namespace backlit
