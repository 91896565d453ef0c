// Phase retrieval of an object of one material, from one distance.
#include <fftw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/phase.hpp"
#include "preprocess/filter/row_convolution.hpp"

namespace backlit {
namespace {

/// Filters images by FFT. Thread safe once made.
class Filter {
 public:
  Filter(const Detector& d, const Propagation& propagation)
      : size_(d), factor_(static_cast<std::size_t>(size_.height * (size_.width / 2 + 1))) {
    for (std::int64_t j = 0; j < size_.height; ++j)
      for (std::int64_t i = 0; i <= size_.width / 2; ++i)
        factor_[static_cast<std::size_t>(j * (size_.width / 2 + 1) + i)] = size_.factor(i, j, propagation);
    const auto scratch = make_scratch();
    const std::lock_guard lock(fftw_planner());
    forward_ = fftwf_plan_dft_r2c_2d(static_cast<int>(size_.height), static_cast<int>(size_.width), scratch.image.get(),
                                     scratch.spectrum.get(), FFTW_ESTIMATE);
    backward_ = fftwf_plan_dft_c2r_2d(static_cast<int>(size_.height), static_cast<int>(size_.width), scratch.spectrum.get(),
                                      scratch.image.get(), FFTW_ESTIMATE);
  }
  ~Filter() {
    const std::lock_guard lock(fftw_planner());
    fftwf_destroy_plan(forward_);
    fftwf_destroy_plan(backward_);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  void run(std::span<float> image) const {
    const auto scratch = make_scratch();
    float* const padded = scratch.image.get();
    for (std::int64_t j = 0; j < size_.height; ++j)
      for (std::int64_t i = 0; i < size_.width; ++i) {
        const std::int64_t row = MirroredImage::folded(j, size_.rows, size_.height),
                           column = MirroredImage::folded(i, size_.columns, size_.width);
        padded[j * size_.width + i] = image[static_cast<std::size_t>(row * size_.columns + column)];
      }
    fftwf_execute_dft_r2c(forward_, padded, scratch.spectrum.get());
    for (std::size_t k = 0; k < factor_.size(); ++k) {
      scratch.spectrum.get()[k][0] *= factor_[k];
      scratch.spectrum.get()[k][1] *= factor_[k];
    }
    fftwf_execute_dft_c2r(backward_, scratch.spectrum.get(), padded);
    for (std::int64_t j = 0; j < size_.rows; ++j)
      std::copy_n(padded + j * size_.width, size_.columns, image.begin() + j * size_.columns);
  }

 private:
  struct Scratch {
    std::unique_ptr<float[], void (*)(void*)> image;
    std::unique_ptr<fftwf_complex[], void (*)(void*)> spectrum;
  };
  Scratch make_scratch() const {
    return {{fftwf_alloc_real(static_cast<std::size_t>(size_.width * size_.height)), fftwf_free},
            {fftwf_alloc_complex(factor_.size()), fftwf_free}};
  }
  MirroredImage size_;
  std::vector<float> factor_;
  fftwf_plan forward_, backward_;
};

std::string retrieve_phase(Projections& p, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  const Propagation propagation = propagation_of(p.scan, o);
  const Filter filter(p.scan.detector, propagation);
  in_batches(watch, "phase", p.scan.view_count(), p.scan.detector.pixels(), "views",
             [&](std::int64_t first, std::int64_t count) {
               parallel_for(count, [&](std::int64_t i) {
                 const auto view = p.view(first + i);
                 for (float& v : view) v = std::exp(-v);
                 filter.run(view);
                 for (float& v : view) v = -std::log(std::max(v, least_transmission));
               });
             });
  return spread_text(propagation);
}

}  // namespace

Propagation propagation_of(const Scan& scan, const CorrectionOptions& o) {
  if (!(o.phase_energy > 0))
    throw InputError("phase_energy", "phase retrieval takes the energy of the beam", "give it in keV");
  const Detector& d = scan.detector;
  double distance = o.phase_distance, magnification = 1;
  if (scan.beam() == Beam::cone) {
    const View& view = scan.views.front();
    const double whole = detector_normal(view).distance, to_object = glm::length(point_on_axis(view) - view.source);
    magnification = whole / to_object;
    if (distance == 0) distance = whole - to_object;
  }
  if (!(distance > 0))
    throw InputError("phase_distance", "phase retrieval takes the distance from object to detector", "give it in mm");
  constexpr double kev_mm = 1.2398419843320026e-6;  // h c
  const double wavelength = kev_mm / o.phase_energy;
  return {distance / magnification * wavelength * o.phase_ratio / (4 * pi), d.pixel_u / magnification,
          d.pixel_v / magnification};
}

std::string spread_text(const Propagation& p) {
  return fmt::format("a point spreads over {:.3g} pixels", std::sqrt(p.strength) / p.pixel_u);
}

MirroredImage::MirroredImage(const Detector& d)
    : columns(d.columns),
      rows(d.rows),
      width(fast_length(2 * d.columns)),
      height(d.rows > 1 ? fast_length(2 * d.rows) : 1) {}

namespace correction {

Correction phase() {
  return {"phase_ratio",
          "phase contrast",
          "Paganin et al., Simultaneous phase and amplitude extraction from a single defocused image of a homogeneous "
          "object, J. Microsc. 206 (2002) 33",
          {"phase_ratio", "phase_energy", "phase_distance"},
          false,
          [](const CorrectionOptions& o) { return o.phase_ratio > 0; },
          retrieve_phase};
}

}  // namespace correction

}  // namespace backlit
