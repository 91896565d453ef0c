// What the current device can do, asked or measured once.
#pragma once

namespace backlit::cuda {

/// Multiprocessors of the current device.
int multiprocessors();

/// Filtered fetches a second that its texture units can do at most: 4 a clock and multiprocessor.
double fetch_rate();

/// Bytes a second from page-locked host memory to it, measured by one copy; rounded down to a power of sqrt(2), so that
/// what is planned by it is the same at every run.
double upload_rate();

}  // namespace backlit::cuda
