#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/report/figures/figures.hpp"
#include "study/report/format.hpp"

namespace backlit::report {
namespace {

constexpr double row = 19, label_width = 200, value_width = 56;  // px

/// The label of a change; without the previous value, which the heading has, if there is not enough room.
std::string label_of(const Change& c) {
  const double room = label_width - 12;
  const auto name = c.what.find(": "), arrow = c.what.find("→");
  const bool fits = text_width(c.what, small_text) <= room || name == std::string::npos || arrow == std::string::npos;
  return shortened(fits ? c.what : c.what.substr(0, name) + " " + c.what.substr(arrow), room, small_text);
}

/// Rows by architecture: a heading with its fastest configuration, then its changes as points on a scale of ratios.
class ChangeChart {
 public:
  ChangeChart(const std::vector<Change>& changes, const Palette& palette, const std::string& label)
      : changes_(changes),
        palette_(palette),
        scale_(scale()),
        bottom_(height()),
        svg_(plot_width, bottom_ + 36, label) {}

  std::string draw() {
    draw_axis();
    double y = 0;
    const StudyCell* base = nullptr;
    for (const Change& c : changes_) {
      if (c.base != base) y = draw_head(*(base = c.base), y);
      draw_row(c, y += row);
    }
    return svg_.finish();
  }

 private:
  static constexpr double head = 26;

  Scale scale() const {
    std::vector<double> ratios{1};
    for (const Change& c : changes_) ratios.push_back(c.ratio.value);
    return scale_of(ratios, Growth::logarithmic);
  }

  double height() const {
    double height = 10;
    const StudyCell* base = nullptr;
    for (const Change& c : changes_) {
      height += row + (c.base != base ? head : 0);
      base = c.base;
    }
    return height;
  }

  double x(double ratio) const {
    const double share = std::clamp(scale_.share(ratio), 0.0, 1.0);
    return label_width + share * (plot_width - label_width - value_width);
  }

  void draw_axis() {
    for (const double tick : scale_.ticks) {
      svg_.line({x(tick), head + 4}, {x(tick), bottom_}, tick == 1 ? "one" : "grid");
      if (x(tick) - last_ < 26) continue;
      svg_.text({x(tick), bottom_ + 15}, tick_text(tick), "t", Anchor::middle);
      last_ = x(tick);
    }
    svg_.text({plot_width - value_width, bottom_ + 32}, "speed, times that of the configuration above", "l",
              Anchor::end);
  }

  double draw_head(const StudyCell& base, double y) {
    y += head;
    const double used = text_width(base.architecture, 12.5) + 10;
    svg_.begin("tip", tip_of(base));
    svg_.rectangle({0, y - 13}, plot_width, 17, "cover");
    svg_.text({0, y}, base.architecture, "b");
    svg_.text({used, y}, shortened(options_brief(base), plot_width - used - 4, small_text), "t");
    svg_.end();
    return y;
  }

  void draw_row(const Change& c, double y) {
    const std::string style = palette_.style(c.base->architecture);
    svg_.begin("tip", c.what + ": " + ratio_text(c.ratio) + " times; " + tip_of(*c.changed));
    svg_.text({0, y}, label_of(c), "t");
    if (c.ratio.spread < 1)
      svg_.line({x(c.ratio.value * (1 - c.ratio.spread)), y - 4}, {x(c.ratio.value * (1 + c.ratio.spread)), y - 4},
                style + " whisker");
    draw_mark(svg_, {x(c.ratio.value), y - 4}, style, palette_.index(c.base->architecture),
              !c.ratio.differs_from_one());
    svg_.text({plot_width - 2, y}, number(c.ratio.value), "v", Anchor::end);
    svg_.end();
  }

  const std::vector<Change>& changes_;
  const Palette& palette_;
  Scale scale_;
  double bottom_, last_ = -1e9;
  Svg svg_;
};

}  // namespace

std::string change_figure(const Contest& contest, const Palette& palette) {
  const std::vector<Change> changes = changes_from_best(contest);
  if (changes.empty()) return "";
  const std::string name = spoken(contest.operation) + ", " + contest.workload;
  return figure(name, ChangeChart(changes, palette, "Effect of each option alone: " + name).draw(),
                "Hollow: 1 lies within its spread.");
}

}  // namespace backlit::report
