#include "preprocess/scan_angles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace backlit {

double wrapped(double angle, double period) {
  const double a = angle - period * std::floor(angle / period);
  return a < period ? a : 0;
}

MidplaneView midplane(const Detector& d, const View& view) {
  const bool parallel = view.beam == Beam::parallel;
  const Vec3 from = parallel ? -view.direction : view.source;
  const double level = parallel ? view.center.z : view.source.z;
  const double row = view.v.z != 0 ? d.middle_row() + (level - view.center.z) / view.v.z : d.middle_row();
  return {wrapped(std::atan2(from.y, from.x), 2 * pi), parallel ? 0 : std::hypot(from.x, from.y), row};
}

double horizontal_row(const Detector& d, const View& view, double column) {
  const double z = view.center.z + (column - d.middle_column()) * view.u.z;
  return view.v.z != 0 ? d.middle_row() + (view.source.z - z) / view.v.z : d.middle_row();
}

double ray_offset(const Detector& d, const View& view, const MidplaneView& m, double column) {
  if (view.beam == Beam::parallel) {
    const Vec3 point = detector_point(d, view, column, m.row);
    return -std::sin(m.angle) * point.x + std::cos(m.angle) * point.y;
  }
  const Vec3 ray = ray_direction(d, view, column, m.row);
  return wrapped(std::atan2(ray.y, ray.x) - m.angle, 2 * pi) - pi;
}

AngleCircle::AngleCircle(const std::vector<double>& angles, double period) : period_(period) {
  std::vector<std::size_t> order(angles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    return std::pair(wrapped(angles[a], period), a) < std::pair(wrapped(angles[b], period), b);
  });
  const double same = 1e-2 * period / static_cast<double>(angles.size());
  for (std::size_t i : order) {
    const double angle = wrapped(angles[i], period);
    if (groups_.empty() || angle - groups_.back().angle > same) groups_.push_back({angle, {}});
    groups_.back().members.push_back(i);
  }
  if (groups_.size() > 1 && groups_.front().angle + period - groups_.back().angle <= same) {
    auto& first = groups_.front().members;
    first.insert(first.end(), groups_.back().members.begin(), groups_.back().members.end());
    groups_.pop_back();
  }
  const std::size_t n = groups_.size();
  for (std::size_t i = 0; i < n; ++i)
    after_.push_back(i + 1 < n ? groups_[i + 1].angle - groups_[i].angle
                               : groups_[0].angle + period - groups_[i].angle);
  std::vector<double> sorted = after_;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(n / 2), sorted.end());
  const double median = sorted[n / 2];
  for (std::size_t i = 0; i < n; ++i)
    break_.push_back(n > 2 && after_[i] > 3.5 * std::max({median, after_[(i + n - 1) % n], after_[(i + 1) % n]}));
  for (std::size_t i = 0; i < n; ++i) {
    if (!break_[i]) continue;
    Arc arc{groups_[(i + 1) % n].angle, 0, median / 2};
    for (std::size_t k = (i + 1) % n; !break_[k]; k = (k + 1) % n) arc.length += after_[k];
    arcs_.push_back(arc);
  }
}

std::vector<double> AngleCircle::gaps() const {
  const std::size_t n = groups_.size();
  std::size_t count = 0;
  for (const Group& g : groups_) count += g.members.size();
  std::vector<double> gap(count);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n;
    const double width = (break_[i] ? 0 : after_[i] / 2) + (break_[before] ? 0 : after_[before] / 2);
    for (std::size_t member : groups_[i].members) gap[member] = width / static_cast<double>(groups_[i].members.size());
  }
  return gap;
}

}  // namespace backlit
