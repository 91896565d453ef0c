#include "scan_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/data/selected_views.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

double parse_column(const std::string& text, const Scan& scan) {
  double column = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), column);
  if (error != std::errc{} || stop != text.data() + text.size() || !std::isfinite(column))
    throw InputError(
        "--center", fmt::format("'{}' is neither 'find' nor a column", text),
        fmt::format("'find' looks for it; the detector's middle is column {}", scan.detector.middle_column()));
  if (std::abs(column - scan.detector.middle_column()) > static_cast<double>(scan.detector.columns))
    throw InputError("--center",
                     fmt::format("column {} is far off the detector of {} columns", column, scan.detector.columns),
                     "count columns from 0, at the middle of a pixel");
  return column;
}

/// The views that "FIRST:END:STEP" names; STEP may be left out.
std::shared_ptr<ProjectionSource> select_views(std::shared_ptr<ProjectionSource> source, const std::string& text) {
  std::int64_t numbers[3] = {0, 0, 1};
  const char *at = text.data(), *end = at + text.size();
  int count = 0;
  for (bool more = true; more && count < 3; ++count) {
    const auto [stop, error] = std::from_chars(at, end, numbers[count]);
    if (error != std::errc{}) break;
    more = stop != end && *stop == ':';
    at = more ? stop + 1 : stop;
  }
  if (at != end || count < 2)
    throw InputError("--views", fmt::format("'{}' is not FIRST:END or FIRST:END:STEP", text),
                     "0:180:6, say, takes views 0, 6, ... up to 174");
  return std::make_shared<SelectedViews>(std::move(source), numbers[0], numbers[1], numbers[2]);
}

double wanted_center(const std::string& text, ProjectionSource* source, const Scan& scan, const Console& console,
                     const Watch& watch) {
  if (text != "find") return parse_column(text, scan);
  if (!source) throw InputError("--center", "finding it takes projections, and this scan has none", "give a column");
  const CenterEstimate found = find_center(*source, watch);
  console.detail(fmt::format("the axis projects to column {:.2f} ({})", found.center_px, found.method));
  return found.center_px;
}

}  // namespace

void InputOptions::add_flags(CLI::App& app) {
  app.add_option(
         "--center", center,
         "column (0-based, fractions allowed) on which the rotation axis projects, or 'find' (default: the scan "
         "file's offset_px)")
      ->type_name("find|px")
      ->group("Preparation");
  app.add_option("--views", views, "the views to use: from FIRST on, below END, every STEP-th (default: all)")
      ->type_name("FIRST:END:STEP")
      ->group("Preparation");
  app.add_option("--stripes", stripes, "remove rings: width of the window in columns, odd (0 to 999; default 0, off)")
      ->type_name("px")
      ->group("Preparation");
}

ScanInput open_scan(const std::filesystem::path& path, const InputOptions& options, const Console& console) {
  TerminalProgress bar(console.quiet);
  const Watch watch(bar, interrupt());
  ScanInput input;
  input.file = load_scan(path);
  auto& file = input.file;
  for (const auto& note : file.notes) console.warn(note);
  input.source = file.projections;
  if (input.source && file.kind == ScanFile::Kind::counts) {
    const auto repairs = std::make_shared<CorrectionReport>();
    input.source = correct_counts(input.source, file.flats, file.darks, repairs, watch);
    input.repairs = repairs;
  }
  if (options.stripes < 0 || (options.stripes > 0 && options.stripes % 2 == 0))
    throw InputError("--stripes", fmt::format("{} is not a window", options.stripes), "the window must be odd, or 0");
  if (options.stripes > 0 && input.source) {
    input.source = remove_stripes(input.source, options.stripes, watch);
  }
  if (!options.center.empty()) {
    const double center = wanted_center(options.center, input.source.get(), file.scan, console, watch);
    file.scan = with_center(file.scan, center);
    if (input.source) input.source = std::make_shared<PlacedViews>(input.source, file.scan);
  }
  input.center_px = center_of(file.scan);
  if (!options.views.empty() && input.source) {
    input.source = select_views(input.source, options.views);
    file.scan = input.source->scan();
  }
  return input;
}

ScanInput open_scan_with_data(const std::filesystem::path& path, const InputOptions& options, const Console& console) {
  ScanInput input = open_scan(path, options, console);
  if (!input.source) throw InputError(path.string(), "has no [data]", "name the projections there");
  return input;
}

void warn_of_repairs(const ScanInput& input, const Console& console) {
  if (!input.repairs) return;
  const auto counted = [](std::int64_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  const std::int64_t single = input.repairs->non_positive_values, dead = input.repairs->dead_pixels;
  std::string text;
  if (single > 0)
    text = fmt::format("{} at or below dark {} replaced", counted(single, "reading"), single == 1 ? "was" : "were");
  if (dead > 0) text += fmt::format("{}{} interpolated", text.empty() ? "" : "; ", counted(dead, "dead pixel"));
  if (!text.empty()) console.warn(text);
}

}  // namespace backlit::cli
