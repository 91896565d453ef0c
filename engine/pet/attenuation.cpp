#include <backlit/pet/attenuation.hpp>

#include <algorithm>

#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit {

std::shared_ptr<const Volume> load_attenuation(const std::string& name, const VolumeGrid& grid, const Watch& watch) {
  if (name.empty()) return nullptr;
  const auto shipped = shipped_phantoms();
  const bool phantom = std::ranges::find(shipped, name) != shipped.end() || name.ends_with(".phantom.toml");
  return std::make_shared<const Volume>(phantom ? voxelize(load_phantom(name), grid, 2, watch)
                                                : load_volume(name, watch));
}

}  // namespace backlit
