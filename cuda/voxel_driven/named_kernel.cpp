#include "cuda/voxel_driven/named_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include <backlit/core/error.hpp>

namespace backlit::cuda {
namespace {

constexpr NamedKernel kernels[] = {{"general", false, true, true}, {"columns", false, true, true},
                                   {"orbit", true, true, true},    {"orbit_fine", true, false, true},
                                   {"exact", false, false, false}, {"maps", false, true, true}};

}  // namespace

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const NamedKernel& k : kernels) all.emplace_back(k.name);
    return all;
  }();
  return names;
}

void require_consistent(const CtOptions& options) {
  if (options.variant.empty()) return;
  const auto* k = std::ranges::find_if(kernels, [&](const NamedKernel& one) { return options.variant == one.name; });
  if (k != std::end(kernels)) require_consistent(options, *k);
}

void require_consistent(const CtOptions& options, const NamedKernel& k) {
  if (options.packing == Packing::orbit && !k.packs)
    throw Unsupported("variant", fmt::format("{} does not pack views", options.variant),
                      "leave out `packing` orbit, or choose `variant` orbit");
  if (options.packing == Packing::none && k.packs)
    throw Unsupported("variant", fmt::format("{} packs four views a texel", options.variant),
                      "leave out `packing` none");
  if (options.precision == Precision::exact && k.filters)
    throw Unsupported("variant", fmt::format("{} filters with 8-bit weights, which is not exact", options.variant),
                      "use `precision` fast, or `variant` exact or orbit_fine");
  if (options.precision == Precision::half && !k.half)
    throw Unsupported("variant", fmt::format("{} reads fp32 views", options.variant), "use `precision` fast or exact");
  if (options.precision != Precision::half && !k.single)
    throw Unsupported("variant", fmt::format("{} packs views as fp16", options.variant), "use `precision` half");
}

}  // namespace backlit::cuda
