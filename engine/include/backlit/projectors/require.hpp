// Checks of options, grids and scans before an operator is made.
#pragma once

#include <backlit/device/backend.hpp>
#include <backlit/projectors/emission/emission_options.hpp>
#include <backlit/projectors/lines_of_response/line_options.hpp>

namespace backlit {

/// Throws Unsupported where Backend::make_ct() would: no such model, precision, packing or choice on this backend, a
/// grid or a scan that the projector cannot serve. Makes no operator.
void require_supported(Backend&, const VolumeGrid&, const Scan&, const CtOptions&);

/// Throws Unsupported where the backend has no projector of the model and the variant, or this has not the precision,
/// the packing, or a choice that differs from its default.
void require_choices(const Backend&, const CtOptions&);

/// Throws when options and grid do not go together on any backend: raycast's step, blob of a single slice.
void require_sound(const VolumeGrid&, const CtOptions&);

/// Throws when grid, scan, attenuation and options do not go together on any backend: curved detectors, a source within
/// the grid, an array of another size, values below 0 or not finite, a scatter below 0.
void require_sound(const VolumeGrid&, const Scan&, std::span<const float> attenuation, const EmissionOptions&);

}  // namespace backlit
