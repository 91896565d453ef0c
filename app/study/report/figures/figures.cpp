#include "study/report/figures/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/report/format.hpp"
#include "study/report/study_tables.hpp"

namespace backlit::report {
namespace {

std::string name_of(const Contest& c) { return spoken(c.operation) + ", " + c.workload; }

Cells with_speed(const Cells& cells) {
  Cells kept;
  std::ranges::copy_if(cells, std::back_inserter(kept), [](const StudyCell* c) { return has_speed(*c); });
  return kept;
}

std::vector<double> rates(const Cells& cells) {
  std::vector<double> values;
  for (const StudyCell* c : cells) values.push_back(c->rate);
  return values;
}

/// Rates and the upper ends of their intervals, for the range of a scale.
std::vector<double> reaches(const Cells& cells) {
  std::vector<double> values = rates(cells);
  for (const StudyCell* c : cells)
    if (c->spread < 1) values.push_back(c->rate * (1 + c->spread));
  return values;
}

/// Draws a cell's mark with its spread.
void draw_cell(Plot& plot, double x, const StudyCell& c, const Palette& palette) {
  const std::string style = palette.style(c.architecture);
  if (c.spread < 1) plot.whisker(x, c.rate * (1 - c.spread), c.rate * (1 + c.spread), style);
  plot.mark(x, c.rate, style, palette.index(c.architecture), c.noisy, tip_of(c));
}

/// Cells that no other cell beats in both speed and error, sorted by error.
Cells best_trades(Cells cells) {
  std::ranges::sort(cells, [](const StudyCell* a, const StudyCell* b) {
    return *a->rmse != *b->rmse ? *a->rmse < *b->rmse : a->rate > b->rate;
  });
  Cells kept;
  for (const StudyCell* c : cells)
    if (kept.empty() || c->rate > kept.back()->rate) kept.push_back(c);
  return kept;
}

}  // namespace

std::string figure(const std::string& title, const std::string& svg, const std::string& note) {
  const std::string below = note.empty() ? "" : "<p class=\"note\">" + note + "</p>\n";
  return "<figure><figcaption>" + escaped(title) + "</figcaption>\n" + svg + below + "</figure>\n";
}

std::vector<LegendEntry> legend_of(const Cells& cells, const Palette& palette) {
  std::vector<LegendEntry> entries;
  for (const std::string& name : architectures(cells))
    entries.push_back({name, palette.style(name), palette.index(name)});
  return entries;
}

std::string tip_of(const StudyCell& c) {
  std::string tip = c.architecture + ": " + options_text(c) + "; " + with_spread(c.rate, c.spread) + " " + c.unit;
  if (c.rmse) tip += "; RMSE " + number(*c.rmse) + " " + c.error_unit;
  if (const std::string share = share_text(c); !share.empty()) tip += "; " + share + " of " + c.limit;
  return tip + (c.noisy ? "; noisy" : "") + (c.note.empty() ? "" : "; " + c.note);
}

namespace {

/// Rows of a bar chart: name and options above the bar.
class BarChart {
 public:
  BarChart(const Contest& contest, const Cells& best, const Palette& palette)
      : best_(best),
        palette_(palette),
        scale_(scale_for(reaches(best), 50)),
        svg_(plot_width, row * static_cast<double>(best.size()) + (scale_.logarithmic ? 40 : 6),
             "Speed of each architecture: " + name_of(contest)) {}

  std::string draw() {
    if (scale_.logarithmic) draw_axis();
    for (std::size_t i = 0; i < best_.size(); ++i) draw_row(*best_[i], row * static_cast<double>(i));
    return svg_.finish();
  }

 private:
  static constexpr double row = 40, thickness = 12, room = 120;  ///< px; the last is room beside the longest bar

  double length(double rate) const { return std::clamp(scale_.share(rate), 0.0, 1.0) * (plot_width - room - first_); }

  void draw_axis() {
    const double bottom = row * static_cast<double>(best_.size()) + 4;
    for (const double tick : scale_.ticks) {
      const double x = first_ + length(tick);
      for (double y = 20; y < bottom; y += row) svg_.line({x, y}, {x, y + 14}, "grid");
      svg_.text({x, bottom + 14}, tick_text(tick), "t", Anchor::middle);
    }
    svg_.text({plot_width - room, bottom + 30}, best_.front()->unit + ", logarithmic", "l", Anchor::end);
  }

  void draw_row(const StudyCell& c, double y) {
    const std::string style = palette_.style(c.architecture);
    const double used = text_width(c.architecture, 12.5) + 10, middle = y + 27, end = first_ + length(c.rate);
    svg_.begin("tip", tip_of(c));
    svg_.text({0, y + 14}, c.architecture, "b");
    svg_.text({used, y + 14}, shortened(options_brief(c), plot_width - used - 4, small_text), "t");
    if (scale_.logarithmic) {
      svg_.line({first_, middle}, {end, middle}, "grid");
      draw_mark(svg_, {end, middle}, style, palette_.index(c.architecture), c.noisy);
    } else {
      svg_.rectangle({0, middle - thickness / 2}, std::max(end, 1.0), thickness,
                     style + (c.noisy ? " bar noisy" : " bar"));
      if (c.spread < 1)
        svg_.line({length(c.rate * (1 - c.spread)), middle}, {length(c.rate * (1 + c.spread)), middle}, "error");
    }
    const double reach = std::max(end, c.spread < 1 ? first_ + length(c.rate * (1 + c.spread)) : end);
    svg_.text({reach + 8, middle + 4}, with_spread(c.rate, c.spread), "v");
    svg_.end();
  }

