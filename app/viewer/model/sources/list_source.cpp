#include "model/sources/list_source.hpp"

#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/pet/default_grid.hpp>
#include <backlit/pet/simulate.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit::viewer {
namespace {

constexpr std::int64_t most_drawn = 4000;  // crystals

Source list_source_of(const std::string& path, ListModeFile file, const VolumeGrid& grid, const Watch& watch) {
  auto facts = std::make_shared<ListFacts>();
  facts->info = file.events->info();
  facts->scanner = file.scanner.name;
  facts->crystals = file.scanner.crystals();
  facts->absolute = file.scanner.crystal_mm.x > 0;
  const std::int64_t stride = 1 + file.scanner.crystals() / most_drawn;
  for (std::int64_t i = 0; i < file.scanner.crystals(); i += stride)
    facts->ring.push_back(file.scanner.position[static_cast<std::size_t>(i)]);
  facts->summary = summarize(*file.events, file.scanner, watch);
  file.events->rewind();
  auto info = std::make_shared<SourceInfo>();
  info->kind = SourceInfo::Kind::list_mode;
  info->path = path;
  info->grid = grid;
  info->list = facts;
  auto list = std::make_shared<ListSource>(ListSource{std::move(file.scanner), std::move(file.events)});
  return {info, nullptr, nullptr, list};
}

/// 2,304 crystals of 2 x 4 mm, 12 cm from the axis, with times to 200 ps.
Scanner small_ring() {
  RingLayout ring;
  ring.modules = 48;
  ring.module_crystals = 8;
  ring.module_rings = 6;
  ring.face_radius_mm = 124;
  ring.pitch_mm = 2;
  ring.ring_spacing_mm = 4;
  ring.layers_mm = {20};
  ring.mean_depth_mm = 8;
  Scanner scanner = make_ring_scanner("small ring", ring, {.min_angle_deg = 130, .max_axial_mm = 1e9}, list_demo);
  scanner.tof_fwhm_ps = 200;
  return scanner;
}

/// The region of the rods with a margin.
VolumeGrid small_grid() { return {{56, 56, 12}, Vec3(2), Vec3(0)}; }

}  // namespace

Source open_list(const std::string& path, const PetState& pet, const Watch& watch) {
  ListModeOptions options;
  options.scanner = pet.scanner;
  options.flip_tof = pet.flip_tof;
  ListModeFile file = load_list_mode(path, options);
  const VolumeGrid grid = default_pet_grid(file.scanner, file.events->info().places);
  return list_source_of(path, std::move(file), grid, watch);
}

Source open_list_demo(const Watch& watch) {
  const Scanner scanner = small_ring();
  ListModeSimulation simulation;
  simulation.counts = 2e5;
  simulation.random_fraction = 0.1;
  EventList all;
  simulate_list_mode(
      scanner, scaled(load_phantom("derenzo"), 0.5), nullptr, simulation,
      [&](const EventList& events) { all.append(events, 0, events.size()); }, watch);
  ListModeInfo info = simulated_info(scanner, simulation);
  info.format = "simulated";
  info.events = all.size();
  return list_source_of(list_demo, {scanner, std::make_unique<MemoryListMode>(info, std::move(all))}, small_grid(),
                        watch);
}

}  // namespace backlit::viewer
