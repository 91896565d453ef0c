// Properties and speeds of the current device, queried or measured once.
#pragma once

namespace backlit::cuda {

int current_device();

/// Multiprocessors of the current device.
int multiprocessors();

/// Largest number of filtered fetches a second of its texture units: 4 per clock and multiprocessor.
double fetch_rate();

/// Bytes a second from page-locked host memory to the device, measured by one copy. Rounded down to a power of sqrt(2),
/// so that plans made from it are the same in every run.
double upload_rate();

}  // namespace backlit::cuda
