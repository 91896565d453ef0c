#include <backlit/recon/methods/sart.hpp>

#include "recon/methods/methods.hpp"
#include "recon/subset_relaxation.hpp"

namespace backlit {

Parameters SartOptions::parameters() {
  Parameters list = BackModelOptions::parameters();
  append(list, describe(static_cast<RelaxationOptions&>(*this)));
  list.push_back(subset_order_parameter(subset_order));
  return list;
}

MethodInfo sart_method() {
  return announce<SartOptions>({.name = "sart",
                                .title = "Simultaneous algebraic reconstruction, view by view",
                                .paper = "Andersen, Kak, Ultrasonic Imaging 6 (1984) 81",
                                .about = "Few or noisy views; some ten iterations with a relaxation below 1.",
                                .usual = {"iterations", "relaxation", "nonnegative"}},
                               [](const ReconInput& input, const SartOptions& options) {
                                 const SubsetOptions views{input.source->scan().view_count(), options.subset_order};
                                 return std::make_unique<SubsetRelaxation>(input, options, views, options);
                               });
}

}  // namespace backlit
