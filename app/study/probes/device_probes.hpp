// Peak rates of a device, measured with minimal programs that each exercise one unit. Studies compare their cells with
// these rates.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backlit {

class Backend;

struct DeviceProbe {
  std::string name;           ///< "bilinear r32f", "copy", "fma"
  std::string architecture;   ///< pipeline used: "fragment", "compute", "CUDA", "CPU"
  std::string unit;           ///< "G fetches/s", "GB/s", "GFLOP/s"
  double work = 0;            ///< work of one run, in 1e9 of the unit
  std::function<void()> run;  ///< submits the work to the device; finish() of its backend waits
};

/// Probes of a backend.
class ProbedDevice {
 public:
  virtual ~ProbedDevice() = default;
  /// Makes the probes, which own their data. `copied_bytes`: size of the copied data, larger than a cache or not.
  virtual std::vector<DeviceProbe> probes(std::int64_t copied_bytes) = 0;
  /// Facts about the device: processors, clocks, versions.
  virtual std::vector<std::pair<std::string, std::string>> facts() = 0;
};

/// Registers probes for the backend of that name; cpu and gl have theirs. The function receives the device's own
/// backend, which outlives the result.
void register_probes(const std::string& backend, std::function<std::unique_ptr<ProbedDevice>(Backend&)>);

}  // namespace backlit
