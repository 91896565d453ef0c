// The CPU's ceilings and the system's data about it.
#pragma once

#include "study/probes/device_probes.hpp"

namespace backlit {

class CpuProbes final : public ProbedDevice {
 public:
  /// fma in double precision with the CPU's widest vectors; copy on all cores.
  std::vector<DeviceProbe> probes(std::int64_t copied_bytes) override;
  std::vector<std::pair<std::string, std::string>> facts() override;
};

}  // namespace backlit
