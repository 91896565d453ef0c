#include <backlit/recon/methods/sirt.hpp>

#include "recon/methods/methods.hpp"
#include "recon/subset_relaxation.hpp"

namespace backlit {

Parameters SirtOptions::parameters() {
  Parameters list = BackModelOptions::parameters();
  append(list, describe(static_cast<RelaxationOptions&>(*this)));
  return list;
}

MethodInfo sirt_method() {
  return announce<SirtOptions>({.name = "sirt",
                                .title = "Simultaneous iterative reconstruction",
                                .paper = "Gregor, Benson, IEEE Trans. Med. Imaging 27 (2008) 918",
                                .about = "Few or noisy views; robust and slow, some hundred iterations.",
                                .usual = {"iterations", "relaxation", "nonnegative"}},
                               [](const ReconInput& input, const SirtOptions& options) {
                                 return std::make_unique<SubsetRelaxation>(input, options, SubsetOptions{}, options);
                               });
}

}  // namespace backlit
