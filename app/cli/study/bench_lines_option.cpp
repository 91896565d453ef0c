#include "study/bench_lines_option.hpp"

#include <fmt/format.h>

#include <sstream>

#include <backlit/core/error.hpp>

namespace backlit::cli {
namespace {

std::vector<double> numbers(const std::string& text, const char* where, double low, double high) {
  std::vector<double> list;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');) {
    std::istringstream number(one);
    double value = 0;
    if (!(number >> value) || !(number >> std::ws).eof() || !(value >= low && value <= high))
      throw InputError(where, fmt::format("'{}' is no number from {:g} to {:g}", one, low, high),
                       "give them like 1,5,10");
    list.push_back(value);
  }
  if (list.empty()) throw InputError(where, "is empty", "give numbers like 1,5,10");
  return list;
}

}  // namespace

Parameters describe(LinesOption& o) {
  return {{"events", &o.events, "lm cases: numbers of lines, millions, separated by commas"},
          {"axial", &o.axial_mm, "lm cases: distance from the middle at which lines end along the axis", "mm", 0, 1e4},
          {"line", &o.lines.line, "lm cases: kind of line", "", 0, 0, {"tube", "joseph"}},
          {"tube_width", &o.widths, "lm cases: FWHM of Gaussian tubes cut off at half the FWHM, voxels, by commas"},
          {"tof", &o.tofs, "lm cases: time resolutions in ps, by commas; 0: without time of flight"},
          {"tof_cut", &o.lines.tof_cut, "lm cases: standard deviations", "", 1, 8},
          {"sums", &o.lines.sums, "lm cases: type of sums", "", 0, 0, {"fixed", "floating"}}};
}

void run_lines(const LinesOption& o, Backend& backend, const std::string& name, std::int64_t repeats,
               const Console& console, const std::function<void(const BenchRow&)>& report) {
  for (const double millions : numbers(o.events, "events", 1e-4, 1000)) {
    const LineCase lines = line_case(name, static_cast<std::int64_t>(1e6 * millions), o.axial_mm);
    for (const double width :
         o.lines.line == "joseph" ? std::vector<double>{3} : numbers(o.widths, "tube-width", 0.5, 64))
      for (const double tof : numbers(o.tofs, "tof", 0, 1e5)) {
        LineBenchOptions options = o.lines;
        options.width_voxels = width;
        options.tof_ps = tof;
        const LineCounts counts = count_voxels(lines, options);
        console.say(name, fmt::format("{:g} M lines, {}, {:g} ps: {:.1f} slices and {:.0f} voxels a line", millions,
                                      options.line == "joseph" ? "thin" : fmt::format("width {:g}", width), tof,
                                      counts.slices, counts.voxels));
        interrupt().check();
        bench_lines(backend.innermost(), lines, options, repeats, report);
      }
  }
}

}  // namespace backlit::cli