  const Cells& best_;
  const Palette& palette_;
  Scale scale_;
  double first_ = 8 * (scale_.logarithmic ? 1 : 0);
  Svg svg_;
};

/// Names of architectures without a bar, with the reason.
std::string missing_note(const Contest& contest) {
  std::string note;
  for (const std::string& name : architectures(contest.cells)) {
    if (fastest(contest.cells, name)) continue;
    const bool failed = std::ranges::any_of(contest.cells, [&](const StudyCell* c) {
      return c->architecture == name && c->status == StudyCell::Status::failed;
    });
    note += (note.empty() ? "" : "; ") + escaped(name) + ": " + (failed ? "failed" : "not offered");
  }
  return note;
}

}  // namespace

std::string speed_figure(const Contest& contest, const Palette& palette) {
  Cells best;
  for (const std::string& name : architectures(contest.cells))
    if (const StudyCell* cell = fastest(contest.cells, name)) best.push_back(cell);
  if (best.empty()) return "";
  BarChart chart(contest, best, palette);
  return figure(name_of(contest) + ", " + best.front()->unit, chart.draw(), missing_note(contest));
}

std::string error_figure(const Contest& contest, const Palette& palette) {
  Cells cells = with_speed(contest.cells);
  std::erase_if(cells, [](const StudyCell* c) { return !c->rmse || !std::isfinite(*c->rmse) || *c->rmse < 0; });
  if (cells.size() < 2) return "";
  std::vector<double> errors;
  for (const StudyCell* c : cells) errors.push_back(*c->rmse);
  const auto [least, most] = std::ranges::minmax(errors);
  const Scale x = scale_of(errors, most > 8 * least ? Growth::logarithmic : Growth::linear);
  const auto place = [&](const StudyCell& c) { return std::max(*c.rmse, x.low); };  // 0 has no logarithm
  const std::string& unit = cells.front()->error_unit;
  Plot plot({"Speed against error: " + name_of(contest), "RMSE against double precision, " + unit, cells.front()->unit},
            x, scale_for(reaches(cells), 12), legend_of(cells, palette));
  std::vector<double> front_x, front_y;
  for (const StudyCell* c : best_trades(cells)) {
    if (!front_y.empty()) {
      front_x.push_back(place(*c));
      front_y.push_back(front_y.back());
    }
    front_x.push_back(place(*c));
    front_y.push_back(c->rate);
  }
  plot.curve(front_x, front_y, "front");
  for (const StudyCell* c : cells) draw_cell(plot, place(*c), *c, palette);
  return figure(name_of(contest), plot.finish());
}

namespace {

/// The fixed options of each series; architectures with the same text share one entry.
std::string fixed_note(const std::vector<Series>& all) {
  std::vector<std::pair<std::string, std::string>> lines;  // text and architectures
  for (const Series& s : all) {
    const auto same = std::ranges::find(lines, s.fixed, [](const auto& line) { return line.first; });
    if (same == lines.end())
      lines.emplace_back(s.fixed, s.architecture);
    else
      same->second += ", " + s.architecture;
  }
  std::string note;
  for (const auto& [text, names] : lines)
    note += fmt::format("{}<b>{}</b> {}", note.empty() ? "" : "<br/>", escaped(names), escaped(text));
  return note;
}

}  // namespace

std::string trend_figure(const Trend& trend, const Palette& palette) {
  Cells cells;
  std::vector<double> xs;
  for (const Series& s : trend.series) {
    cells.insert(cells.end(), s.cells.begin(), s.cells.end());
    xs.insert(xs.end(), s.x.begin(), s.x.end());
  }
  if (cells.empty()) return "";
  Scale x = scale_of(xs, Growth::logarithmic);
  std::ranges::sort(xs);
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  if (xs.size() <= 12) x.ticks = xs;
  x.low = xs.front() / 1.2;
  x.high = xs.back() * 1.2;
  const std::string of = spoken(trend.of);
  const std::string title = spoken(trend.operation) + (trend.about.empty() ? "" : ", " + trend.about) + ": " + of;
  Plot plot({title, of, cells.front()->unit}, x, scale_for(reaches(cells), 12), legend_of(cells, palette));
  for (const Series& s : trend.series) {
    plot.curve(s.x, rates(s.cells), "curve " + palette.style(s.architecture));
    for (std::size_t i = 0; i < s.x.size(); ++i) draw_cell(plot, s.x[i], *s.cells[i], palette);
  }
  return figure(title, plot.finish(), fixed_note(trend.series));
}

}  // namespace backlit::report
