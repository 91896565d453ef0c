// A reconstruction that runs in steps and can be watched and stopped. The programs and the viewer run the same loop.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <backlit/core/timeline.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/device/display_volume.hpp>
#include <backlit/recon/method.hpp>

namespace backlit {

/// Progress of a reconstruction, in its own unit of work.
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
  /// The rule that ended the iterations early, in words; empty otherwise.
  virtual std::string stopped_by() const { return {}; }
  /// Values that the method chose itself, by name, with the unit where they have one. Empty before they are chosen.
  virtual std::vector<std::pair<std::string, double>> chosen() const { return {}; }
  /// Takes the values of parameters that steer (Parameter::steers) from `method`. After the present iteration, or after
  /// the last one, the run goes on from its volume by that method's number of iterations; momentum begins anew. Returns
  /// false, and changes nothing, where another parameter differs or the method cannot be steered.
  virtual bool steer(const Method&) { return false; }
  /// Shows the volume as it is after the last work item.
  virtual void publish(DisplayVolume&) = 0;
  /// The volume of the last finished iteration (direct methods: of the views so far).
  virtual Volume download() = 0;
  /// The volume that download() gives, where the backend holds it as one array; else null. Valid until the next step().
  const DeviceArray* device_volume() {
    const DeviceArray* const volume = unfinished_volume();
    if (volume) finish_slices(-1);
    return volume;
  }
  /// The same array, whose slices finish_slices() makes, so that earlier ones are saved while later ones are computed.
  virtual const DeviceArray* unfinished_volume() { return nullptr; }
  /// After the last step: makes the slices below `end` of unfinished_volume() what download() gives, or all of them if
  /// `end` is negative.
  virtual void finish_slices(std::int64_t /*end*/) {}
  /// The most slices that finish_slices() computes before it returns; 0 where a device computes while the host goes on.
  virtual std::int64_t slab_slices() { return 0; }
  /// The grid of that array. Nothing: the backend's part of the reconstruction's grid.
  virtual std::optional<VolumeGrid> device_grid() const { return {}; }
  /// Seconds by stage so far: read, filter, upload, backproject, ...
  virtual const std::map<std::string, double>& seconds() const = 0;
  /// The times at which each stage ran; empty where they are not recorded.
  virtual Timeline timeline() { return {}; }
  /// The variant of the operator in use, for reports.
  virtual std::string variant() const = 0;
  /// Bytes that all copies of the volume take on the device; 0 where the method does not report them.
  virtual std::int64_t volume_bytes() const { return 0; }
  /// The checkpoint from which another run could continue; empty where this run has neither written nor read one.
  virtual std::string checkpoint() const { return {}; }
};

/// Plans a reconstruction. Throws InputError or Unsupported, before any work, when scan, grid, method and backend do
/// not fit each other. `backend` must outlive the result. `method` is a name (with default options), a Method, or a
/// method's options:
///
///     SirtOptions options;
///     options.iterations = 200;
///     auto run = make_reconstruction(*backend, source, grid, options);
std::unique_ptr<Reconstruction> make_reconstruction(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                    const VolumeGrid& grid, const Method& method);

}  // namespace backlit
