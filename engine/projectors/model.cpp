#include <backlit/projectors/model.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr Model::Facts voxel_driven_facts{"voxel_driven", "each voxel looks up where it is seen on the detector",
                                          "Xu and Mueller, Phys. Med. Biol. 52 (2007) 3405", nullptr};
constexpr Model::Facts joseph_facts{"joseph", "line integrals through slices, interpolated in each",
                                    "Joseph, IEEE Trans. Med. Imaging 1 (1982) 192", "slice_interpolated"};
constexpr Model::Facts siddon_facts{"siddon", "lengths of the ray in voxels of constant value",
                                    "Siddon, Med. Phys. 12 (1985) 252", "box_line_integrated"};
constexpr Model::Facts raycast_facts{"raycast", "trilinear samples at equal steps along the ray",
                                     "Levoy, IEEE Comput. Graph. Appl. 8 (1988) 29", nullptr};
constexpr Model::Facts blob_facts{
    "blob", "voxels as overlapping round kernels, drawn as splats",
    "Westover, Proc. Chapel Hill Workshop on Volume Visualization (1989) 9; Lewitt, J. Opt. Soc. Am. A 7 (1990) 1834",
    "splat"};
constexpr Model::Facts distance_driven_facts{"distance_driven", "what a detector cell sees of each slab of voxels",
                                             "De Man and Basu, Phys. Med. Biol. 49 (2004) 2463", nullptr};
constexpr Model::Facts branchless_facts{"branchless_dd", "the same from sums, without branches",
                                        "Liu, Fu, De Man and Yu, IEEE Trans. Comput. Imaging 3 (2017) 617", nullptr};
constexpr Model::Facts lines_facts{"lines_of_response", "tubes or thin lines between PET detectors",
                                   "Pratx, Chinn, Olcott and Levin, IEEE Trans. Med. Imaging 28 (2009) 435", nullptr};
constexpr Model::Facts emission_facts{"emission", "activity seen through attenuating and scattering material",
                                      "Bai, Zeng and Gullberg, Phys. Med. Biol. 45 (2000) 1275", nullptr};
constexpr Model::Facts sart_facts{"sart_in_place", "a volume that SART corrects in place, view by view",
                                  "Keck et al., IEEE Nucl. Sci. Symp. Conf. Rec. (2009)", nullptr};

std::vector<Model>& models() {
  static std::vector<Model> all{Model::voxel_driven,  Model::joseph,   Model::raycast,
                                Model::siddon,        Model::blob,     Model::distance_driven,
                                Model::branchless_dd, Model::emission, Model::lines_of_response,
                                Model::sart_in_place};
  return all;
}

bool is_called(const Model::Facts& facts, const std::string& name) {
  return name == facts.name || (facts.old_name && name == facts.old_name);
}

}  // namespace

constexpr Model Model::voxel_driven{&voxel_driven_facts};
constexpr Model Model::joseph{&joseph_facts};
constexpr Model Model::siddon{&siddon_facts};
constexpr Model Model::raycast{&raycast_facts};
constexpr Model Model::blob{&blob_facts};
constexpr Model Model::distance_driven{&distance_driven_facts};
constexpr Model Model::branchless_dd{&branchless_facts};
constexpr Model Model::lines_of_response{&lines_facts};
constexpr Model Model::emission{&emission_facts};
constexpr Model Model::sart_in_place{&sart_facts};

const std::vector<Model>& Model::all() { return models(); }

Model Model::add(const Facts& facts) {
  for (const Model known : models())
    if (is_called(known.facts(), facts.name))
      throw InputError("model", fmt::format("the name '{}' is taken", facts.name), "choose another");
  models().push_back(Model(&facts));
  return models().back();
}

Model model_from(const std::string& name) {
  for (const Model model : models())
    if (is_called(model.facts(), name)) return model;
  std::vector<std::string> names;
  for (const Model model : models()) names.emplace_back(model.facts().name);
  throw InputError("model", fmt::format("unknown value '{}'", name),
                   fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace backlit
