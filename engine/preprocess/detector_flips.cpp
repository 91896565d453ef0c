#include <backlit/preprocess/detector_flips.hpp>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

constexpr std::int64_t compared_views = 240;
constexpr double turns = 2;  // of them
constexpr std::int64_t least_lines = 100;

/// Where a line through a point in space hits the detector of a view; nothing for points behind the source.
std::optional<glm::dvec2> seen_at(const Detector& d, const View& view, const Vec3& point) {
  const Vec3 ray = point - view.source;
  const DetectorNormal n = detector_normal(view);
  const double width = glm::length(view.u), height = glm::length(view.v);
  const Vec3 along_u = view.u / width, along_v = view.v / height;
  if (!(glm::dot(n.normal, ray) > 0)) return {};
  if (d.shape == Detector::Shape::flat) {
    const Vec3 hit = view.source + ray * (n.distance / glm::dot(n.normal, ray)) - view.center;
    return glm::dvec2(d.middle_column() + glm::dot(hit, along_u) / width,
                      d.middle_row() + glm::dot(hit, along_v) / height);
  }
  // The cylinder about an axis along v, `radius` from the middle of the detector towards the source.
  const double radius = cylinder_radius(d, view);
  const Vec3 start = view.source - (view.center - radius * n.normal);
  const glm::dvec2 s(glm::dot(start, along_u), glm::dot(start, n.normal)),
      r(glm::dot(ray, along_u), glm::dot(ray, n.normal));
  const double a = glm::dot(r, r), b = glm::dot(s, r), c = glm::dot(s, s) - radius * radius;
  if (!(a > 0) || b * b - a * c < 0) return {};
  const double t = (-b + std::sqrt(b * b - a * c)) / a;
  const glm::dvec2 hit = s + t * r;
  return glm::dvec2(d.middle_column() + radius * std::atan2(hit.x, hit.y) / width,
                    d.middle_row() + glm::dot(start + t * ray, along_v) / height);
}

/// Between pixel centres; nothing outside of them.
std::optional<double> reading(const Detector& d, std::span<const float> view, const glm::dvec2& at) {
  const double c = std::floor(at.x), r = d.rows > 1 ? std::floor(at.y) : 0;
  const bool one_row = d.rows == 1 && std::abs(at.y) <= 0.5;
  if (!(c >= 0) || !(c + 1 < static_cast<double>(d.columns))) return {};
  if (!one_row && (!(r >= 0) || !(r + 1 < static_cast<double>(d.rows)))) return {};
  const double fc = at.x - c, fr = one_row ? 0 : at.y - r;
  const auto value = [&](std::int64_t row, std::int64_t column) {
    return static_cast<double>(view[static_cast<std::size_t>(row * d.columns + column)]);
  };
  const auto i = static_cast<std::int64_t>(c), j = static_cast<std::int64_t>(r), next = one_row ? j : j + 1;
  return (1 - fr) * ((1 - fc) * value(j, i) + fc * value(j, i + 1)) +
         fr * ((1 - fc) * value(next, i) + fc * value(next, i + 1));
}

struct Sums {
  std::array<double, 4> difference{}, square{};
  std::array<std::int64_t, 4> lines{};
};

/// Views around the middle, over `turns` turns.
std::vector<std::int64_t> chosen_views(const Scan& scan) {
  const std::int64_t count = scan.view_count(), middle = count / 2;
  const auto angle = [&](std::int64_t i) {
    const Vec3& s = scan.views[static_cast<std::size_t>(i)].source;
    return std::atan2(s.y, s.x);
  };
  const auto reach = [&](int direction) {
    double turned = 0;
    std::int64_t i = middle;
    while (i + direction >= 0 && i + direction < count && turned < turns * pi) {
      turned += std::abs(std::remainder(angle(i + direction) - angle(i), 2 * pi));
      i += direction;
    }
    return i;
  };
  const std::int64_t first = reach(-1), last = reach(1);
  // An odd step: a focal spot that jumps is in other places in turn.
  const std::int64_t step = ((last - first + compared_views) / compared_views) | 1;
  std::vector<std::int64_t> views;
  for (std::int64_t i = first; i <= last; i += step) views.push_back(i);
  return views;
}

}  // namespace

std::size_t DetectorFlips::best() const {
  return static_cast<std::size_t>(std::ranges::min_element(difference) - difference.begin());
}
bool DetectorFlips::columns_are_known() const { return difference[best() ^ 1] > decisive * difference[best()]; }
bool DetectorFlips::rows_are_known() const { return difference[best() ^ 2] > decisive * difference[best()]; }

std::optional<DetectorFlips> compare_detector_flips(ProjectionSource& source, const Watch& watch) {
  const Scan& scan = source.scan();
  const Detector& d = scan.detector;
  if (scan.beam() == Beam::parallel || d.columns < 16 || scan.view_count() < 16) return {};
  const std::vector<std::int64_t> chosen = chosen_views(scan);
  const auto n = static_cast<std::int64_t>(chosen.size());
  const auto pixels = static_cast<std::size_t>(d.pixels());
  std::vector<float> values(chosen.size() * pixels);
  const auto image = [&](std::int64_t i) {
    return std::span(values).subspan(static_cast<std::size_t>(i) * pixels, pixels);
  };
  in_batches(watch, "read", n, d.pixels(), "views", [&](std::int64_t first, std::int64_t count) {
    for (std::int64_t i = first; i < first + count; ++i) source.read(chosen[static_cast<std::size_t>(i)], 1, image(i));
  });
  std::vector<Sums> sums(chosen.size());
  parallel_for(n, [&](std::int64_t i) {
    const View& a = scan.views[static_cast<std::size_t>(chosen[static_cast<std::size_t>(i)])];
    const auto axis_a = seen_at(d, a, Vec3(0, 0, a.source.z));
    for (std::int64_t j = i + 1; j < n && axis_a; ++j) {
      const View& b = scan.views[static_cast<std::size_t>(chosen[static_cast<std::size_t>(j)])];
      const auto from_a = seen_at(d, a, b.source), from_b = seen_at(d, b, a.source),
                 axis_b = seen_at(d, b, Vec3(0, 0, b.source.z));
      if (!from_a || !from_b || !axis_b) continue;
      Sums& s = sums[static_cast<std::size_t>(i)];
      for (std::size_t way = 0; way < 4; ++way) {
        const glm::bvec2 mirrored(way & 1, way & 2);
        const auto in = [&](std::int64_t k, const glm::dvec2& at, const glm::dvec2& axis) {
          return reading(d, image(k), glm::mix(at, 2.0 * axis - at, mirrored));
        };
        const auto one = in(i, *from_a, *axis_a), other = in(j, *from_b, *axis_b);
        if (!one || !other) continue;
        s.difference[way] += (*one - *other) * (*one - *other);
        s.square[way] += 0.5 * (*one * *one + *other * *other);
        ++s.lines[way];
      }
    }
  });
  Sums all;
  for (const Sums& s : sums)
    for (std::size_t way = 0; way < 4; ++way) {
      all.difference[way] += s.difference[way];
      all.square[way] += s.square[way];
      all.lines[way] += s.lines[way];
    }
  DetectorFlips flips;
  for (std::size_t way = 0; way < 4; ++way) {
    if (all.lines[way] < least_lines || !(all.square[way] > 0)) return {};
    flips.difference[way] = all.difference[way] / all.square[way];
  }
  return flips;
}

}  // namespace backlit
