// What a PETSIRD file begins with.
#pragma once

namespace backlit::formats {

/// The schema of version 0.12, JSON.
extern const char* const petsird_schema;

}  // namespace backlit::formats
