#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/pet/image_quality.hpp>
#include <backlit/pet/rod_quality.hpp>
#include <backlit/render/line_plot.hpp>
#include <backlit/render/png.hpp>
#include "command.hpp"
#include "json_text.hpp"
#include "output_path.hpp"

namespace backlit::cli {
namespace fs = std::filesystem;
namespace {

struct PetQualityArguments {
  std::vector<std::string> images, outputs;
  std::string phantom = "nema-iq";
  Console console;
};

struct Row {
  std::string file, series;
  ImageQuality quality;
};

/// "iq_tof_it3.mha" -> "iq_tof": names of one series differ only in the iteration at the end.
std::string series_of(const std::string& file) {
  std::string name = fs::path(file).filename().string();
  name = name.substr(0, name.find('.'));
  const std::string whole = name;
  while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back()))) name.pop_back();
  if (name != whole && name.ends_with("_it")) name.resize(name.size() - 2);
  while (!name.empty() && (name.back() == '_' || name.back() == '-')) name.pop_back();
  return name.empty() ? whole : name;
}

std::string csv(const std::vector<Row>& rows) {
  std::string text = "file,series,sphere_mm,contrast_percent,variability_percent,background,lung_residual_percent\n";
  for (const Row& row : rows)
    for (const SphereQuality& s : row.quality.spheres)
      text += fmt::format("{},{},{:g},{:.4f},{:.4f},{:.6g},{:.4f}\n", row.file, row.series, s.diameter, s.contrast,
                          s.variability, row.quality.background, row.quality.lung_residual);
  return text;
}

/// One plot for each sphere, at most three in a row: contrast over variability, one curve for each series.
Image draw(const std::vector<Row>& rows) {
  constexpr std::int64_t width = 460, height = 330;
  const auto spheres = static_cast<std::int64_t>(rows.front().quality.spheres.size());
  const std::int64_t across = std::min<std::int64_t>(spheres, 3);
  Image all(width * across, height * ((spheres + across - 1) / across), {255, 255, 255});
  for (std::int64_t i = 0; i < spheres; ++i) {
    std::vector<Curve> curves;
    for (const Row& row : rows) {
      const SphereQuality& s = row.quality.spheres[static_cast<std::size_t>(i)];
      auto curve = std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.name == row.series; });
      if (curve == curves.end()) curve = curves.insert(curves.end(), Curve{row.series, {}, {}});
      curve->x.push_back(s.variability);
      curve->y.push_back(s.contrast);
    }
    const double diameter = rows.front().quality.spheres[static_cast<std::size_t>(i)].diameter;
    const PlotText text{fmt::format("sphere of {:g} mm", diameter), "background variability (%)",
                        "contrast recovery (%)"};
    all.paste(plot_curves(curves, text, false, width, height), width * (i % across), height * (i / across));
  }
  return all;
}

/// Plots of hot rods. First row: valley/peak, spread and separation over the rod's diameter. Below: one plot of
/// profiles for each diameter. Each image has one curve.
struct RodPlots {
  std::vector<Curve> valleys, spread, separated;
  std::vector<std::vector<Curve>> profiles;  ///< one plot for each diameter

  void add(const std::string& name, const std::vector<RodQuality>& all) {
    for (auto* curves : {&valleys, &spread, &separated}) curves->push_back({name, {}, {}});
    profiles.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const RodQuality& q = all[i];
      for (auto* curves : {&valleys, &spread, &separated}) curves->back().x.push_back(q.diameter);
      valleys.back().y.push_back(q.valley_to_peak);
      spread.back().y.push_back(q.spread);
      separated.back().y.push_back(q.separated);
      profiles[i].push_back({name, q.profile_mm, q.profile});
    }
  }

  Image draw(const std::vector<RodSector>& sectors) const {
    constexpr std::int64_t width = 460, height = 330, across = 3;
    const auto rows = (static_cast<std::int64_t>(profiles.size()) + across - 1) / across;
    Image all(width * across, height * (1 + rows), {255, 255, 255});
    const char* by = "diameter (mm)";
    all.paste(plot_curves(valleys, {"hot rods", by, "valley / peak"}, false, width, height), 0, 0);
    all.paste(plot_curves(spread, {"single rods", by, "spread (%)"}, false, width, height), width, 0);
    all.paste(plot_curves(separated, {"neighbours", by, "separated (%)"}, false, width, height), 2 * width, 0);
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      const PlotText text{fmt::format("rods of {:g} mm", sectors[i].diameter), "along a row (mm)", "value / peak"};
      const auto n = static_cast<std::int64_t>(i);
      all.paste(plot_curves(profiles[i], text, false, width, height), width * (n % across), height * (1 + n / across));
    }
    return all;
  }
};

