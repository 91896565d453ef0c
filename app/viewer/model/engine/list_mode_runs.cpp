#include "model/engine/list_mode_runs.hpp"

#include <fmt/format.h>

#include <backlit/pet/attenuation.hpp>

namespace backlit::viewer {
namespace {

std::string text(const VolumeGrid& g) {
  return fmt::format("{} {} {}, {} {} {}, {} {} {}", g.size[0], g.size[1], g.size[2], g.spacing.x, g.spacing.y,
                     g.spacing.z, g.center.x, g.center.y, g.center.z);
}

/// All settings that determine the sensitivity of one list.
std::string facts(const Backend& backend, const VolumeGrid& grid, PetOptions options, const std::string& attenuation) {
  std::string all = backend.name() + "; " + text(grid) + "; " + attenuation;
  for (const Parameter& p : describe(options))
    for (const char* name : {"line", "tube", "tube_width", "tube_widths", "tube_widths_by", "tube_radius", "image",
                             "blob_radius", "psf", "sensitivity_pairs", "sensitivity_seed"})
      if (p.name == name) all += "; " + p.text();
  return all;
}

}  // namespace

ListModeRun::ListModeRun(Backend& backend, std::shared_ptr<const ListSource> list, const VolumeGrid& grid,
                         const PetOptions& options, std::shared_ptr<const Volume> attenuation, const Sensitivity* known,
                         const Watch& watch)
    : list_(std::move(list)), problem_(backend, list_->events, list_->scanner, grid, options, std::move(attenuation)) {
  if (known) problem_.set_sensitivity(*known);
  em_ = problem_.reconstruction(watch);
}

std::unique_ptr<ListModeRun> ListModeRuns::make(Backend& backend, const std::shared_ptr<const ListSource>& list,
                                                const VolumeGrid& grid, const PetState& pet, const Watch& watch) {
  PetOptions options = pet.options;
  check(options);
  read_files(options);
  require_list_mode(backend, grid);
  if (const std::string wanted = pet.attenuation + "; " + text(grid); wanted != attenuation_of_) {
    attenuation_ = load_attenuation(pet.attenuation, grid, watch);
    attenuation_of_ = wanted;
  }
  const std::string wanted = facts(backend, grid, options, pet.attenuation);
  const bool known = sensitivity_ && wanted == sensitivity_of_;
  auto run = std::make_unique<ListModeRun>(backend, list, grid, options, attenuation_,
                                           known ? sensitivity_.get() : nullptr, watch);
  if (!known) sensitivity_ = std::make_shared<const Sensitivity>(run->sensitivity());
  sensitivity_of_ = wanted;
  return run;
}

}  // namespace backlit::viewer
