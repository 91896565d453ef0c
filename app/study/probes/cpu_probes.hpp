// The CPU's ceilings and what the system says about it.
#pragma once

#include "study/probes/device_probes.hpp"

namespace backlit {

class CpuProbes final : public ProbedDevice {
 public:
  /// fma in double precision with the widest vectors that the CPU has; copy on all cores.
  std::vector<DeviceProbe> probes(std::int64_t copied_bytes) override;
  std::vector<std::pair<std::string, std::string>> facts() override;
};

}  // namespace backlit
