#include "model/engine/list_mode_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

Volume ListModeRuns::preview(Backend& backend, const ListSource& list, const VolumeGrid& grid, const PetState& pet,
                             const Watch& watch) {
  constexpr double most_voxels = 30'000;
  constexpr std::int64_t most_events = 30'000, pairs = 200'000;
  PetOptions options = pet.options;
  options.iterations = 2;
  options.subsets = 2;
  options.sensitivity_pairs = pairs;
  options.likelihood = false;
  options.psf = options.tube_width = options.tube_radius = options.blob_radius = 0;
  options.tube_widths.clear();
  options.image = PetOptions{}.image;
  options.checkpoint.clear();
  options.resume.clear();
  const double coarser = std::max(1.0, std::cbrt(static_cast<double>(grid.voxels()) / most_voxels));
  VolumeGrid coarse = grid;
  for (std::size_t a = 0; a < 3; ++a) {
    const int axis = static_cast<int>(a);
    coarse.size[a] = std::max<std::int64_t>(1, std::llround(static_cast<double>(grid.size[a]) / coarser));
    coarse.spacing[axis] *= static_cast<double>(grid.size[a]) / static_cast<double>(coarse.size[a]);
  }
  list.events->rewind();
  EventList few;
  list.events->read(most_events, few);
  list.events->rewind();
  ListModeInfo info = list.events->info();
  const auto read = static_cast<float>(few.size()), all = static_cast<float>(info.events.value_or(few.size()));
  info.events = few.size();
  PetProblem problem(backend, std::make_shared<MemoryListMode>(info, std::move(few)), list.scanner, coarse, options,
                     nullptr);
  const auto em = problem.reconstruction(watch);
  while (em->step() != Reconstruction::Status::finished) watch.advance(0);
  Volume image = em->download();
  for (float& v : image.values.span()) v *= std::max(1.0f, all / std::max(1.0f, read));
  return image;
}

}  // namespace backlit::viewer
