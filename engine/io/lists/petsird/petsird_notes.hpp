// What `backlit info` lists of a header of PETSIRD: values that were taken, and fields that were not.
#pragma once

#include "io/header_fields.hpp"
#include "io/lists/petsird/petsird_header.hpp"

namespace backlit::formats {

/// Adds what was read to `fields`, and each field of the header that nobody asked for.
void note_petsird(const PetsirdHeader&, const YardlValue& header, HeaderFields& fields);

}  // namespace backlit::formats
