// PETSIRD lists written.
#pragma once

#include <filesystem>
#include <memory>

#include <backlit/io/lists/list_mode_file.hpp>

namespace backlit::formats {

/// Version 0.12: one type of module (a layout's modules, else crystals one by one), whose pairs in coincidence share a
/// symmetry group of efficiency 1; crystals' efficiencies. Time of flight in bins of tof_bin_ps, else of an eighth of
/// the resolution; blocks of up to 100 ms. Events may hold crystals, time, time of flight, a normalisation that is the
/// scanner's pair_efficiency(), and their kind, of which `delayed` is kept. Throws InputError for others, and for more
/// than 4096 modules.
std::unique_ptr<ListModeWriter> create_petsird(const std::filesystem::path&, const Scanner&, const ListModeInfo&);

}  // namespace backlit::formats
