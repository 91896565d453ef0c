// Properties of the kernels named by --variant: options that contradict the name are refused.
#pragma once

#include <string>
#include <vector>

#include <backlit/projectors/ct_options.hpp>

namespace backlit::cuda {

struct NamedKernel {
  const char* name;
  bool packs;          ///< four views a texel
  bool filters;        ///< with the texture's 8-bit weights
  bool half;           ///< reads views as fp16 too
  bool single = true;  ///< reads views as fp32
};

/// Names of the kernels that plans choose from; "exact" interpolates linear views in software.
const std::vector<std::string>& kernel_names();

/// Throws Unsupported, with one line, where precision or packing contradict options.variant. Does nothing where no
/// variant is named.
void require_consistent(const CtOptions& options);
void require_consistent(const CtOptions& options, const NamedKernel&);

}  // namespace backlit::cuda
