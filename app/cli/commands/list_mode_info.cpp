#include "commands/list_mode_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/pet/list_mode_summary.hpp>
#include <backlit/render/line_plot.hpp>
#include <backlit/render/png.hpp>
#include "commands/file_facts.hpp"
#include "json_text.hpp"
#include "output_path.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

using nlohmann::ordered_json;

struct Named {
  const char* name;
  const char* unit;
  const Histogram& histogram;
};

/// Joins neighbouring bins until at most `most` are left.
Histogram joined(const Histogram& fine, std::size_t most) {
  const std::size_t parts = (fine.counts.size() + most - 1) / most;
  if (parts <= 1) return fine;
  Histogram out{fine.first, fine.width * static_cast<double>(parts), {}};
  out.counts.resize((fine.counts.size() + parts - 1) / parts);
  for (std::size_t i = 0; i < fine.counts.size(); ++i) out.counts[i / parts] += fine.counts[i];
  return out;
}

void print_bars(const Named& of, const Console& console) {
  constexpr std::size_t rows = 21, width = 46;
  const Histogram h = joined(of.histogram, rows);
  if (h.counts.empty()) return;
  const double most = static_cast<double>(*std::max_element(h.counts.begin(), h.counts.end()));
  console.say(of.name, of.unit);
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    const auto bar =
        static_cast<std::size_t>(std::lround(width * static_cast<double>(h.counts[i]) / std::max(1.0, most)));
    console.say("", fmt::format("{:>9.4g} |{:<{}}| {}", h.center(i), std::string(bar, '#'), width, h.counts[i]));
  }
}

ordered_json histogram_json(const Histogram& h) {
  return {{"first", h.first}, {"width", h.width}, {"counts", h.counts}};
}

/// The first type of modules, where they move apart.
const RigidTransform& movement(const ScannerPlace& place) { return place.parts.front().moved; }

double degrees(const RigidTransform& t) {
  return std::acos(std::clamp(0.5 * (t.turn[0][0] + t.turn[1][1] + t.turn[2][2] - 1), -1.0, 1.0)) / radians_per_degree;
}

void print_places(const std::vector<ScannerPlace>& places, const Console& c) {
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(places.size(), most); ++i) {
    const Vec3& shift = movement(places[i]).shift;
    const double turn = degrees(movement(places[i]));
    c.say(i == 0 ? "positions" : "",
          fmt::format("scanner moved by {:.6g}, {:.6g}, {:.6g} mm{}: {:.4g} % of the time", shift.x, shift.y, shift.z,
                      turn > 0.05 ? fmt::format(", turned by {:.4g} degrees", turn) : "", 100 * places[i].share));
  }
  if (places.size() > most) c.say("", fmt::format("and {} more", places.size() - most));
}

ordered_json places_json(const std::vector<ScannerPlace>& places) {
  ordered_json all = ordered_json::array();
  for (const ScannerPlace& place : places) {
    const Vec3& shift = movement(place).shift;
    all.push_back(
        {{"shift_mm", {shift.x, shift.y, shift.z}}, {"turn_deg", degrees(movement(place))}, {"share", place.share}});
  }
  return all;
}

void draw(const std::vector<Named>& histograms, const std::string& file) {
  constexpr std::int64_t width = 720, height = 320;
  std::vector<Image> plots;
  for (const auto& [name, unit, histogram] : histograms) {
    if (histogram.counts.empty()) continue;
    Curve curve;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
      curve.x.push_back(histogram.center(i));
      curve.y.push_back(static_cast<double>(histogram.counts[i]));
    }
    plots.push_back(plot_curves({&curve, 1}, {name, unit, "prompts"}, true, width, height));
  }
  Image all(width, height * static_cast<std::int64_t>(plots.size()), {255, 255, 255});
  for (std::size_t i = 0; i < plots.size(); ++i) all.paste(plots[i], 0, height * static_cast<std::int64_t>(i));
  save_png(all, file);
}

}  // namespace

