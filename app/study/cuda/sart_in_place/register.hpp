#pragma once

#include <backlit/projectors/projector.hpp>

namespace backlit::cuda {

/// The representations of representations.hpp, each alone and with ",matched".
ProjectorInfo studied_sart_in_place();

}  // namespace backlit::cuda
