#include <backlit/render/transfer_function.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/assets.hpp>
#include <backlit/core/error.hpp>
#include "render/images/text_table.hpp"

namespace backlit {
namespace {

using Point = TransferFunction::Point;
using Unit = TransferFunction::Unit;

constexpr const char* folder = "transfer_functions";
constexpr int parts_of_interval = 16;  // of numerical integration
constexpr std::pair<Unit, const char*> unit_names[] = {
    {Unit::hu, "hu"}, {Unit::window, "window"}, {Unit::value, "value"}};

Unit unit_from(const TextLine& line) {
  for (const auto& [unit, name] : unit_names)
    if (line.rest == name) return unit;
  line.fail(fmt::format("unit '{}'", line.rest), "give hu, window or value");
}

void read_depth(const TextLine& line, TransferFunction& tf) {
  const auto fields = split_fields(line.rest);
  if (fields.size() != 2 || (fields[1] != "mm" && fields[1] != "%"))
    line.fail(fmt::format("depth '{}'", line.rest), "give a length and its unit, as in 'depth 3 mm' or 'depth 1 %'");
  tf.depth = line.number(fields[0]);
  tf.depth_in_percent = fields[1] == "%";
  if (!(tf.depth > 0)) line.fail(fmt::format("depth {}", tf.depth), "it must be positive");
}

Point read_point(const TextLine& line, const std::vector<Point>& before) {
  const auto n = line.numbers(5, "VALUE RED GREEN BLUE OPACITY");
  for (std::size_t i = 1; i < 5; ++i)
    if (!(n[i] >= 0 && n[i] <= 1)) line.fail(fmt::format("{} is outside 0..1", n[i]), "colours and opacity are shares");
  if (!before.empty() && !(n[0] > before.back().value))
    line.fail(fmt::format("value {} does not rise", n[0]), "sort points by value");
  return {n[0], {n[1], n[2], n[3]}, n[4]};
}

Point mix(const Point& a, const Point& b, double value) {
  const double t = (value - a.value) / (b.value - a.value);
  return {value, glm::mix(a.color, b.color, t), a.opacity + t * (b.opacity - a.opacity)};
}

}  // namespace

TransferFunction parse_transfer_function(const std::string& text, const std::string& where) {
  TransferFunction tf;
  tf.name = where;
  bool has_unit = false, has_depth = false;
  for (const TextLine& line : text_lines(text, where)) {
    if (line.word == "about") {
      tf.about = line.rest;
    } else if (line.word == "unit") {
      tf.unit = unit_from(line);
      has_unit = true;
    } else if (line.word == "depth") {
      read_depth(line, tf);
      has_depth = true;
    } else {
      tf.points.push_back(read_point(line, tf.points));
    }
  }
  if (!has_unit || !has_depth)
    throw InputError(where, fmt::format("no line '{}'", has_unit ? "depth" : "unit"),
                     has_unit ? "add 'depth 1 mm', say" : "add 'unit hu', 'unit window' or 'unit value'");
  if (tf.points.size() < 2) throw InputError(where, "fewer than two points", "add lines VALUE RED GREEN BLUE OPACITY");
  return tf;
}

TransferFunction load_transfer_function(const std::string& name_or_path) {
  const NamedText file = read_named_text(folder, name_or_path, "transfer function");
  TransferFunction tf = parse_transfer_function(file.text, file.path);
  tf.name = file.name;
  return tf;
}

std::string to_text(const TransferFunction& tf) {
  std::string text = fmt::format("about {}\n", tf.about);
  for (const auto& [unit, name] : unit_names)
    if (unit == tf.unit) text += fmt::format("unit  {}\n", name);
  text += fmt::format("depth {} {}\n", tf.depth, tf.depth_in_percent ? "%" : "mm");
  for (const Point& p : tf.points)
    text += fmt::format("{}  {} {} {}  {}\n", p.value, p.color.x, p.color.y, p.color.z, p.opacity);
  return text;
}

std::vector<std::string> transfer_function_names() { return asset_names(folder); }

double corrected_opacity(double opacity, double step, double depth) { return 1 - std::pow(1 - opacity, step / depth); }

Classifier::Classifier(const TransferFunction& tf, const ValueScale& scale) : points_(tf.points) {
  if (points_.empty()) throw InputError(tf.name, "a transfer function without points");
  depth_ = tf.depth_in_percent ? tf.depth / 100 * scale.largest_side : tf.depth;
  for (Point& p : points_) {
    if (tf.unit == Unit::hu) p.value = scale.water + (scale.water - scale.air) * p.value / 1000;
    if (tf.unit == Unit::window) p.value = scale.window.low + p.value * (scale.window.high - scale.window.low);
    p.opacity = std::min(p.opacity, most_opaque);
  }
  low_ = points_.front().value;
  high_ = points_.back().value;
}

Classifier::Sample Classifier::at(double value) const {
  const auto above =
      std::upper_bound(points_.begin(), points_.end(), value, [](double v, const Point& p) { return v < p.value; });
  Point p = points_.front();
  if (above == points_.end())
    p = points_.back();
  else if (above != points_.begin())
    p = mix(*(above - 1), *above, value);
  return {p.color, -std::log1p(-p.opacity) / depth_};
}

Classifier::Sample Classifier::between(double first, double last) const {
  const double low = std::min(first, last), high = std::max(first, last);
  if (high - low < 1e-6 * (high_ - low_)) return at(0.5 * (low + high));
  std::vector<double> ends{low};  // of the intervals in which opacity and colour are linear
  for (const Point& p : points_)
    if (p.value > low && p.value < high) ends.push_back(p.value);
  ends.push_back(high);
  Sample sum;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const double width = ends[i] - ends[i - 1];
    for (int k = 0; k < parts_of_interval; ++k) {
      const Sample s = at(ends[i - 1] + (k + 0.5) / parts_of_interval * width);
      const double absorbed = s.extinction * width / parts_of_interval;
      sum.color += absorbed * s.color;
      sum.extinction += absorbed;
    }
  }
  if (sum.extinction > 0) sum.color /= sum.extinction;
  sum.extinction /= high - low;
  return sum;
}

