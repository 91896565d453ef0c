#include "study/bench_quality.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include <backlit/core/error.hpp>
#include <backlit/render/line_plot.hpp>
#include <backlit/render/png.hpp>
#include <backlit/version.hpp>
#include "json_text.hpp"
#include "study/bench/quality.hpp"
#include "study/bench_peers.hpp"

namespace backlit::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double above_sirt = 1.05;  // target error of all methods, relative to SIRT's least error

std::vector<std::string> words(const std::string& text, const char* where) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');)
    if (!one.empty()) list.push_back(one);
  if (list.empty()) throw InputError(where, "is empty", "give names separated by commas");
  return list;
}

std::vector<std::int64_t> view_counts(const std::string& text) {
  std::vector<std::int64_t> list;
  for (const std::string& word : words(text, "views")) {
    std::istringstream number(word);
    std::int64_t value = 0;
    if (!(number >> value) || !(number >> std::ws).eof() || value < 1)
      throw InputError("views", fmt::format("'{}' is not a number of views", word), "give them like 60,120,360");
    list.push_back(value);
  }
  return list;
}

/// A row of the table for people: whether a method reaches the target, and when.
struct TableRow {
  std::string name;
  const QualityRun* run;  ///< null for peers
  std::int64_t iterations = 0;
  double seconds = 0;
  bool reached = false;
  std::string note{};
};

/// Runs with one number of views, and their target error.
struct Comparison {
  std::int64_t views;
  double target_hu;
  std::vector<TableRow> rows;
};

double target_of(const QualityOption& o, const std::vector<const QualityRun*>& runs) {
  if (o.target_hu > 0) return o.target_hu;
  double best = 0, sirt = 0;
  for (const QualityRun* run : runs) {
    const double least = run->least_rmse();
    if (best == 0 || least < best) best = least;
    if (run->method == "sirt" && (sirt == 0 || least < sirt)) sirt = least;
  }
  return above_sirt * (sirt > 0 ? sirt : best);
}

/// Estimated seconds of one iteration of ASTRA (forward and transpose), from its rates measured on cone512.
double astra_seconds(const BenchCase& c, std::int64_t views) {
  const Peers peers("peers");
  const auto rate = [&](const char* operation, const char* unit) {
    BenchRow row;
    row.case_name = "cone512";
    row.operation = operation;
    row.unit = unit;
    for (const Peers::Row& peer : peers.of(row))
      if (peer.variant.starts_with("ASTRA")) return 1e9 * peer.rate;
    return 0.0;
  };
  const double forward = rate("projection", "G samples/s"), back = rate("transpose", "GUPS");
  if (!(forward > 0 && back > 0)) return 0;
  const auto count = static_cast<double>(views);
  return count * static_cast<double>(c.scan.detector.pixels() * c.grid.size[0]) / forward +
         count * static_cast<double>(c.grid.voxels()) / back;
}

Comparison compare_runs(const QualityOption& o, const BenchCase& c, std::int64_t views,
                        const std::vector<const QualityRun*>& runs) {
  Comparison result{views, target_of(o, runs), {}};
  for (const QualityRun* run : runs) {
    TableRow row{fmt::format("{} {}{}", run->method, run->precision, run->pair == "matched" ? "" : ", " + run->pair),
                 run};
    if (const QualityPoint* at = run->reaches(result.target_hu)) {
      row.reached = true;
      row.iterations = at->iteration;
      row.seconds = at->seconds;
    }
    result.rows.push_back(std::move(row));
  }
  const double each = astra_seconds(c, views);
  for (const char* method : {"sirt", "cgls"})
    for (const QualityRun* run : runs) {
      const QualityPoint* at = run->reaches(result.target_hu);
      if (run->method != method || run->pair != "matched" || !at || each == 0) continue;
      result.rows.push_back({fmt::format("ASTRA {}", method), nullptr, at->iteration,
                             static_cast<double>(at->iteration) * each, true, "reckoned"});
      break;
    }
  return result;
}

void print_table(const Comparison& c, const Console& console) {
  if (console.json || console.quiet) return;
  fmt::print("\n{} views: seconds to {:.1f} HU\n{:<28} {:>9} {:>10} {:>9} {:>12} {:>12} {:>7}\n", c.views, c.target_hu,
             "method", "seconds", "iterations", "setup s", "untuned HU", "least HU", "SSIM");
  for (const TableRow& row : c.rows) {
    const std::string seconds = row.reached ? fmt::format("{:.3f}", row.seconds) : "-",
                      iterations = row.reached ? fmt::format("{}", row.iterations) : "-";
    if (!row.run) {
      fmt::print("{:<28} {:>9} {:>10} {}\n", row.name, seconds, iterations, row.note);
      continue;
    }
    const QualityPoint* usual = nullptr;
    for (const QualityPoint& p : row.run->points)
      if (p.iteration == row.run->usual) usual = &p;
    fmt::print("{:<28} {:>9} {:>10} {:>9.3f} {:>12} {:>12.1f} {:>7}\n", row.name, seconds, iterations, row.run->setup_s,
               usual ? fmt::format("{:.1f}", usual->rmse_hu) : "-", row.run->least_rmse(),
               usual ? fmt::format("{:.4f}", usual->ssim) : "-");
  }
}

