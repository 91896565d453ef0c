// A reconstruction that can be watched, stepped and stopped. The programs and the viewer run the same loop.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include <backlit/core/parameter.hpp>
#include <backlit/core/timeline.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/device/display_volume.hpp>
#include <backlit/preprocess/filter_options.hpp>

namespace backlit {

/// How far a reconstruction is, in its own unit of work.
struct ReconProgress {
  std::string stage;  ///< "backproject", "iterate"
  std::int64_t done = 0;
  std::int64_t total = 0;
  std::string unit;  ///< "views"
  std::int64_t iteration = 0;
};

class Reconstruction {
 public:
  enum class Status { more, iteration_done, finished };

  virtual ~Reconstruction() = default;

  /// Advances by at most one work item (some views, about 20 ms where the device allows).
  virtual Status step() = 0;
  virtual ReconProgress progress() const = 0;
  /// One number an iteration: the norm of the data residual over the norm of the data. Empty for direct methods.
  virtual std::span<const double> residuals() const = 0;
  /// The rule that ended the iterations before their number was reached, in words; empty otherwise.
  virtual std::string stopped_by() const { return {}; }
  /// Shows the volume as it stands after the last work item.
  virtual void publish(DisplayVolume&) = 0;
  /// The volume of the last finished iteration (direct methods: of the views so far).
  virtual Volume download() = 0;
  /// Seconds by stage so far: read, filter, upload, backproject, ...
  virtual const std::map<std::string, double>& seconds() const = 0;
  /// When each stage ran; empty where that is not kept.
  virtual Timeline timeline() { return {}; }
  /// The variant of the operator in use, for reports.
  virtual std::string variant() const = 0;
  /// Bytes that the volume takes on the device in all its copies, where the method says so; else 0.
  virtual std::int64_t volume_bytes() const { return 0; }
};

struct ReconOptions {
  std::string method = "fdk";
  std::string model = "auto";          ///< auto: voxel_driven for fdk, joseph for iterative methods, ifdk too
  std::string back_model = "matched";  ///< or a model whose back() stands in for the transpose (sirt to osem)
  std::string precision = "fast";
  std::string packing = "auto";
  std::string variant{};
  std::string back_variant{};  ///< of back_model
  std::int64_t iterations = 20;
  std::int64_t subsets = 1;
  std::string subset_order = "bit_reversed";  ///< sequential, golden
  double relaxation = 1.0;
  double relaxation_decay = 0;  ///< of pwls with subsets: iteration n, from 0, takes relaxation / (1 + this n)
  bool nonnegative = false;
  std::string preconditioner = "diagonal";  ///< of pcg; or none
  std::string mask{};                       ///< "cylinder", or a name for mask_volume
  std::string initial{};                    ///< "fdk", or a name for initial_volume
  std::string weights = "none";             ///< of pwls: transmission, exp(-b)
  std::string penalty = "none";             ///< of pwls: qggmrf, tv
  double strength = 0.01;                   ///< of the penalty, as a share of the data's curvature
  double penalty_p = 2, penalty_q = 1.2;    ///< qggmrf: powers of small and of large differences
  double penalty_edge = 2e-4;               ///< difference from which on edges are kept, 1/mm
  double stop_residual = 0;                 ///< iterations end when the relative residual is no larger; 0: they do not
  double noise = 0;          ///< ... when the root mean square residual is no larger than this; 0: they do not
  std::string checkpoint{};  ///< file that takes the state of every `checkpoint_every`-th iteration and of the last
  std::int64_t checkpoint_every = 10;
  std::string resume{};      ///< checkpoint to go on from
  EmissionWords emission{};  ///< for model "emission"
  FilterOptions filter{};

  // What the names above stand for, on the grid of the reconstruction; whoever reads files fills them in.
  std::shared_ptr<const Volume> mask_volume{};         ///< voxels that are not 0 are reconstructed
  std::shared_ptr<const Volume> initial_volume{};      ///< where iterations start
  std::shared_ptr<const Volume> attenuation_volume{};  ///< for emission; null: nothing attenuates
};

/// Declares the options above (and the filter's) for flags, files and widgets.
Parameters describe(ReconOptions&);

/// Throws InputError for values out of range and for options that the method would silently ignore.
void check(const ReconOptions&);

/// The methods that `method` may name.
const std::vector<std::string>& recon_methods();

/// Throws InputError or Unsupported, before any work is done, when scan, grid, method and backend do not go together.
/// `backend` must outlive the result.
std::unique_ptr<Reconstruction> make_reconstruction(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                    const VolumeGrid& grid, const ReconOptions& options);

}  // namespace backlit
