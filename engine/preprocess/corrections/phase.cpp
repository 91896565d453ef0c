// Phase retrieval of an object of one material, from one distance.
#include <fftw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/phase.hpp"
#include "preprocess/filter/row_convolution.hpp"

namespace backlit {
namespace {

/// Filters images by cosine transform, as if mirrored at their edges. Thread safe once made.
class Filter {
 public:
  Filter(const Detector& d, const Propagation& propagation)
      : pixels_(d.pixels()), factor_(static_cast<std::size_t>(pixels_)) {
    const double gain = static_cast<double>(pixels_) * (d.rows > 1 ? 4 : 2);  // of both transforms together
    for (std::int64_t j = 0; j < d.rows; ++j)
      for (std::int64_t i = 0; i < d.columns; ++i)
        factor_[static_cast<std::size_t>(j * d.columns + i)] =
            static_cast<float>(paganin_factor<double>(i, j, d.columns, d.rows, propagation) / gain);
    const auto image = scratch();
    const std::lock_guard lock(fftw_planner());
    const auto plan = [&](fftw_r2r_kind kind) {
      const int columns = static_cast<int>(d.columns), rows = static_cast<int>(d.rows);
      return rows > 1 ? fftwf_plan_r2r_2d(rows, columns, image.get(), image.get(), kind, kind, FFTW_ESTIMATE)
                      : fftwf_plan_r2r_1d(columns, image.get(), image.get(), kind, FFTW_ESTIMATE);
    };
    forward_ = plan(FFTW_REDFT10);
    backward_ = plan(FFTW_REDFT01);
  }
  ~Filter() {
    const std::lock_guard lock(fftw_planner());
    fftwf_destroy_plan(forward_);
    fftwf_destroy_plan(backward_);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  void run(std::span<float> view) const {
    const auto image = scratch();
    std::ranges::copy(view, image.get());
    fftwf_execute_r2r(forward_, image.get(), image.get());
    for (std::size_t k = 0; k < factor_.size(); ++k) image[k] *= factor_[k];
    fftwf_execute_r2r(backward_, image.get(), image.get());
    std::copy_n(image.get(), pixels_, view.begin());
  }

 private:
  using Scratch = std::unique_ptr<float[], void (*)(void*)>;
  Scratch scratch() const { return {fftwf_alloc_real(static_cast<std::size_t>(pixels_)), fftwf_free}; }

  std::int64_t pixels_;
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
