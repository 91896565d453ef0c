// What a name given by --variant promises: the name decides, and what contradicts it is refused.
#pragma once

#include <string>
#include <vector>

#include <backlit/projectors/ct_options.hpp>

namespace backlit::cuda {

/// Names of all backprojection kernels, those to study included; "exact" interpolates linear views in software.
const std::vector<std::string>& kernel_names();

/// Whether the kernel reads views as fp16 too; others interpolate in software from linear fp32.
bool takes_half(const std::string& name);

/// Throws Unsupported in one line where the precision or the packing asked for is not what options.variant does.
/// Nothing to say where no variant is named.
void require_consistent(const CtOptions& options);

}  // namespace backlit::cuda
