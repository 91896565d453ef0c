#include <backlit/recon/on_failure.hpp>

#include <fmt/format.h>

#include <backlit/recon/checkpoint.hpp>
#include <backlit/recon/method_options.hpp>
#include "recon/operator_options.hpp"

namespace backlit {

Parameter failure_parameter(std::string& on_failure) {
  std::vector<std::string> names = backend_names();
  names.insert(names.begin(), "stop");
  return {"on_failure",
          &on_failure,
          "when the device is lost or has no room: stop, or go on with another backend, from the last checkpoint of "
          "the run if there is one",
          "",
          0,
          0,
          names};
}

void require_elsewhere(const std::string& backend, const VolumeGrid& grid, const Scan& scan, const Method& method) {
  require_elsewhere(*make_backend(backend), grid, scan, method);
}

void require_elsewhere(Backend& other, const VolumeGrid& grid, const Scan& scan, const Method& method) {
  if (const Support support = method_support(other, grid, scan, method); !support)
    throw Unsupported("on_failure", fmt::format("{} could not go on: {}", other.name(), support.reason));
}

Method elsewhere(Method method, const std::string& checkpoint) {
  auto* const o = method.get<IterationOptions>();
  if (!o) return method;
  o->resume_elsewhere = true;
  if (!checkpoint.empty()) o->resume = checkpoint;
  return method;
}

std::string going_on(const std::string& failed, const DeviceFailure& failure, const std::string& backend,
                     const std::string& checkpoint) {
  const std::string from =
      checkpoint.empty() ? "from the beginning"
                         : fmt::format("from iteration {}, as in {}", Checkpoint(checkpoint).iterations(), checkpoint);
  return fmt::format("{} failed ({}); going on with {} {}", failed, failure.what(), backend, from);
}

}  // namespace backlit
