#include "study/probes/cpu_probes.hpp"

#include <atomic>
#include <cstring>
#include <fstream>
#include <memory>
#include <thread>

#include <backlit/core/parallel.hpp>
#include <backlit/data/host_array.hpp>

namespace backlit {
namespace {

typedef double Vector __attribute__((vector_size(64)));

constexpr std::int64_t steps = 20000, tasks_a_thread = 4;

/// Independent chains of x = x a + b.
template <std::int64_t chains>
[[gnu::always_inline]] inline double run_chains(double a, double b) {
  Vector x[chains];
  for (std::int64_t c = 0; c < chains; ++c) x[c] = Vector{} + static_cast<double>(c);
  for (std::int64_t n = 0; n < steps; ++n)
    for (std::int64_t c = 0; c < chains; ++c) x[c] = x[c] * a + b;
  double sum = 0;
  for (std::int64_t c = 0; c < chains; ++c) sum += x[c][0] + x[c][7];
  return sum;
}

#if defined(__x86_64__)
#define BACKLIT_FOR_EACH_CPU __attribute__((target_clones("avx512f", "avx2,fma", "default")))
#else
#define BACKLIT_FOR_EACH_CPU
#endif

// Enough chains to hide an instruction's latency, and few enough to fit the registers: of 512 bits, or pairs of 256.
BACKLIT_FOR_EACH_CPU double eight_chains(double a, double b) { return run_chains<8>(a, b); }
BACKLIT_FOR_EACH_CPU double five_chains(double a, double b) { return run_chains<5>(a, b); }

std::int64_t threads() { return std::max<std::int64_t>(1, std::thread::hardware_concurrency()); }

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace

std::vector<DeviceProbe> CpuProbes::probes(std::int64_t copied_bytes) {
  const std::int64_t tasks = tasks_a_thread * threads();
  std::vector<DeviceProbe> list;
  const auto add_fma = [&](const char* name, std::int64_t chains, double (*run)(double, double)) {
    const double flops = 2.0 * 8 * static_cast<double>(chains * steps * tasks);
    list.push_back({name, "CPU", "GFLOP/s", 1e-9 * flops, [tasks, run] {
                      static std::atomic<double> sink;  // so that the compiler drops nothing
                      parallel_for(tasks, [&](std::int64_t n) {
                        sink.store(run(0.999, 1e-3 * static_cast<double>(n)), std::memory_order_relaxed);
                      });
                    }});
  };
  add_fma("fma", 8, eight_chains);
  add_fma("fma, 5 chains", 5, five_chains);
  const std::int64_t values = std::max<std::int64_t>(copied_bytes / 4, 1);
  const auto from = std::make_shared<HostArray<float>>(values), to = std::make_shared<HostArray<float>>(values);
  const auto copy = [from, to, values] {
    parallel_chunks(values, [&](std::int64_t begin, std::int64_t end) {
      std::memcpy(to->data() + begin, from->data() + begin, static_cast<std::size_t>(4 * (end - begin)));
    });
  };
  list.push_back({"copy", "CPU", "GB/s", 8e-9 * static_cast<double>(values), copy});
  return list;
}

std::vector<std::pair<std::string, std::string>> CpuProbes::facts() {
  return {{"CPU", cpu_name()}, {"threads", std::to_string(threads())}};
}

}  // namespace backlit
