// The failure after which another device may do the work.
#pragma once

#include <backlit/core/error.hpp>

namespace backlit {

/// A device is lost, or has no room for the work.
class DeviceFailure : public Failure {
 public:
  using Failure::Failure;
};

}  // namespace backlit
