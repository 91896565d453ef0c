// PET from a list of events to an image: lines or tubes, voxels or blobs, all corrections.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include <backlit/core/parameter.hpp>
#include <backlit/data/list_mode.hpp>
#include <backlit/pet/event_lines.hpp>
#include <backlit/pet/sensitivity.hpp>
#include <backlit/projectors/blurred.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/list_mode_em.hpp>

namespace backlit {

struct PetOptions {
  std::int64_t iterations = 3, subsets = 1;
  std::string line = "tube";      ///< or joseph
  std::string tube = "gaussian";  ///< bessel, box, or a file for read_tube_profile()
  double tube_width = 0;          ///< mm, full width at half maximum of a Gaussian; 0: twice the voxels' spacing
  std::string tube_widths{};      ///< of Gaussian tubes by their line's distance from the axis: "0:4,60:5" (mm:mm)
  std::string tube_widths_by = "line";  ///< or ends: by the mean distance of the line's ends from the axis
  double tube_radius = 0;  ///< mm, where tubes end; 0: as wide as a Gaussian's width, 1.5 times the spacing otherwise
  std::string image = "voxels";        ///< or blobs: two grids of them on a body-centred lattice
  double blob_radius = 0;              ///< mm; 0: 1.25 times the spacing
  std::string tof = "auto";            ///< on, off; auto: where events have it
  double tof_resolution = 0;           ///< ps FWHM; 0: the list's
  double tof_cut = 3;                  ///< standard deviations
  std::string tof_bin = "integrated";  ///< or sampled; matters where times are quantised
  bool no_scatter = false, no_randoms = false;
  double psf = 0;                               ///< mm FWHM, image space
  double post_filter = 0;                       ///< mm FWHM of the result
  std::int64_t sensitivity_pairs = 10'000'000;  ///< 0: all
  std::int64_t sensitivity_seed = 1;
  std::int64_t keep_events = 100'000'000;  ///< on the device; longer lists are read again at every iteration
  std::string sums = "auto";  ///< fixed or floating, on CUDA; auto: fixed where every event has a background
  Pipeline pipeline = Pipeline::automatic;  ///< of gl
  bool likelihood = false;
  std::string checkpoint{}, resume{};
  std::int64_t checkpoint_every = 1;
  bool resume_elsewhere = false;  ///< as in IterationOptions

  std::vector<std::array<double, 2>> tube_profile{};  ///< of a tube given by a file; programs read and set it
};

/// Declares the options above for flags, files and widgets.
Parameters describe(PetOptions&);
/// Throws InputError for values out of range and options that contradict each other.
void check(const PetOptions&);

/// Reads the files that options name.
void read_files(PetOptions&);

/// Throws Unsupported or InputError when the backend knows no list mode on this grid, or not such a pipeline.
void require_list_mode(Backend&, const VolumeGrid&, Pipeline = Pipeline::automatic);

/// {distance from the axis, width} of PetOptions::tube_widths, ascending from 0. Throws InputError.
std::vector<std::array<double, 2>> tube_widths_of(const std::string&);

/// Lines of "mm weight", '#' begins a comment. Throws InputError naming file and line.
std::vector<std::array<double, 2>> read_tube_profile(const std::string& file);

/// Everything that a reconstruction of a list needs, found once.
class PetProblem {
 public:
  /// `attenuation`: 1/mm, any grid; null: none.
  PetProblem(Backend&, std::shared_ptr<ListModeSource>, const Scanner&, const VolumeGrid&, const PetOptions&,
             std::shared_ptr<const Volume> attenuation);

  /// The sensitivity of the image's values, in events per s; computed at the first call.
  const Sensitivity& sensitivity(const Watch& = {});
  /// Makes it of these pairs (load_normalisation()), not of the scanner's.
  void set_normalisation(std::shared_ptr<ListModeSource> pairs) { normalisation_ = std::move(pairs); }
  /// Takes one that was computed before, of the same image.
  void set_sensitivity(Sensitivity s) { sensitivity_ = std::move(s); }
  /// The one that was computed or set; nothing before that.
  const std::optional<Sensitivity>& known_sensitivity() const { return sensitivity_; }
  /// Of the voxels, for files and eyes.
  Volume sensitivity_image();

  /// Counts and reads the events. The problem must outlive the reconstruction.
  std::unique_ptr<ListModeEm> reconstruction(const Watch& = {});

  std::int64_t events() const { return events_; }
  bool with_tof() const { return model_.tof; }
  /// Converts the image's arrays to voxels.
  Volume show(std::span<const float> values) const;

 private:
  std::unique_ptr<LinearOperator> make_lines(const LineList&, bool bounded) const;
  std::vector<std::uint8_t> kernels_of(const LineList&) const;
  std::vector<VolumeGrid> grids() const;
  RunFacts facts() const;

  Backend& backend_;
  std::shared_ptr<ListModeSource> source_;
  const Scanner& scanner_;
  VolumeGrid grid_;
  PetOptions options_;
  std::shared_ptr<const Volume> attenuation_;
  std::shared_ptr<ListModeSource> normalisation_;
  LineOptions line_;
  std::shared_ptr<GaussianBlur> psf_;
  std::vector<double> kernel_from_;  ///< mm from the axis: where each of the line's kernels begins; empty: one kernel
  EventModel model_;
  std::optional<Sensitivity> sensitivity_;
  std::int64_t events_ = 0;
};

}  // namespace backlit
