// A device: arrays, vector operations, operators. cpu, gl and cuda implement it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <backlit/core/pass_time.hpp>
#include <backlit/device/device_array.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

class FdkPipeline;
class LinearOperator;
class Model;
class NeighbourOperations;
class ProjectionFilter;
class ViewSart;
struct CtOptions;
struct EmissionOptions;
struct FdkPipelineOptions;
struct FilterOptions;
struct LineList;
struct LineOptions;
struct ViewSartOptions;

/// The limits of a device. projectors/projector.hpp lists its projectors.
struct Capabilities {
  std::int64_t memory_bytes = 0;  ///< budget for arrays and plans; 0 when unknown
  std::int64_t largest_side = 0;  ///< largest number of columns or rows of a slice or a view; 0: any
  std::int64_t most_slices = 0;   ///< largest number of slices for a plan at its best speed; 0: any
  /// Results are the same bit for bit in every run, for any number of threads, when the work is divided in the same
  /// parts. So the work is divided by its size and not by measured time.
  bool reproducible = false;
  /// The CPU does a GPU's work (llvmpipe, softpipe).
  bool software = false;
};

/// Whether something is supported. If not, `reason` names the obstacle and an alternative.
struct Support {
  std::string reason{};
  explicit operator bool() const { return reason.empty(); }
};

/// A backend belongs to the thread that made it. Arrays passed to a backend must be its own and of equal shape and
/// layout.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The backend of one device. A backend that wraps others returns the innermost backend of the first; others return
  /// themselves.
  virtual Backend& innermost() { return *this; }

  virtual std::string name() const = 0;    ///< "cpu", "gl", "cuda"
  virtual std::string device() const = 0;  ///< the device's own name
  /// Versions of the driver and the runtime, in words, for reports; empty where there is none.
  virtual std::string versions() const { return {}; }
  virtual Capabilities capabilities() const = 0;

  /// Operations that penalties need, for arrays of this backend; null where it has none.
  virtual NeighbourOperations* neighbours() { return nullptr; }

  /// For a thread with several backends of a kind (one a device): later calls, also of operators, use this backend.
  virtual void activate() {}

  /// Zeroed array of `shape`, linear unless the backend needs otherwise.
  virtual ArrayPtr make_array(const ArrayShape& shape) = 0;
  /// Zeroed array of the same shape and layout.
  virtual ArrayPtr make_like(const DeviceArray&) = 0;
  /// Rows [first, first + count) along n2 as an array that shares the memory; the given array must outlive it. Null
  /// where the layout does not allow that.
  virtual ArrayPtr rows(DeviceArray&, std::int64_t /*first*/, std::int64_t /*count*/) { return nullptr; }
  /// Copies host values in linear order to and from the device; converts from and to the array's layout.
  virtual void upload(std::span<const float> host, DeviceArray&) = 0;
  virtual void download(const DeviceArray&, std::span<float> host) = 0;
  /// Downloads rows along n2 from `first` on, as many as `host` holds. Returns false, with nothing done, where the
  /// backend downloads only whole arrays, or only whole arrays of this kind.
  virtual bool download_rows(const DeviceArray&, std::int64_t /*first*/, std::span<float> /*host*/) { return false; }
  /// Saves and restores all bits of the values, for checkpoints. `host` has stored_bytes() bytes. Only the same kind of
  /// backend can restore them.
  virtual std::int64_t stored_bytes(const DeviceArray&) const;
  virtual void store(const DeviceArray&, std::span<std::byte> host);
  virtual void restore(std::span<const std::byte> host, DeviceArray&);

  /// Copies an array of this backend to `into`, an array of the same shape of `to`, a backend of the same kind. The
  /// copy waits for earlier work on this backend, and later work on `to` waits for the copy. `from` must not change
  /// until `to` has sent something back or finished. The default copies through the host.
  virtual void send(const DeviceArray& from, Backend& to, DeviceArray& into);
  /// Host memory, not initialised, for copies to and from the device while the host works; ordinary memory where the
  /// backend has none. Throws Failure when memory is exhausted.
  virtual std::shared_ptr<std::byte> host_memory(std::int64_t bytes);

  // Vector operations, element by element; all overwrite y.
  virtual void fill(DeviceArray& y, float value) = 0;
  virtual void copy(const DeviceArray& x, DeviceArray& y) = 0;
  virtual void scale(DeviceArray& y, float a) = 0;
  virtual void axpy(float a, const DeviceArray& x, DeviceArray& y) = 0;  ///< y = a x + y
  virtual void subtract_from(const DeviceArray& x, DeviceArray& y);      ///< y = x - y
  virtual void multiply(const DeviceArray& x, DeviceArray& y) = 0;       ///< y = x y
  /// y = y / x where |x| > floor, else 0.
  virtual void divide(const DeviceArray& x, DeviceArray& y, float floor) = 0;
  virtual void clamp(DeviceArray& y, float low, float high) = 0;
  virtual void exponential(DeviceArray& y) = 0;
  virtual double dot(const DeviceArray& x, const DeviceArray& y) = 0;
  /// total += x . x, where `total` holds one value. Does not wait for the device.
  virtual void add_square(const DeviceArray& x, DeviceArray& total);
  virtual double sum(const DeviceArray& x) = 0;
  virtual float maximum(const DeviceArray& x) = 0;  ///< NaN when a value is NaN

  /// Makes a CT operator. Throws Unsupported, naming the view and the alternatives, when this backend lacks the model,
  /// the geometry or the precision.
  virtual std::unique_ptr<LinearOperator> make_ct(const VolumeGrid&, const Scan&, const CtOptions&);
  /// Whether make_ct() supports this. Makes no operator. Throws InputError where grid or scan are not valid.
  virtual Support supports(const VolumeGrid&, const Scan&, const CtOptions&);
  /// All registered variants of a model, one of each kind, for tables. A geometry may not allow all of them.
  std::vector<CtOptions> variants(Model) const;
  /// Upper bound of the device memory that such an operator takes besides its arrays, for `views` views a call. Grids
  /// are cut until this fits. It is the projector's ProjectorInfo::bytes, else two copies of the volume and two of the
  /// views.
  virtual std::int64_t plan_bytes(const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t views) const;
  /// Makes an operator for activity in an attenuating object. `attenuation` holds 1/mm for every voxel, x fastest; it
  /// is copied. Throws Unsupported where the backend or the scan does not allow it, InputError for values below 0 or
  /// not finite.
  virtual std::unique_ptr<LinearOperator> make_emission(const VolumeGrid&, const Scan&,
                                                        std::span<const float> attenuation, const EmissionOptions&);
  /// All registered variants of emission, in each precision. Scatter may not allow all of them.
  std::vector<EmissionOptions> emission_variants() const;
  /// Makes an operator for lines of response, one a row; range arrays have the shape {1, 1, lines}. Throws Unsupported
  /// where the backend has none, InputError as require_sound() does.
  virtual std::unique_ptr<LinearOperator> make_listmode(const VolumeGrid&, const LineList&, const LineOptions&);
  /// FDK's filter for this scan; the default filters on the host and uploads.
  virtual std::unique_ptr<ProjectionFilter> make_filter(const Scan&, const FilterOptions&);
  /// FDK with all stages overlapped. Null where the backend has none for this scan, grid and options, or no room for
  /// it.
  virtual std::unique_ptr<FdkPipeline> make_fdk_pipeline(const Scan&, const VolumeGrid&, const FdkPipelineOptions&);

  /// SART that corrects its volume in place. Throws Unsupported naming the reason where the backend has none, or cannot
  /// serve grid or scan.
  virtual std::unique_ptr<ViewSart> make_view_sart(const VolumeGrid&, const Scan&, const ViewSartOptions&);
  /// The registered variants of make_view_sart(), best first; each exists also as "NAME,matched".
  std::vector<std::string> view_sart_variants() const;

  /// Waits until the device has done all its work.
  virtual void finish() = 0;

  /// Switches the timing of passes on or off. Timing may slow passes. Backends that cannot time passes ignore the call.
  virtual void time_passes(bool) {}
  /// Device time by pass since time_passes(true); waits for the device. Empty where passes are not timed.
  virtual PassTimes pass_times() { return {}; }
};

