#include "study/analysis.hpp"

#include <backlit/core/error.hpp>

namespace backlit {

std::vector<CtOptions> analysed_kernels(const Backend& backend, Precision precision) {
  std::vector<CtOptions> kernels = backend.variants(Model::voxel_driven);
  std::erase_if(kernels,
                [&](const CtOptions& k) { return !k.variant.starts_with("kernel_") || k.precision != precision; });
  if (kernels.empty())
    throw Unsupported(backend.name(), "has no kernels A and B to analyse",
                      "use --backend cuda, --precision fast or half");
  return kernels;
}

std::vector<BenchRow> analyse(Backend& backend, const BenchCase& c, const CtOptions& kernel, const BenchData& data,
                              std::int64_t repeats) {
  CtOptions options = kernel;
  options.weighting = Weighting::fdk;
  BenchCase tiny = c;
  tiny.grid.spacing = Vec3(1e-6);
  std::vector<BenchRow> rows;
  const auto time = [&](const char* operation, const BenchCase& scene, const char* left_out) {
    options.variant = kernel.variant + left_out;
    rows.push_back(bench_backprojection(backend, scene, options, data, repeats));
    rows.back().operation = operation;
  };
  time("I|-|-", c, ",instructions");
  time("I|M|-", c, ",no_fetch");
  time("I|M|T, 1e-6 mm", tiny, "");
  time("I|M|T", c, "");
  return rows;
}

}  // namespace backlit
