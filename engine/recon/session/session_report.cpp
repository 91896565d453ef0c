#include <backlit/recon/session_report.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <backlit/device/device_options.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/recon/reconstruction.hpp>

namespace backlit {
namespace {

using Json = nlohmann::ordered_json;

std::string counted(std::int64_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

/// Seconds of updating voxels. The stage "iterate" includes other stages; stages on a device may overlap.
double working_seconds(const StageSeconds& seconds) {
  if (const auto all = seconds.find("iterate"); all != seconds.end()) return all->second;
  double longest = 0;
  for (const auto& [stage, each] : seconds)
    if (stage.starts_with("backproject")) longest = std::max(longest, each);
  return longest;
}

/// The options that had an effect.
Json options_of(Method method) {
  Json json = Json::object();
  for (const Parameter& p : method.parameters())
    if (p.needs.empty())
      std::visit(
          [&](const auto& value) {
            if constexpr (std::is_pointer_v<std::decay_t<decltype(value)>>)
              json[p.name] = *value;
            else
              json[p.name] = p.text();
          },
          p.target);
  return json;
}

/// The values of the most used options (MethodInfo::usual).
std::string usual_options(Method method) {
  std::string text;
  const auto& usual = method.info().usual;
  for (const Parameter& p : method.parameters())
    if (p.needs.empty() && std::ranges::count(usual, p.name) > 0 && !p.text().empty())
      text += fmt::format(", {} {}", p.name, p.text());
  return text;
}

void add_line(ReportLines& lines, const char* name, std::string text) {
  if (!text.empty()) lines.emplace_back(name, std::move(text));
}

/// Empty for a volume centred on the origin.
std::string center_text(const Vec3& c) {
  return c == Vec3(0) ? std::string() : fmt::format(" around ({:.6g}, {:.6g}, {:.6g}) mm", c.x, c.y, c.z);
}

}  // namespace

std::string repairs_text(const SessionReport& r) {
  std::string text;
  if (const auto n = r.replaced_readings; n > 0)
    text = fmt::format("{} at or below dark {} replaced", counted(n, "reading"), n == 1 ? "was" : "were");
  if (const auto n = r.dead_pixels; n > 0)
    text += fmt::format("{}{} interpolated", text.empty() ? "" : "; ", counted(n, "dead pixel"));
  return text;
}

std::string backend_reason(const std::string& asked, const std::vector<std::string>& passed_over,
                           const Backend& chosen) {
  if (asked != "auto") return "as asked for";
  if (!passed_over.empty()) return fmt::format("auto: {}", fmt::join(passed_over, "; "));
  return chosen.capabilities().software ? "auto: faster than the cpu for this method" : "auto: the first choice";
}

void add_run(SessionReport& report, const Backend& backend, const Reconstruction& reconstruction,
             const Method& method) {
  report.method = method;
  report.backend = backend.name();
  report.device = backend.device();
  report.software = backend.capabilities().software;
  report.variant = reconstruction.variant();
  report.volume_bytes = reconstruction.volume_bytes();
  report.residuals.assign(reconstruction.residuals().begin(), reconstruction.residuals().end());
  report.stopped_by = reconstruction.stopped_by();
  report.chosen = reconstruction.chosen();
  for (const auto& [stage, seconds] : reconstruction.seconds()) report.seconds[stage] += seconds;
  const auto passes = static_cast<double>(std::max<std::size_t>(1, report.residuals.size()));
  const auto updates = static_cast<double>(report.grid.voxels()) * static_cast<double>(report.views) * passes;
  const double seconds = working_seconds(report.seconds);
  report.gups = seconds > 0 ? updates / seconds / 1e9 : 0;
}

ReportLines scan_lines(const SessionReport& r) {
  ReportLines lines;
  add_line(lines, "scan", fmt::format("{}{}{}", r.scan, r.scan.empty() ? "" : ": ", counted(r.views, "view")));
  add_line(lines, "repaired", repairs_text(r));
  for (const std::string& fault : r.faults) add_line(lines, "looked for", fault);
  for (const std::string& correction : r.corrections) add_line(lines, "corrected", correction);
  for (const std::string& direction : r.directions) add_line(lines, "direction", direction);
  add_line(lines, "axis", fmt::format("column {:.2f}, {}", r.center_px, r.center_from));
  if (r.grid.voxels() > 0)
    add_line(lines, "volume",
             fmt::format("{} voxels of {}{}: {}", size_text(r.grid.size), spacing_text(r.grid.spacing),
                         center_text(r.grid.center), r.grid_from));
  return lines;
}

ReportLines run_lines(const SessionReport& r) {
  ReportLines lines;
  if (r.backend.empty()) return lines;
  add_line(lines, "method",
           fmt::format("{}{} ({}){}{}", r.method.name(), usual_options(r.method), r.variant,
                       r.method_from.empty() ? "" : ", since ", r.method_from));
  add_line(lines, "device",
           fmt::format("{}: {}{} ({})", r.backend, r.device,
                       r.software ? ", a software renderer on the CPU: no GPU was found" : "", r.backend_from));
  if (r.volume_bytes > 0)
    add_line(lines, "memory",
             fmt::format("{:.0f} MiB of volume on the device", static_cast<double>(r.volume_bytes) / 0x1p20));
  std::string times;
  for (const auto& [stage, seconds] : r.seconds)
    if (stage != "total" && seconds >= 0.005) times += fmt::format("{} {:.2f} s, ", stage, seconds);
  const double total = r.seconds.contains("total") ? r.seconds.at("total") : 0;
  add_line(lines, "time", fmt::format("{}total {:.2f} s, {:.3g} GUPS", times, total, r.gups));
  std::string chosen;
  for (const auto& [name, value] : r.chosen)
    chosen += fmt::format("{}{} {:.4g}", chosen.empty() ? "" : ", ", name, value);
  add_line(lines, "chosen", chosen);
  if (!r.residuals.empty()) add_line(lines, "residual", fmt::format("{:.4g} of the data", r.residuals.back()));
  if (!r.stopped_by.empty())
    add_line(lines, "stopped", fmt::format("after {} iterations: {}", r.residuals.size(), r.stopped_by));
  return lines;
}

std::string to_json(const SessionReport& r) {
  Json json{{"scan", r.scan},
            {"method", r.method.name()},
            {"method_from", r.method_from},
            {"options", options_of(r.method)},
            {"backend", r.backend},
            {"backend_from", r.backend_from},
            {"device", r.device},
            {"variant", r.variant},
            {"views", r.views},
            {"size", r.grid.size},
            {"voxel_mm", {r.grid.spacing.x, r.grid.spacing.y, r.grid.spacing.z}},
            {"volume_center_mm", {r.grid.center.x, r.grid.center.y, r.grid.center.z}},
            {"volume_from", r.grid_from},
            {"center_px", r.center_px},
            {"center_from", r.center_from},
            {"dead_pixels", r.dead_pixels},
            {"replaced_readings", r.replaced_readings},
            {"corrections", r.corrections},
            {"corrected_on", r.corrected_on},
            {"faults", r.faults},
            {"directions", r.directions},
            {"warnings", r.warnings},
            {"iterations", r.residuals.size()},
            {"residuals", r.residuals}};
  Json& seconds = json["seconds"] = Json::object();
  for (const char* stage : {"read", "preprocess", "upload", "filter", "backproject", "download", "write"})
    seconds[stage] = r.seconds.contains(stage) ? r.seconds.at(stage) : 0.0;
  for (const auto& [stage, value] : r.seconds) seconds[stage] = value;
  json["gups"] = r.gups;
  if (!r.stopped_by.empty()) json["stopped_by"] = r.stopped_by;
  for (const auto& [name, value] : r.chosen) json["chosen"][name] = value;
  for (const auto& [pass, time] : r.passes) json["passes"][pass] = {{"calls", time.calls}, {"seconds", time.seconds}};
  if (r.volume_bytes > 0) json["volume_bytes"] = r.volume_bytes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace backlit
