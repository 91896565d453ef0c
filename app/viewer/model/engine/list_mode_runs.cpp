#include "model/engine/list_mode_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/geometry/rigid_motion.hpp>
#include <backlit/pet/attenuation.hpp>
#include <backlit/render/plane.hpp>

namespace backlit::viewer {
namespace {

std::string text(const VolumeGrid& g) {
  return fmt::format("{} {} {}, {} {} {}, {} {} {}", g.size[0], g.size[1], g.size[2], g.spacing.x, g.spacing.y,
                     g.spacing.z, g.center.x, g.center.y, g.center.z);
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
  grid.spacing.x = grid.spacing.y = std::min(g.spacing.x, g.spacing.y);  // pixels of planes are squares
  for (std::size_t a = 0; a < 3; ++a) {
    const int axis = static_cast<int>(a);
    grid.size[a] = static_cast<std::int64_t>(std::ceil(2 * extent[axis] / grid.spacing[axis]));
  }
  auto to = std::make_shared<Volume>(grid);
  const double middle_x = 0.5 * static_cast<double>(grid.size[0] - 1),
               middle_y = 0.5 * static_cast<double>(grid.size[1] - 1);
  const auto slice = static_cast<std::size_t>(grid.size[0] * grid.size[1]);
  CutPlane plane{.pixel = grid.spacing.x, .width = grid.size[0], .height = grid.size[1]};
  plane.right = motion.undo_direction(Vec3(1, 0, 0));
  plane.up = motion.undo_direction(Vec3(0, -1, 0));  // the first row has the least y
  for (std::int64_t k = 0; k < grid.size[2]; ++k) {
    plane.center = motion.undo(grid.voxel_center(middle_x, middle_y, static_cast<double>(k)));
    cut_volume(*from, plane, to->values.span().subspan(static_cast<std::size_t>(k) * slice, slice));
  }
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
