#include "study/analysis.hpp"

namespace backlit {

const std::vector<std::string>& analysed_kernels() {
  static const std::vector<std::string> names{"kernel_a,i1,k4",   "kernel_a,i4,k8",       "kernel_a,i16,k8",
                                              "kernel_a,i64,k8",  "kernel_b,i16,k4",      "kernel_b,i64,k8",
                                              "kernel_b,i64,k16", "kernel_b,i64,k16,sync"};
  return names;
}

std::vector<BenchRow> analyse(Backend& backend, const BenchCase& c, const std::string& kernel, const BenchData& data,
                              std::int64_t repeats) {
  CtOptions options;
  options.packing = Packing::none;
  options.weighting = Weighting::fdk;
  BenchCase tiny = c;
  tiny.grid.spacing = Vec3(1e-6);
  std::vector<BenchRow> rows;
  const auto time = [&](const char* operation, const BenchCase& scene, const char* left_out) {
    options.variant = kernel + left_out;
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
