// What a name given by --variant promises: the name decides, and what contradicts it is refused.
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

/// Throws Unsupported in one line where the precision or the packing asked for is not what options.variant does.
/// Nothing to say where no variant is named.
void require_consistent(const CtOptions& options);
void require_consistent(const CtOptions& options, const NamedKernel&);

}  // namespace backlit::cuda
