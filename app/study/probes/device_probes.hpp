// What a device can do at best, measured on the spot by the smallest programs that do one thing: for studies that say
// how near to a limit something comes.
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
  std::string architecture;   ///< through which: "fragment", "compute", "CUDA", "CPU"
  std::string unit;           ///< "G fetches/s", "GB/s", "GFLOP/s"
  double work = 0;            ///< of one run, in 1e9 of the unit
  std::function<void()> run;  ///< gives the device its work; finish() of its backend waits
};

/// What can be probed of a backend.
class ProbedDevice {
 public:
  virtual ~ProbedDevice() = default;
  /// Probes live as long as they are kept. `copied_bytes`: size of what is copied, larger than a cache or not.
  virtual std::vector<DeviceProbe> probes(std::int64_t copied_bytes) = 0;
  /// The device in words: processors, clocks, versions.
  virtual std::vector<std::pair<std::string, std::string>> facts() = 0;
};

/// Adds probes for the backend of that name; cpu and gl have theirs. The function gets the device's own backend, which
/// outlives what it returns.
void register_probes(const std::string& backend, std::function<std::unique_ptr<ProbedDevice>(Backend&)>);

}  // namespace backlit
