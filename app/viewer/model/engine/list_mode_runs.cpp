#include "model/engine/list_mode_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include <backlit/geometry/rigid_motion.hpp>
#include <backlit/pet/attenuation.hpp>

namespace backlit::viewer {
namespace {

std::string text(const VolumeGrid& g) {
  return fmt::format("{} {} {}, {} {} {}, {} {} {}", g.size[0], g.size[1], g.size[2], g.spacing.x, g.spacing.y,
                     g.spacing.z, g.center.x, g.center.y, g.center.z);
}

/// Trilinear at a place in voxels; 0 outside.
float value_between(const Volume& v, const Vec3& at) {
  const Vec3 low = glm::floor(at), share = at - low;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    std::int64_t index[3];
    bool inside = true;
    for (int a = 0; a < 3; ++a) {
      const bool up = (corner >> a & 1) != 0;
      index[a] = static_cast<std::int64_t>(low[a]) + (up ? 1 : 0);
      weight *= up ? share[a] : 1 - share[a];
      inside = inside && index[a] >= 0 && index[a] < v.grid.size[static_cast<std::size_t>(a)];
    }
    if (inside && weight > 0) sum += weight * static_cast<double>(v.at(index[0], index[1], index[2]));
  }
  return static_cast<float>(sum);
}

/// A volume that lies moved and turned about its middle, on a grid that holds it; 0 around it.
std::shared_ptr<const Volume> moved(std::shared_ptr<const Volume> from, const Vec3& shift, const Vec3& turn) {
  if (!from || (shift == Vec3(0) && turn == Vec3(0))) return from;
  const VolumeGrid& g = from->grid;
  const RigidMotion motion{shift, turn, g.center};
  VolumeGrid grid = g;
  grid.center += shift;
  if (turn == Vec3(0)) return std::make_shared<const Volume>(Volume{grid, from->values.clone()});
  Vec3 extent(0);  // half of what its corners span
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 side(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    extent = glm::max(extent, glm::abs(motion.turn() * (0.5 * side * (g.upper() - g.lower()))));
  }
  for (std::size_t a = 0; a < 3; ++a) {
    const int axis = static_cast<int>(a);
    grid.size[a] = static_cast<std::int64_t>(std::ceil(2 * extent[axis] / g.spacing[axis]));
  }
  auto to = std::make_shared<Volume>(grid);
  parallel_for(grid.size[2], [&](std::int64_t k) {
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const Vec3 point = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        to->at(i, j, k) = value_between(*from, (motion.undo(point) - g.first_voxel()) / g.spacing);
      }
  });
  return to;
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
  const Vec3 &move = pet.attenuation_move, &turn = pet.attenuation_turn;
  const std::string map =
      fmt::format("{}, {} {} {}, {} {} {}", pet.attenuation, move.x, move.y, move.z, turn.x, turn.y, turn.z);
  if (const std::string wanted = map + "; " + text(grid); wanted != attenuation_of_) {
    attenuation_ = moved(load_attenuation(pet.attenuation, grid, watch), move, turn);
    attenuation_of_ = wanted;
  }
  const std::string wanted = facts(backend, grid, options, map);
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