bool Classifier::visible(double low, double high) const {
  if (at(low).extinction > 0 || at(high).extinction > 0) return true;
  return std::any_of(points_.begin(), points_.end(),
                     [&](const Point& p) { return p.opacity > 0 && p.value > low && p.value < high; });
}

std::vector<float> Classifier::table(std::int64_t size) const {
  std::vector<float> rgba;
  rgba.reserve(static_cast<std::size_t>(4 * size));
  for (std::int64_t i = 0; i < size; ++i) {
    const Sample s = at(low_ + (high_ - low_) * static_cast<double>(i) / static_cast<double>(size - 1));
    for (const double channel : {s.color.x, s.color.y, s.color.z, s.extinction})
      rgba.push_back(static_cast<float>(channel));
  }
  return rgba;
}

std::vector<float> Classifier::pairs(std::int64_t size) const {
  const auto n = static_cast<std::size_t>(size);
  const double apart = (high_ - low_) / static_cast<double>(size - 1);
  const auto value = [&](std::size_t i) { return low_ + apart * static_cast<double>(i); };
  const auto absorbed = [](const Sample& s) { return s.extinction * glm::dvec4(s.color, 1); };
  std::vector<glm::dvec4> below(n, glm::dvec4(0));  // integrals up to each value, in units of their distance
  for (std::size_t i = 1; i < n; ++i) below[i] = below[i - 1] + absorbed(between(value(i - 1), value(i)));
  std::vector<float> out;
  out.reserve(4 * n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const double steps = static_cast<double>(j) - static_cast<double>(i);
      const glm::dvec4 mean = i == j ? absorbed(at(value(i))) : (below[j] - below[i]) / steps;
      for (int c = 0; c < 4; ++c) out.push_back(static_cast<float>(mean[c]));
    }
  return out;
}

}  // namespace backlit
