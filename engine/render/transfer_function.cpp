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

TransferFunction::Box read_box(const TextLine& line) {
  std::vector<double> n;
  for (const std::string& field : split_fields(line.rest)) n.push_back(line.number(field));
  if (n.size() != 8)
    line.fail(fmt::format("a box of {} numbers", n.size()),
              "give 8: LOW HIGH GRADIENT_LOW GRADIENT_HIGH RED GREEN BLUE OPACITY");
  if (!(n[0] < n[1])) line.fail(fmt::format("a box of values {} to {}", n[0], n[1]), "give the smaller one first");
  if (!(n[2] >= 0 && n[2] < n[3]))
    line.fail(fmt::format("a box of gradients {} to {}", n[2], n[3]), "give the smaller one first, from 0 on");
  for (std::size_t i = 4; i < 8; ++i)
    if (!(n[i] >= 0 && n[i] <= 1)) line.fail(fmt::format("{} is outside 0..1", n[i]), "colours and opacity are shares");
  return {n[0], n[1], n[2], n[3], {n[4], n[5], n[6]}, n[7]};
}

/// How far inside [low, high] a value is: 0 outside, 1 beyond the rims.
double inside(double x, double low, double high, bool open_below) {
  const double rim = Classifier::box_rim * (high - low);
  const double below = open_below ? 1 : (x - low) / rim;
  return std::clamp(std::min(below, (high - x) / rim), 0.0, 1.0);
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
    } else if (line.word == "box") {
      tf.boxes.push_back(read_box(line));
      if (tf.boxes.size() > TransferFunction::most_boxes)
        line.fail("one box too many", fmt::format("{} are possible", TransferFunction::most_boxes));
    } else {
      tf.points.push_back(read_point(line, tf.points));
    }
  }
  if (!has_unit || !has_depth)
    throw InputError(where, fmt::format("no line '{}'", has_unit ? "depth" : "unit"),
                     has_unit ? "add 'depth 1 mm', say" : "add 'unit hu', 'unit window' or 'unit value'");
  if (tf.points.size() < 2 && (tf.boxes.empty() || !tf.points.empty()))
    throw InputError(where, "fewer than two points", "add lines VALUE RED GREEN BLUE OPACITY, or boxes alone");
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
  for (const TransferFunction::Box& b : tf.boxes)
    text += fmt::format("box {} {}  {} {}  {} {} {}  {}\n", b.low, b.high, b.gradient_low, b.gradient_high, b.color.x,
                        b.color.y, b.color.z, b.opacity);
  return text;
}

std::vector<std::string> transfer_function_names() { return asset_names(folder); }

double corrected_opacity(double opacity, double step, double depth) { return 1 - std::pow(1 - opacity, step / depth); }

LinearScale unit_scale(Unit unit, const ValueScale& scale) {
  if (unit == Unit::hu) return hounsfield_scale(scale.water, scale.air);
  if (unit == Unit::window) return {scale.window.low, scale.window.high - scale.window.low};
  return {};
}

TransferFunction in_values(TransferFunction tf, const ValueScale& scale) {
  const LinearScale unit = unit_scale(tf.unit, scale);
  for (Point& p : tf.points) p.value = unit.value(p.value);
  for (TransferFunction::Box& b : tf.boxes) {
    b.low = unit.value(b.low);
    b.high = unit.value(b.high);
    b.gradient_low *= unit.step;
    b.gradient_high *= unit.step;
  }
  tf.unit = Unit::value;
  return tf;
}

Classifier::Classifier(const TransferFunction& given, const ValueScale& scale) {
  const TransferFunction tf = in_values(given, scale);
  points_ = tf.points;
  if (points_.empty() && tf.boxes.empty())
    throw InputError(tf.name, "has neither points nor boxes",
                     "add lines VALUE RED GREEN BLUE OPACITY, or a line 'box'");
  depth_ = tf.depth_in_percent ? tf.depth / 100 * scale.largest_side : tf.depth;
  for (Point& p : points_) p.opacity = std::min(p.opacity, most_opaque);
  for (const TransferFunction::Box& b : tf.boxes)
    boxes_.push_back({b.low, b.high, b.gradient_low, b.gradient_high, b.color,
                      -std::log1p(-std::min(b.opacity, most_opaque)) / depth_});
  if (points_.empty())  // boxes alone
    for (const double value : {boxes_.front().low, boxes_.front().high}) points_.push_back({value, Vec3(0), 0});
  low_ = points_.front().value;
  high_ = points_.back().value;
  for (const Box& b : boxes_) {
    low_ = std::min(low_, b.low);
    high_ = std::max(high_, b.high);
  }
}

Classifier::Sample Classifier::with_boxes(Sample s, double value, double gradient) const {
  for (const Box& b : boxes_) {
    const double added = b.extinction * inside(value, b.low, b.high, false) *
                         inside(gradient, b.gradient_low, b.gradient_high, b.gradient_low == 0);
    if (added == 0) continue;
    s.color = (s.extinction * s.color + added * b.color) / (s.extinction + added);
    s.extinction += added;
  }
  return s;
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
                     [&](const Point& p) { return p.opacity > 0 && p.value > low && p.value < high; }) ||
         std::any_of(boxes_.begin(), boxes_.end(),
                     [&](const Box& b) { return b.extinction > 0 && b.low < high && b.high > low; });
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