void print_list_mode(const ListModeQuestion& q, const Console& c) {
  if (!q.png.empty()) {
    require_writable(q.png, {".png"});
    refuse_overwriting({q.png}, {q.file});
  }
  const ListModeFile file = load_list_mode(q.file, {.scanner = q.scanner, .flip_tof = q.flip_tof, .delayeds = false});
  const ListModeInfo& info = file.events->info();
  TerminalProgress bar(c.quiet || c.json);
  const ListModeSummary s = summarize(*file.events, file.scanner, {bar, interrupt()});
  bar.end();

  c.say("file", fmt::format("{}: list mode, {}", q.file, info.format));
  c.say("scanner", fmt::format("{}: {} crystals", file.scanner.name, file.scanner.crystals()));
  c.say("prompts", fmt::format("{} in {:.6g} s: {:.6g} a second", s.counts.prompts, s.seconds, s.prompts_per_s()));
  if (s.counts.delayeds > 0) c.say("delayeds", fmt::format("{}", s.counts.delayeds));
  if (s.counts.time_tags > 0) c.say("time tags", fmt::format("{}", s.counts.time_tags));
  if (s.counts.others > 0) c.say("others", fmt::format("{}", s.counts.others));
  print_places(info.places, c);
  if (info.has_tof())
    c.say("TOF", fmt::format("{:.6g} ps FWHM ({:.4g} mm sigma), range {:.6g} ps{}", info.tof_fwhm_ps,
                             tof_sigma_mm(info.tof_fwhm_ps), info.tof_range_ps,
                             info.tof_bin_ps > 0 ? fmt::format(", bins of {:.6g} ps", info.tof_bin_ps) : ""));
  else
    c.say("TOF", "none");
  if (s.mean_acf > 0) c.say("attenuation", fmt::format("corrected by {:.4g} on average", s.mean_acf));
  if (s.mean_norm > 0) c.say("norm", fmt::format("{:.4g} on average", s.mean_norm));
  if (s.mean_scatter_rate >= 0)
    c.say("scatter",
          fmt::format("{:.4g} /s{} and event on average", s.mean_scatter_rate, info.has_tof() ? " and mm" : ""));
  if (s.mean_random_rate >= 0) c.say("randoms", fmt::format("{:.4g} /s and event on average", s.mean_random_rate));
  const std::vector<Named> histograms{
      {"t1 - t2", "ps", s.tof_ps}, {"ring 2 - ring 1", "rings", s.ring_difference}, {"time", "s", s.time_s}};
  for (const Named& one : histograms) print_bars(one, c);
  print_facts(file, c);
  if (!q.png.empty()) draw(histograms, q.png);

  ordered_json json{{"kind", "list mode"},
                    {"format", info.format},
                    {"scanner", file.scanner.name},
                    {"crystals", file.scanner.crystals()},
                    {"prompts", s.counts.prompts},
                    {"delayeds", s.counts.delayeds},
                    {"time_tags", s.counts.time_tags},
                    {"others", s.counts.others},
                    {"duration_s", s.seconds},
                    {"prompts_per_s", s.prompts_per_s()},
                    {"tof_fwhm_ps", info.tof_fwhm_ps},
                    {"tof_range_ps", info.tof_range_ps},
                    {"positions", places_json(info.places)},
                    {"mean_acf", s.mean_acf},
                    {"mean_norm", s.mean_norm},
                    {"mean_scatter_rate", s.mean_scatter_rate},
                    {"mean_random_rate", s.mean_random_rate},
                    {"tof_ps", histogram_json(s.tof_ps)},
                    {"ring_difference", histogram_json(s.ring_difference)},
                    {"time_s", histogram_json(s.time_s)}};
  add_facts(file, json);
  c.print_json(json_text(json));
}

}  // namespace backlit::cli
