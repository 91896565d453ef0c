// DLPack's exchange functions (DLPack 1.3; torch 2.10 and newer): a library's arrays in numbers at the price of a C
// call.
#pragma once

#include <optional>

#include "strided.hpp"

namespace backlit::python {

/// The array's numbers; nothing where its library has no such functions, or where Backlit has no such values or device.
/// The array owns them.
std::optional<ProgramArray> exchanged_array(nb::handle);

/// The current stream of the array's library on that CUDA device. `array` is one that exchanged_array() knows.
std::uintptr_t exchanged_stream(nb::handle array, int device);

}  // namespace backlit::python
