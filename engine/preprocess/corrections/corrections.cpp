#include <backlit/preprocess/corrections.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "preprocess/corrections/correction_list.hpp"

namespace backlit {
namespace {

/// The options of some corrections; the others off.
CorrectionOptions options_of(const CorrectionOptions& options, bool needs_volume) {
  CorrectionOptions all = options, some;
  Parameters from = describe(all), to = describe(some);
  for (const Correction& c : corrections())
    if (c.needs_volume == needs_volume && c.wanted(options))
      for (const std::string_view name : c.parameters)
        find_parameter(to, std::string(name)).set(find_parameter(from, std::string(name)).text());
  return some;
}

std::vector<Parameter> stripe_parameters(CorrectionOptions& o) {
  return {
      {"dead_stripes", &o.dead_stripes,
       "interpolate columns of the detector that do not respond or fluctuate: signal-to-noise ratio from which one "
       "counts; 3 is usual; 0: off",
       "", 0, 1e3},
      {"large_stripes", &o.large_stripes,
       "remove wide rings: signal-to-noise ratio from which a column counts as one; 3 is usual; 0: off", "", 0, 1e3},
      stripes_parameter(o.stripes),
      choice("stripe_method", o.stripe_method, "how `stripes` tells rings from the object",
             {"mean", "sorting", "filtering", "fitting"})};
}

std::vector<Parameter> phase_parameters(CorrectionOptions& o) {
  return {{"phase_ratio", &o.phase_ratio,
           "phase retrieval of one material: its delta / beta at `phase_energy`, some 100 to 3000; 0: off", "", 0, 1e7},
          {"phase_energy", &o.phase_energy, "energy of the beam, for `phase_ratio`", "keV", 0, 1e4},
          {"phase_distance", &o.phase_distance,
           "from object to detector, for `phase_ratio`; 0: as the cone beam's geometry says", "mm", 0, 1e6}};
}

std::vector<Parameter> physics_parameters(CorrectionOptions& o) {
  return {
      written("scatter_share", o.scatter,
              "low-frequency scatter: share of the beam that a pixel scatters into a wide kernel, or 'fit' for the "
              "share that makes the middle slice flat; 0: off",
              "fit|SHARE"),
      {"scatter_width", &o.scatter_width,
       "standard deviation of the kernel of `scatter_share` on the detector; 0: an eighth of its width", "mm", 0, 1e6},
      {"water_spectrum", &o.water_spectrum,
       "beam hardening of water: file with a line of energy in keV and weight for each energy of the spectrum; "
       "empty: off"},
      written("hardening", o.hardening,
              "beam hardening: the line integral p becomes p + A2 p^2 + A3 p^3 ...; empty: off", "A2,A3,..."),
      {"flatten", &o.flatten, "beam hardening: find the polynomial that makes the object's main material flat"},
      {"metal", &o.metal, "reduce streaks of metal: attenuation from which a voxel is metal; 0: off", "1/mm", 0, 1e6},
      {"truncation", &o.truncation,
       "objects wider than the detector: filters continue rows smoothly beyond both ends by this share of their width, "
       "unless the method's `pad` says so itself; 0.1 is usual; 0: off",
       "", 0, 10}};
}

}  // namespace

Parameter stripes_parameter(std::int64_t& stripes) {
  return {"stripes", &stripes, "remove rings: width of the window, odd; 0: off", "columns", 0, 999};
}

Parameters describe(CorrectionOptions& o) {
  Parameters list{
      {"flat_components", &o.flat_components,
       "flats that drift: how many components of their changes to fit to every view; 2 is usual; 0: off", "", 0, 32},
      {"defects", &o.defects,
       "interpolate pixels whose mean or change over the views differs from their neighbours' by more than "
       "so many times the usual; 10 is careful; 0: off",
       "", 0, 1e6},
      {"zingers", &o.zingers,
       "replace single readings brighter than their neighbours, in the view and in the views before and "
       "after, by more than so many times the noise; 8 is careful; 0: off",
       "", 0, 1e6},
      {"air_columns", &o.air_columns,
       "a beam that changes from view to view: columns at either side that see air in every view, whose values become "
       "0; 0: off",
       "columns", 0, 1e5}};
  for (const auto& more : {stripe_parameters(o), phase_parameters(o), physics_parameters(o)})
    list.insert(list.end(), more.begin(), more.end());
  return list;
}

CorrectionOptions over(const CorrectionOptions& base, const CorrectionOptions& given) {
  CorrectionOptions result = base, asked = given, defaults;
  Parameters to = describe(result);
  const Parameters from = describe(asked), usual = describe(defaults);
  for (std::size_t i = 0; i < to.size(); ++i)
    if (from[i].text() != usual[i].text()) to[i].set(from[i].text());
  return result;
}

std::string to_text(const CorrectionOptions& options) {
  CorrectionOptions mine = options, defaults;
  const Parameters list = describe(mine), usual = describe(defaults);
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].text() != usual[i].text())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", list[i].name, list[i].text());
  return text;
}