Json to_json(const QualityRun& run) {
  Json points = Json::array(), chosen = Json::object();
  for (const QualityPoint& p : run.points)
    points.push_back({{"iteration", p.iteration}, {"seconds", p.seconds}, {"rmse_hu", p.rmse_hu}, {"ssim", p.ssim}});
  for (const auto& [name, value] : run.chosen) chosen[name] = value;
  return {{"views", run.views},     {"method", run.method},   {"precision", run.precision},      {"pair", run.pair},
          {"variant", run.variant}, {"setup_s", run.setup_s}, {"untuned_iterations", run.usual}, {"chosen", chosen},
          {"points", points}};
}

Json to_json(const Comparison& c) {
  Json rows = Json::array();
  for (const TableRow& row : c.rows)
    rows.push_back({{"method", row.name},
                    {"seconds", row.reached ? Json(row.seconds) : Json()},
                    {"iterations", row.reached ? Json(row.iterations) : Json()},
                    {"measured", row.run != nullptr}});
  return {{"views", c.views}, {"target_hu", c.target_hu}, {"rows", rows}};
}

/// Plots one picture for each number of views: runs of the first precision with the matched pair.
void save_plot(const std::vector<QualityRun>& runs, const std::vector<std::int64_t>& views, const std::string& file) {
  constexpr std::int64_t width = 720, height = 520;
  Image all(width, height * std::ssize(views), Rgb{255, 255, 255});
  for (std::size_t n = 0; n < views.size(); ++n) {
    std::vector<Curve> curves;
    for (const QualityRun& run : runs) {
      if (run.views != views[n] || run.precision != runs.front().precision || run.pair != "matched") continue;
      Curve curve{run.method, {}, {}};
      for (const QualityPoint& p : run.points) {
        curve.x.push_back(p.seconds);
        curve.y.push_back(p.rmse_hu);
      }
      curves.push_back(std::move(curve));
    }
    const PlotText text{fmt::format("{} views, {}", views[n], runs.front().precision), "seconds",
                        "r.m.s. error inside the head, HU"};
    all.paste(plot_curves_logarithmic(curves, text, width, height), 0, height * static_cast<std::int64_t>(n));
  }
  save_png(all, file);
}

std::vector<const QualityRun*> of_views(const std::vector<QualityRun>& runs, std::int64_t views) {
  std::vector<const QualityRun*> some;
  for (const QualityRun& run : runs)
    if (run.views == views) some.push_back(&run);
  return some;
}

}  // namespace

Parameters describe(QualityOption& o) {
  return {{"quality", &o.on, "error of a noisy head against seconds, for each method, in place of operations"},
          {"methods", &o.methods, "quality: which, by commas"},
          {"views", &o.views, "quality: of how many views, evenly spaced ones of the case, by commas"},
          {"pairs", &o.pairs,
           "quality: matched, voxel_driven or both, by commas; voxel_driven only for methods that support it"},
          {"photons", &o.photons, "quality: counts a pixel without object", "", 1, 1e12},
          {"target", &o.target_hu, "quality: the error to be reached; 0: the least of sirt, or of all, and 5 % more",
           "HU", 0, 1e6},
          {"seconds", &o.seconds, "quality: time limit of a run", "s", 0, 1e6},
          {"plot", &o.plot, "quality: PNG for the curves"}};
}

void run_quality(const QualityOption& o, Backend& backend, const BenchCase& c, const std::string& precision,
                 const Console& console) {
  const auto methods = words(o.methods, "methods"), pairs = words(o.pairs, "pairs");
  const auto views = view_counts(o.views);
  for (const std::string& name : methods) method_info(name);
  for (const std::string& pair : pairs)
    if (pair != "matched" && pair != "voxel_driven")
      throw InputError("pairs", fmt::format("there is no pair '{}'", pair), "choose matched, voxel_driven or both");
  std::vector<std::string> precisions{precision};
  if (precision == "all") precisions = {"exact", "fast", "half"};
  std::vector<QualityRun> runs;
  std::vector<std::string> left_out;
  for (const QualityProblem& problem : quality_problems(c, views, o.photons))
    for (const std::string& each : precisions)
      for (const std::string& name : methods)
        for (const std::string& pair : pairs) {
          if (pair != "matched" && !Method(name).has("back_model")) continue;
          interrupt().check();
          try {
            runs.push_back(backlit::run_quality(backend, problem, name, each, pair, o.seconds));
            console.detail(fmt::format("{} views: {} {} {}: {:.1f} HU", problem.views, name, each, pair,
                                       runs.back().least_rmse()));
          } catch (const Unsupported& reason) {
            left_out.push_back(fmt::format("{}: left out: {}", name, reason.what()));
          }
        }
  if (runs.empty()) throw InputError("bench", "nothing could be measured", fmt::to_string(fmt::join(left_out, "; ")));
  Json comparisons = Json::array(), all = Json::array();
  for (const std::int64_t n : views) {
    const Comparison comparison = compare_runs(o, c, n, of_views(runs, n));
    print_table(comparison, console);
    comparisons.push_back(to_json(comparison));
  }
  console.say("reckoned",
              "ASTRA's: the iterations of our own method at the rates of its projection and transpose on "
              "cone512 (assets/bench/peers.json), without set-up");
  for (const std::string& reason : left_out) console.warn(reason);
  for (const QualityRun& run : runs) all.push_back(to_json(run));
  if (!o.plot.empty()) save_plot(runs, views, o.plot);
  console.print_json(json_text(
      Json{{"environment", {{"backend", backend.name()}, {"device", backend.device()}, {"version", version()}}},
           {"case", c.name},
           {"photons", o.photons},
           {"runs", all},
           {"comparisons", comparisons}}));
}

}  // namespace backlit::cli
