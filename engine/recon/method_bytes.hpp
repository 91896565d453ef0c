// Device memory that operators and methods take at most.
#pragma once

#include <backlit/device/backend.hpp>
#include <backlit/projectors/emission/emission_options.hpp>

namespace backlit {

/// Bytes that an operator takes while it works on `views` views at a time: its plan, and two of each array.
std::int64_t working_bytes(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t views);

/// Bytes of a method and an operator of any model and this precision, so that operators of one precision may work on
/// each other's arrays.
std::int64_t bytes_of_a_method(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&);

/// Bytes of a method's arrays and the largest plan: 12 volumes and 6 sets of views. Column sums of subsets that are
/// kept come on top.
std::int64_t most_bytes_of_a_method(const VolumeGrid&, const Scan&);

/// The same for emission, whose plan has images of the views at work, and the values that their planes are given.
std::int64_t most_bytes_of_emission(const VolumeGrid&, const Scan&, const EmissionOptions&);

}  // namespace backlit