std::span<const Correction> corrections() {
  using namespace correction;
  static const std::vector<Correction> list{flat_components(), defects(),        zingers(), air(),     dead_stripes(),
                                            large_stripes(),   stripes(),        phase(),   scatter(), water_spectrum(),
                                            hardening(),       fitted_scatter(), flatten(), metal(),   truncation()};
  return list;
}

void check_idle(const CorrectionOptions& options) {
  CorrectionOptions mine = options, defaults;
  const Parameters list = describe(mine), usual = describe(defaults);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].text() == usual[i].text()) continue;
    const auto owns = [&](const Correction& c) { return std::ranges::count(c.parameters, list[i].name) > 0; };
    if (std::ranges::any_of(corrections(), [&](const Correction& c) { return owns(c) && c.wanted(options); })) continue;
    const auto owner = std::ranges::find_if(corrections(), owns);
    if (owner == corrections().end() || owner->parameters.front() == list[i].name) continue;
    throw InputError(list[i].name, fmt::format("it does nothing without `{}`", owner->parameters.front()),
                     fmt::format("give `{}` too, or leave it out", owner->parameters.front()));
  }
}

CorrectionOptions volume_corrections(const CorrectionOptions& options) { return options_of(options, true); }
CorrectionOptions projection_corrections(const CorrectionOptions& options) { return options_of(options, false); }

namespace {

/// All views where they are corrected: on the device, or on the host while a correction runs there.
class ViewsToCorrect {
 public:
  ViewsToCorrect(ProjectionSource& source, CorrectionDevice* device, const Watch& watch)
      : device_(device ? device->load(source, watch) : nullptr) {
    if (!device_) host_ = read_all(source, watch);
  }

  /// Whether the device made it.
  bool correct(const Correction& c, const CorrectionOptions& options, const CorrectionInput& input, const Watch& watch,
               std::string& done) {
    if (device_) {
      if (auto words = device_->correct(c, options, input, watch)) {
        done = std::move(*words);
        return true;
      }
      host_ = read_all(*device_);
    }
    done = c.apply(host_, options, input, watch);
    if (device_) {
      device_->replace(host_.values.span());
      host_ = {};
    }
    return false;
  }

  std::shared_ptr<ProjectionSource> take() {
    if (device_) return std::move(device_);
    return std::make_shared<MemorySource>(std::move(host_));
  }

 private:
  std::shared_ptr<DeviceViews> device_;
  Projections host_;
};

}  // namespace

namespace correction {

Correction truncation() {
  return {"truncation",
          "objects wider than the detector",
          "Ohnesorge, Flohr, Schwarz, Heiken and Bae, Efficient correction for CT image artifacts caused by objects "
          "extending outside the scan field of view, Med. Phys. 27 (2000) 39",
          {"truncation"},
          false,
          [](const CorrectionOptions& o) { return o.truncation > 0; },
          nullptr};
}

}  // namespace correction

CorrectedProjections apply_corrections(std::shared_ptr<ProjectionSource> source, const CorrectionOptions& options,
                                       const CorrectionInput& input, const Watch& watch, CorrectionDevice* device) {
  CorrectionOptions checked = options;
  for (const Parameter& p : describe(checked)) p.check();
  CorrectedProjections result{std::move(source), {}, {}};
  std::optional<ViewsToCorrect> views;
  for (const Correction& c : corrections()) {
    if (!c.wanted(options)) continue;
    if (!c.apply) {  // made by filters
      result.on_device.push_back(device != nullptr);
      result.done.push_back(fmt::format("{}: filters continue rows by {:.3g} %", c.title, 100 * options.truncation));
      continue;
    }
    if (c.needs_volume && !input.volume.reconstruct)
      throw InputError(std::string(c.name), "takes a reconstruction on the way", "correct the scan in a session");
    if (!views) views.emplace(*result.source, device, watch);
    std::string done;
    result.on_device.push_back(views->correct(c, options, input, watch, done));
    result.done.push_back(done.empty() ? std::string(c.title) : fmt::format("{}: {}", c.title, done));
  }
  if (views) result.source = views->take();
  return result;
}

}  // namespace backlit
