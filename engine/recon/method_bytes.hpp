// Upper bounds of the device memory of operators and methods.
#pragma once

#include <backlit/device/backend.hpp>
#include <backlit/projectors/emission/emission_options.hpp>

namespace backlit {

/// Bytes that an operator takes for `views` views at a time: its plan, two volumes and two sets of these views.
std::int64_t working_bytes(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t views);

/// Bytes of a method and of the largest operator of any model in this precision, so that operators of one precision can
/// share arrays.
std::int64_t bytes_of_a_method(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&);

/// Bytes of a method's arrays and the largest plan: 12 volumes and 6 sets of views. Kept column sums of subsets are not
/// included.
std::int64_t most_bytes_of_a_method(const VolumeGrid&, const Scan&);

/// The same for emission, whose plan has images of the views at work and values of their planes.
std::int64_t most_bytes_of_emission(const VolumeGrid&, const Scan&, const EmissionOptions&);

}  // namespace backlit