struct BackendOptions {
  std::int64_t device = 0;                      ///< which of several devices
  std::vector<std::int64_t> further_devices{};  ///< they share the work; make_backend() then makes a group of them
  std::int64_t memory_bytes = 0;                ///< budget for arrays and plans (--gpu-memory); 0: all
  /// How many processes of this machine take `device` from 0 on: with fewer cards they share them in turn.
  std::int64_t processes = 1;
};

using BackendFactory = std::function<std::unique_ptr<Backend>(const BackendOptions&)>;

/// Adds a backend from outside the engine (cuda). "auto" prefers later names over earlier ones.
void register_backend(const std::string& name, BackendFactory);

/// A function that uses a backend, for example makes operators. It throws Unsupported where the backend lacks them.
using BackendUse = std::function<void(Backend&)>;

/// Chooses a backend. `start` returns the backend of a name, `use` is then called with it. `name` is one of
/// backend_names() or "auto", which tries in this order:
///
///   1. registered backends (cuda), the last first
///   2. gl, where there is a GPU
///   3. cpu
///   4. gl in software (llvmpipe): slower than cpu for most methods, faster for filtered backprojection, which sets
///      `software_before_cpu`
///
/// auto takes the first backend that starts and `use` (may be empty) accepts. It passes over one when `use` throws
/// Unsupported or Failure (ranks: Unsupported alone, if their devices are alike). `passed_over` (may be null) receives
/// the reason for each. When none is left, the error of cpu is thrown. Ranks call it together if there is a `use`.
Backend& choose_backend(const std::string& name, const std::function<Backend&(const std::string& name)>& start,
                        const BackendUse& use = {}, std::vector<std::string>* passed_over = nullptr,
                        bool software_before_cpu = false);

/// Starts the backend that choose_backend() chooses. The backend cuts volumes that do not fit the device.
std::unique_ptr<Backend> make_backend(const std::string& name, const BackendOptions& = {}, const BackendUse& use = {},
                                      std::vector<std::string>* passed_over = nullptr);
std::vector<std::string> backend_names();
/// The backend of this name, or the first one of "auto", if it was registered from outside the engine and starts. Else
/// null: other backends are not started.
std::unique_ptr<Backend> make_registered_backend(const std::string& name, const BackendOptions& = {});

}  // namespace backlit
