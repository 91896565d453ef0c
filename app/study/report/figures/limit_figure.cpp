#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "study/report/figures/figures.hpp"
#include "study/report/format.hpp"
#include "study/report/table.hpp"

namespace backlit::report {
namespace {

struct Roof {
  const Ceiling* ceiling;
  double factor;      ///< rate, in the cells' unit, for one unit of work for each count
  std::string names;  ///< names of all ceilings of one architecture that coincide
};

/// Merges roofs of one architecture that differ by less than 5 %; sorted from the highest.
std::vector<Roof> merged(std::vector<Roof> roofs) {
  std::ranges::sort(roofs, std::greater(), &Roof::factor);
  std::vector<Roof> kept;
  for (Roof& roof : roofs) {
    const auto same = std::ranges::find_if(kept, [&](const Roof& k) {
      return k.ceiling->architecture == roof.ceiling->architecture && roof.factor > 0.95 * k.factor;
    });
    if (same == kept.end())
      kept.push_back(std::move(roof));
    else
      same->names.append(" and ").append(roof.names);
  }
  return kept;
}

/// Roofs have the colour of their architecture; for all that draw, that of AG-GPU.
std::string style_of_roof(const Ceiling& c, const Palette& palette) {
  return "roof " + palette.style(c.architecture == "fragment" ? "AG-GPU" : c.architecture);
}

/// Cells of a contest with a count, and the ceilings that are the nearest limit of one of them.
struct Roofline {
  std::string count;
  Cells cells;
  std::vector<Roof> roofs;

  double intensity(const StudyCell& c) const { return c.work * unit_scale(c.unit) / count_of(c, count); }
};

Roofline roofline_of(const Contest& contest, const StudyResult& r, const std::string& count) {
  Roofline line{count, {}, {}};
  std::set<std::pair<std::string, std::string>> limits;
  for (const StudyCell* c : contest.cells) {
    if (!has_speed(*c) || count_of(*c, count) <= 0 || !(line.intensity(*c) > 0)) continue;
    line.cells.push_back(c);
    limits.insert({c->limit, through(c->architecture)});
  }
  for (const auto& [name, architecture] : limits) {
    const Ceiling* c = best_ceiling(r.ceilings, architecture, name);
    if (c && counted_by(c->unit) == count)
      line.roofs.push_back({c, c->rate * unit_scale(c->unit) / unit_scale(line.cells.front()->unit), c->name});
  }
  line.roofs = merged(std::move(line.roofs));
  return line;
}

/// Positions of labels at `wanted` (downwards), moved apart to at least `step` within [top, bottom].
std::vector<double> spread_out(std::vector<double> wanted, double step, double top, double bottom) {
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = std::max(wanted[i], i == 0 ? top : wanted[i - 1] + step);
  for (std::size_t i = wanted.size(); i-- > 0;)
    wanted[i] = std::min(wanted[i], i + 1 == wanted.size() ? bottom : wanted[i + 1] - step);
  return wanted;
}

std::string letter(std::size_t i) {
  const std::string last(1, static_cast<char>('a' + static_cast<int>(i % 26)));
  return i < 26 ? last : letter(i / 26 - 1) + last;
}

/// Draws roofs, whose slope is their rate, up to the right or upper side, with letters beside the plot.
void draw_roofs(Plot& plot, const std::vector<Roof>& roofs, const Scale& x, const Scale& y, const Palette& palette) {
  std::vector<double> wanted;
  for (const Roof& roof : roofs) {
    const double begin = std::max(x.low, y.low / roof.factor), end = std::min(x.high, y.high / roof.factor);
    if (end > begin)
      plot.curve({begin, end}, {roof.factor * begin, roof.factor * end}, style_of_roof(*roof.ceiling, palette));
    wanted.push_back(plot.at(x.high, std::min(roof.factor * end, y.high)).y);
  }
  // Roofs that end at the same place share a label.
  std::vector<double> ends;
  std::vector<std::string> letters;
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    if (!ends.empty() && std::abs(wanted[i] - ends.back()) < 6) {
      letters.back().append(" ").append(letter(i));
      continue;
    }
    ends.push_back(wanted[i]);
    letters.push_back(letter(i));
  }
  const std::vector<double> places = spread_out(ends, 14, plot.top(), plot.bottom());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    plot.svg().line({plot.right(), ends[i]}, {plot.right() + 8, places[i]}, "leader");
    plot.svg().text({plot.right() + 11, places[i] + 4}, letters[i], "t");
  }
}

std::string roof_note(const std::vector<Roof>& roofs) {
  std::string note;
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    const Ceiling& c = *roofs[i].ceiling;
    note += fmt::format("{}<b>{}</b>&#160;{}: {} {} ({})", i == 0 ? "" : "; ", letter(i), escaped(c.architecture),
                        number(c.rate), escaped(c.unit), escaped(roofs[i].names));
  }
  return note;
}

std::string draw(const Roofline& line, const Contest& contest, const Palette& palette) {
  std::vector<double> xs, ys;
  for (const StudyCell* c : line.cells) {
    xs.push_back(line.intensity(*c));
    ys.push_back(c->rate);
  }
  const auto [least, most] = std::ranges::minmax(xs);
  xs.insert(xs.end(), {least / 1.8, most * 1.8});
  const Scale x = scale_of(xs, Growth::logarithmic);
  for (const Roof& roof : line.roofs) ys.insert(ys.end(), {roof.factor * least, roof.factor * x.high});
  const Scale y = scale_of(ys, Growth::logarithmic);
  static const std::map<std::string, std::string> one{{"fetches", "fetch"}, {"bytes", "byte"}, {"flops", "operation"}};
  const std::string& unit = line.cells.front()->unit;
  const std::string work = unit == "GUPS" ? "updates" : unit.ends_with("samples/s") ? "samples" : "work";
  const std::string title =
      fmt::format("{}, {}: limits by {}", spoken(contest.operation), contest.workload, line.count);
  std::vector<LegendEntry> legend;
  for (const std::string& name : architectures(line.cells))
    legend.push_back({name, palette.style(name), palette.index(name)});
  Plot plot({title, fmt::format("{} per {}", work, one.at(line.count)), unit}, x, y, legend, 270, 46);
  draw_roofs(plot, line.roofs, x, y, palette);
  for (const StudyCell* c : line.cells)
    plot.mark(line.intensity(*c), c->rate, palette.style(c->architecture), palette.index(c->architecture), c->noisy,
              tip_of(*c));
  return figure(title, plot.finish(), roof_note(line.roofs));
}

/// Whether a figure is useful: a cell reaches at least 5 % of a roof, and there are two positions along the axis. A
/// single mark below a line shows no more than its share.
bool is_informative(const Roofline& line, const StudyResult& r) {
  const bool near = std::ranges::any_of(line.cells, [&](const StudyCell* c) {
    const Ceiling* limit = best_ceiling(r.ceilings, through(c->architecture), c->limit);
    return limit && counted_by(limit->unit) == line.count && c->share.value_or(0) >= 0.05;
  });
  const auto intensity = [&](const StudyCell* c) { return line.intensity(*c); };
  const auto [least, most] = std::ranges::minmax_element(line.cells, {}, intensity);
  return near && intensity(*most) > 1.01 * intensity(*least);
}

}  // namespace

std::string limit_figures(const Contest& contest, const StudyResult& r, const Palette& palette) {
  std::string out;
  for (const char* count : {"fetches", "bytes", "flops"}) {
    const Roofline line = roofline_of(contest, r, count);
    if (!line.roofs.empty() && is_informative(line, r)) out += draw(line, contest, palette);
  }
  return out;
}

}  // namespace backlit::report
