#include <backlit/recon/methods/iterative_fdk.hpp>

#include "recon/fdk/iterative_fdk.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters IterativeFdkOptions::parameters() {
  Parameters list{iterations_parameter(iterations)};
  append(list, describe(static_cast<RelaxationOptions&>(*this)));
  append(list, FilteredOptions::parameters());
  return list;
}

std::vector<Model> IterativeFdkOptions::models() const {
  return {Model::voxel_driven, model == "auto" ? Model::joseph : model_from(model)};
}

MethodInfo iterative_fdk_method() {
  return announce<IterativeFdkOptions>(
      {.name = "ifdk",
       .title = "Iterative filtered backprojection",
       .paper = "Zeng, Gullberg, IEEE Trans. Med. Imaging 19 (2000) 548",
       .about = "Takes back what a cone beam, few views or a window distort in FDK; a few iterations do.",
       .usual = {"filter", "cutoff", "iterations", "relaxation", "nonnegative"}},
      [](const ReconInput& input, const IterativeFdkOptions& options) {
        return std::make_unique<IterativeFdk>(input, options);
      });
}

}  // namespace backlit
