#include "study/cuda/sart_in_place/register.hpp"

#include <algorithm>

#include "cuda/device/cuda_backend.hpp"
#include "cuda/sart_in_place/view_sart.hpp"
#include "study/cuda/sart_in_place/representations.hpp"

namespace backlit::cuda {
namespace {

constexpr const char* matched = ",matched";

const std::vector<std::string>& variants() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const char* name : {"pitch2d", "surface3d", "texture3d", "texture3d,copy", "array2d", "array2d,copy"})
      for (const char* pair : {"", matched}) all.push_back(std::string(name) + pair);
    return all;
  }();
  return names;
}

}  // namespace

ProjectorInfo studied_sart_in_place() {
  ProjectorInfo info = *find_projector("cuda", Model::sart_in_place);
  info.studied = true;
  info.in_place_variants = variants();
  info.knows = [](const std::string& name) { return std::ranges::find(variants(), name) != variants().end(); };
  info.make_in_place = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const ViewSartOptions& options) {
    auto& cuda = dynamic_cast<CudaBackend&>(backend);
    std::string name = options.variant;
    const bool pair = name.ends_with(matched);
    if (pair) name.resize(name.size() - std::string(matched).size());
    return make_view_sart(cuda, grid, scan, pair || options.matched,
                          make_represented_volume(cuda.stream(), grid, name));
  };
  return info;
}

}  // namespace backlit::cuda
