#include "recon/operator_options.hpp"

namespace backlit {

CtOptions operator_options(const OperatorOptions& options, Model automatic) {
  CtOptions ct = options.choices;
  ct.model = options.model == "auto" ? automatic : model_from(options.model);
  ct.precision = options.precision;
  ct.packing = options.packing;
  return ct;
}

}  // namespace backlit
