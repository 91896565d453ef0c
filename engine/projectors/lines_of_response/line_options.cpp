#include <backlit/projectors/lines_of_response/line_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

/// The first i < n for which bad(i); nothing where there is none.
template <class Bad>
std::optional<std::int64_t> first_where(std::int64_t n, Bad&& bad) {
  const double found = parallel_reduce(
      n, static_cast<double>(n),
      [&](std::int64_t begin, std::int64_t end) {
        for (; begin < end; ++begin)
          if (bad(static_cast<std::size_t>(begin))) return static_cast<double>(begin);
        return static_cast<double>(n);
      },
      [](double a, double b) { return std::min(a, b); });
  return found < static_cast<double>(n) ? std::optional(static_cast<std::int64_t>(found)) : std::nullopt;
}

}  // namespace

void require_sound(const VolumeGrid& grid, const LineList& lines, const LineOptions& options) {
  grid.check("grid");
  const auto events = lines.first.size();
  const auto require_length = [&](std::size_t n, const char* what) {
    if (n != events)
      throw InputError("list mode", fmt::format("{} {} for {} lines", n, what, events), "give one a line, or none");
  };
  require_length(lines.second.size(), "second points");
  if (!lines.tof_mm.empty()) require_length(lines.tof_mm.size(), "offsets of time of flight");
  if (!lines.kernel.empty()) require_length(lines.kernel.size(), "kernels");
  for (const glm::vec3& p : lines.points)
    if (!(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)))
      throw InputError("list mode", "a line's end is not finite", "see the crystal map");
  const auto find = [&](auto&& bad) { return first_where(static_cast<std::int64_t>(events), bad); };
  const auto points = lines.points.size();
  if (const auto i = find([&](std::size_t k) { return lines.first[k] >= points || lines.second[k] >= points; }))
    throw InputError("list mode", fmt::format("line {} names a point that is not there", *i),
                     "is it the right scanner?");
  if (!lines.tof_mm.empty() && find([&](std::size_t k) { return !std::isfinite(lines.tof_mm[k]); }))
    throw InputError("list mode", "an offset of time of flight is not finite");
  if (!lines.tof_mm.empty() && !options.tof.used())
    throw InputError("list mode", "lines have time of flight but no resolution is given", "give `tof_resolution`");
  if (options.tof.used() && !(options.tof.cut_sigmas > 0 && options.tof.bin_mm >= 0))
    throw InputError("list mode", "the time of flight's cut or bin is not positive", "give a cut of 2 to 5 sigmas");
  if (options.line == LineOptions::Line::joseph) return;
  if (options.kernels.empty() || options.kernels.size() > 16)
    throw InputError("list mode", fmt::format("{} tube kernels", options.kernels.size()), "give 1 to 16");
  for (const std::uint8_t k : lines.kernel)
    if (k >= options.kernels.size())
      throw InputError("list mode", fmt::format("a line has tube kernel {} of {}", k, options.kernels.size()));
}

std::string describe(const LineOptions& options, bool with_tof) {
  std::string text = "joseph";
  if (options.line == LineOptions::Line::tube) {
    const TubeKernel& k = options.kernels.front();
    text =
        k.gauss_sigma_mm > 0 ? fmt::format("tube gaussian {:.4g} mm", 2.3548200450309493 * k.gauss_sigma_mm) : "tube";
    text += fmt::format(" cut at {:.4g} mm", k.radius_mm);
    if (options.kernels.size() > 1) text += fmt::format(" and {} more", options.kernels.size() - 1);
  }
  if (with_tof)
    text += fmt::format(", TOF sigma {:.4g} mm cut at {:g} sigma", options.tof.sigma_mm, options.tof.cut_sigmas);
  return text;
}

}  // namespace backlit
