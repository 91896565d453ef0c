// FDK's filter on the device, by Fourier transform.
#pragma once

#include <memory>

#include <backlit/preprocess/filter_options.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>

namespace backlit::cuda {

class CudaBackend;

/// Null where the host filter must do the work: curved detectors (their own ramp), rows that are continued beyond their
/// ends, and views that are differential or already filtered.
std::unique_ptr<ProjectionFilter> make_cuda_filter(CudaBackend&, const Scan&, const FilterOptions&);

}  // namespace backlit::cuda
