// Columns that stand out of their row, as the host's preprocess/corrections/stripes.hpp finds them.
#pragma once

#include "cuda/device/launch.hpp"
#include "preprocess/corrections/stripes.hpp"

namespace backlit::cuda {

/// Whether the device searches rows of so many columns.
bool searches(std::int64_t columns);

/// Lists have a value for each column, [row][column]. Marks have the same places; neighbours of what is found are
/// marked, too. `found` grows by the number found.
void mark_large_columns(Stream&, const float* offsets, int columns, int rows, double snr, char* marks, unsigned* found);
void mark_dead_columns(Stream&, const float* unrest, int columns, int rows, double snr, char* marks, unsigned* found);

/// The same as bridge_columns(), in any order. `count` grows by their number.
void bridge_columns(Stream&, const char* marks, int columns, int rows, ColumnBridge* bridges, unsigned* count);

}  // namespace backlit::cuda
