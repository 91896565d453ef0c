// The one place that says "this backend does not offer that; it offers these".
#pragma once

#include <backlit/device/backend.hpp>

namespace backlit {

/// Throws Unsupported, listing what is offered, unless `variant` is empty or one of `offered`.
void require_variant(const Backend&, const std::string& variant, const std::vector<std::string>& offered);

/// Throws when options and grid do not go together on any backend: raycast's step, blob of a single slice.
void require_sound(const VolumeGrid&, const CtOptions&);

/// Throws when grid, scan, attenuation and options do not go together on any backend: curved detectors, a source within
/// the grid, an array of another size, values below 0 or not finite, a scatter below 0.
void require_sound(const VolumeGrid&, const Scan&, std::span<const float> attenuation, const EmissionOptions&);

}  // namespace backlit
