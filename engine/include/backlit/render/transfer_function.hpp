// Transfer functions: from a value to a colour and an opacity.
#pragma once

#include <string>
#include <vector>

#include <backlit/data/hounsfield.hpp>
#include <backlit/geometry/types.hpp>
#include <backlit/render/colormap.hpp>

namespace backlit {

/// Colour (0..1, as displayed) and opacity as functions of a value, linear between points and constant beyond the first
/// and the last. As text, one a file (assets/transfer_functions/NAME.txt, '#' begins a comment):
///   about  its purpose, one line
///   unit   hu | window | value      the unit of the points' values
///   depth  3 mm  |  depth 1 %       the length over which `opacity` of the light is stopped; % of the volume's
///                                   largest side
///   VALUE  RED GREEN BLUE  OPACITY  a point; values rise, the rest within 0..1
///   box LOW HIGH  GRADIENT_LOW GRADIENT_HIGH  RED GREEN BLUE  OPACITY
struct TransferFunction {
  /// hu: 0 is water, -1000 air; window: 0 and 1 are the window's ends; value: the voxels' own.
  enum class Unit { hu, window, value };
  struct Point {
    double value = 0;
    Vec3 color{0};
    double opacity = 0;
    bool operator==(const Point&) const = default;
  };
  /// A box in the plane of value and gradient (2-D transfer function: Kniss, Kindlmann and Hansen, IEEE Trans. Vis.
  /// Comput. Graph. 8 (2002) 270). Its opacity rises from 0 over a tenth of its width at each side; not from a gradient
  /// of 0.
  struct Box {
    double low = 0, high = 0;                    ///< values
    double gradient_low = 0, gradient_high = 0;  ///< change of the value per mm
    Vec3 color{1};
    double opacity = 0.5;
    bool operator==(const Box&) const = default;
  };
  static constexpr std::size_t most_boxes = 8;

  std::string name, about;
  Unit unit = Unit::value;
  double depth = 1;  ///< mm, or percent of the volume's largest side
  bool depth_in_percent = false;
  std::vector<Point> points;
  std::vector<Box> boxes;  ///< shown beside what the points show

  bool operator==(const TransferFunction&) const = default;
};

/// Loads a shipped transfer function by name, or a file. Throws InputError naming file and line, or listing the shipped
/// names.
TransferFunction load_transfer_function(const std::string& name_or_path);
TransferFunction parse_transfer_function(const std::string& text, const std::string& where);
std::string to_text(const TransferFunction&);
/// Names of the shipped transfer functions, sorted.
std::vector<std::string> transfer_function_names();

/// Converts the units of a transfer function to the volume's.
struct ValueScale {
  Window window;            ///< window of the volume, in the volume's values
  double water = 0.02;      ///< value of water, 1/mm
  double largest_side = 1;  ///< mm, of the volume
  double air = 0;           ///< value of air, 1/mm
};

/// A unit as numbers on the scale of the volume's values.
LinearScale unit_scale(TransferFunction::Unit, const ValueScale&);
/// The same function with values and gradients in the volume's unit.
TransferFunction in_values(TransferFunction, const ValueScale&);

/// A transfer function for one volume: points in the volume's values, opacity over a depth in mm.
class Classifier {
 public:
  Classifier() = default;
  Classifier(const TransferFunction&, const ValueScale&);

  struct Sample {
    Vec3 color{0};
    double extinction = 0;  ///< 1/mm; over a step of s mm the share 1 - exp(-extinction s) is stopped
  };
  /// Extinction follows from the interpolated opacity: -ln(1 - opacity) / depth, with opacities up to `most_opaque`.
  Sample at(double value) const;
  /// A sample with what boxes add where the value has a gradient of this length, per mm.
  Sample with_boxes(Sample, double value, double gradient) const;
  Sample at(double value, double gradient) const { return with_boxes(at(value), value, gradient); }
  /// Boxes in the volume's values.
  struct Box {
    double low, high, gradient_low, gradient_high;
    Vec3 color;
    double extinction;  ///< 1/mm
    bool operator==(const Box&) const = default;
  };
  const std::vector<Box>& boxes() const { return boxes_; }
  /// The share of its width over which a box fades at each side.
  static constexpr double box_rim = 0.1;
  /// What a step absorbs over which values go evenly from `first` to `last`: the mean extinction, and the mean colour
  /// weighted by extinction (pre-integration: Engel, Kraus and Ertl, Graphics Hardware 2001, without attenuation within
  /// the step).
  Sample between(double first, double last) const;

  /// The range of values over which samples vary, with those of boxes. at() is constant below low() and above high().
  double low() const { return low_; }
  double high() const { return high_; }
  /// Whether any value of [low, high] stops light, with some gradient. Exact.
  bool visible(double low, double high) const;

  /// `size` samples (red, green, blue, extinction) evenly spaced from low() to high(), both included, for textures.
  std::vector<float> table(std::int64_t size) const;
  /// between() for all pairs of `size` such values, as (extinction x colour, extinction): the first one changes
  /// fastest.
  std::vector<float> pairs(std::int64_t size) const;

  static constexpr double most_opaque = 0.9999;
  bool operator==(const Classifier&) const = default;

 private:
  std::vector<TransferFunction::Point> points_;
  std::vector<Box> boxes_;
  double depth_ = 1, low_ = 0, high_ = 1;
};

/// The opacity of a step, from the opacity over `depth` (both mm): 1~-~(1~-~opacity)^(step/depth).
double corrected_opacity(double opacity, double step, double depth);

}  // namespace backlit