/// Measures hot rods: prints the numbers, and writes a table and plots.
void rod_quality(const PetQualityArguments& o, const std::vector<RodSector>& sectors,
                 const std::vector<fs::path>& outputs) {
  std::string table = "file,series,rod_mm,valley_to_peak,peak,spread_percent,separated_percent\n";
  RodPlots plots;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string& file : o.images) {
    interrupt().check();
    nlohmann::ordered_json rods = nlohmann::ordered_json::array();
    o.console.say("image", file);
    const std::vector<RodQuality> all = measure_rods(load_volume(file), sectors);
    for (const RodQuality& q : all) {
      o.console.say("",
                    fmt::format("{:>4g} mm  valley/peak {:5.3f}  peak {:.4g}  spread {:5.1f} %  separated {:5.1f} %",
                                q.diameter, q.valley_to_peak, q.peak, q.spread, q.separated));
      table += fmt::format("{},{},{:g},{:.4f},{:.6g},{:.3f},{:.2f}\n", file, series_of(file), q.diameter,
                           q.valley_to_peak, q.peak, q.spread, q.separated);
      rods.push_back({{"rod_mm", q.diameter},
                      {"valley_to_peak", q.valley_to_peak},
                      {"peak", q.peak},
                      {"spread_percent", q.spread},
                      {"separated_percent", q.separated},
                      {"profile_mm", q.profile_mm},
                      {"profile", q.profile}});
    }
    plots.add(fs::path(file).stem().string(), all);
    list.push_back({{"file", file}, {"series", series_of(file)}, {"rods", rods}});
  }
  for (const fs::path& file : outputs) {
    if (file.extension() == ".csv")
      write_text(file, table);
    else
      save_png(plots.draw(sectors), file);
    o.console.say("wrote", file.string());
  }
  o.console.print_json(json_text(nlohmann::ordered_json{{"phantom", o.phantom}, {"images", list}}));
}

void pet_quality(const PetQualityArguments& o) {
  std::vector<fs::path> outputs(o.outputs.begin(), o.outputs.end()), inputs(o.images.begin(), o.images.end());
  for (const auto& file : outputs) require_writable(file, {".csv", ".png"});
  refuse_overwriting(outputs, inputs);
  const Phantom phantom = load_phantom(o.phantom);
  const bool round =
      std::ranges::any_of(phantom.bodies, [](const Body& b) { return b.shape == Body::Shape::ellipsoid; });
  const auto sectors = round ? std::vector<RodSector>{} : rod_sectors(phantom);
  if (!sectors.empty()) return rod_quality(o, sectors, outputs);
  const QualityRegions regions = quality_regions(phantom);
  const Console& c = o.console;
  c.detail(fmt::format("12 background regions with {:g} mm of background around each", regions.margin));
  std::vector<Row> rows;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string& file : o.images) {
    interrupt().check();
    rows.push_back({file, series_of(file), measure_quality(load_volume(file), regions)});
    const ImageQuality& q = rows.back().quality;
    nlohmann::ordered_json spheres = nlohmann::ordered_json::array();
    c.say("image", fmt::format("{}: background {:.5g}{}", file, q.background,
                               q.lung_residual < 0 ? "" : fmt::format(", lung residual {:.2f} %", q.lung_residual)));
    for (const SphereQuality& s : q.spheres) {
      c.say("",
            fmt::format("{:>4g} mm  contrast {:7.2f} %  variability {:6.2f} %", s.diameter, s.contrast, s.variability));
      spheres.push_back({{"sphere_mm", s.diameter}, {"contrast", s.contrast}, {"variability", s.variability}});
    }
    list.push_back({{"file", file},
                    {"series", rows.back().series},
                    {"background", q.background},
                    {"lung_residual", q.lung_residual},
                    {"spheres", spheres}});
  }
  for (const fs::path& file : outputs) {
    if (file.extension() == ".csv")
      write_text(file, csv(rows));
    else
      save_png(draw(rows), file);
    c.say("wrote", file.string());
  }
  c.print_json(
      json_text(nlohmann::ordered_json{{"phantom", o.phantom}, {"margin_mm", regions.margin}, {"images", list}}));
}

}  // namespace

void add_pet_quality(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "pet-quality",
      "NEMA image quality of PET images: contrast recovery, background variability, lung residual; or hot rods");
  const auto o = std::make_shared<PetQualityArguments>();
  command
      ->add_option("IMAGE", o->images,
                   "images of the phantom; those whose names differ in the number at the end are one curve")
      ->required();
  command->add_option(
      "--phantom", o->phantom,
      fmt::format("phantom of the activity, with spheres in one slice, or with hot rods [{}]", o->phantom));
  command
      ->add_option("-o,--output", o->outputs,
                   "table (.csv) or curves of contrast over variability (.png); several may be given")
      ->type_name("FILE");
  o->console.add_flags(*command, true);
  command->footer("Example: backlit pet-quality iq_tof_*.mha iq_plain_*.mha -o quality.csv -o quality.png");
  command->callback([o, &action] { action = [o] { pet_quality(*o); }; });
}

}  // namespace backlit::cli
