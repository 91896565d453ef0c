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

/// The limits of a device. Its projectors are in the list of projectors (projectors/projector.hpp).
struct Capabilities {
  std::int64_t memory_bytes = 0;  ///< budget for arrays and plans; 0 when unknown
  std::int64_t largest_side = 0;  ///< columns or rows that a slice or a view may have; 0: any
  std::int64_t most_slices = 0;   ///< that a plan takes at its best speed; 0: any
  /// Results are the same bit for bit at every run, whatever the number of threads, as long as work is cut alike:
  /// so it is cut by its size and not by measured time.
  bool reproducible = false;
  /// A GPU's work is done by the CPU (llvmpipe, softpipe).
  bool software = false;
};

/// Whether something is offered. If not, `reason` says what is missing and what to do instead.
struct Support {
  std::string reason{};
  explicit operator bool() const { return reason.empty(); }
};

/// Belongs to the thread that made it. Arrays passed in must be its own and of equal shape and layout.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The backend of one device beneath those that cut or share the work: itself, unless it wraps another.
  virtual Backend& innermost() { return *this; }

  virtual std::string name() const = 0;    ///< "cpu", "gl", "cuda"
  virtual std::string device() const = 0;  ///< the device's own name
  virtual Capabilities capabilities() const = 0;

  /// Operations that penalties need, for arrays of this backend; null where it has none.
  virtual NeighbourOperations* neighbours() { return nullptr; }

  /// Where one thread has several backends of a kind (one a device): later calls, also of operators, go to this one.
  virtual void activate() {}

  /// Zeroed array of `shape`, linear unless the backend needs otherwise.
  virtual ArrayPtr make_array(const ArrayShape& shape) = 0;
  /// Zeroed array of the same shape and layout.
  virtual ArrayPtr make_like(const DeviceArray&) = 0;
  /// Rows [first, first + count) along n2, sharing the memory of an array that must outlive them; null where layouts do
  /// not allow it.
  virtual ArrayPtr rows(DeviceArray&, std::int64_t /*first*/, std::int64_t /*count*/) { return nullptr; }
  /// Host values in linear order <-> device, whatever the layout.
  virtual void upload(std::span<const float> host, DeviceArray&) = 0;
  virtual void download(const DeviceArray&, std::span<float> host) = 0;
  /// All bits of the values, for checkpoints: stored_bytes() of them, to be restored on this kind of backend only.
  virtual std::int64_t stored_bytes(const DeviceArray&) const;
  virtual void store(const DeviceArray&, std::span<std::byte> host);
  virtual void restore(std::span<const std::byte> host, DeviceArray&);

  /// Copies an array of this backend into one of another of the same kind and shape. The copy waits for what this one
  /// was given before, and what `to` is given later waits for the copy; `from` must stay as it is until `to` has sent
  /// something back, or finished. The default goes through the host.
  virtual void send(const DeviceArray& from, Backend& to, DeviceArray& into);
  /// Host memory that the device copies from and to while the host goes on; ordinary memory where there is no such
  /// thing. Not initialised. Throws Failure when memory is exhausted.
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
  /// total += x . x, where `total` holds one value: a dot product without waiting for the device.
  virtual void add_square(const DeviceArray& x, DeviceArray& total);
  virtual double sum(const DeviceArray& x) = 0;
  virtual float maximum(const DeviceArray& x) = 0;  ///< NaN when a value is

  /// Throws Unsupported, naming the view and the alternatives, when model, geometry or precision is not offered here.
  virtual std::unique_ptr<LinearOperator> make_ct(const VolumeGrid&, const Scan&, const CtOptions&);
  /// Whether make_ct() offers this. Makes no operator. Throws InputError where grid or scan make no sense.
  virtual Support supports(const VolumeGrid&, const Scan&, const CtOptions&);
  /// Every variant of a model that is registered, one of each kind, for tables. A geometry may not allow all.
  std::vector<CtOptions> variants(Model) const;
  /// Device memory that such an operator takes besides its arrays, at most, for calls with `views` views at a time.
  /// Larger grids are cut until this fits. The default allows for two copies of the volume and two of the views.
  virtual std::int64_t plan_bytes(const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t views) const;
  /// Activity seen through attenuating material: `attenuation` of every voxel, 1/mm, x fastest; copied. Throws
  /// Unsupported where the backend or the scan does not allow it, InputError for values below 0 or not finite. The
  /// default has none.
  virtual std::unique_ptr<LinearOperator> make_emission(const VolumeGrid&, const Scan&,
                                                        std::span<const float> attenuation, const EmissionOptions&);
  /// The same of emission, in each precision; scatter may not allow all.
  std::vector<EmissionOptions> emission_variants() const;
  /// Lines of response, one a row, through an image: arrays of shape {1, 1, lines}. Throws Unsupported where the
  /// backend has none, InputError as require_sound() does.
  virtual std::unique_ptr<LinearOperator> make_listmode(const VolumeGrid&, const LineList&, const LineOptions&);
  /// FDK's filter for this scan; the default filters on the host and uploads.
  virtual std::unique_ptr<ProjectionFilter> make_filter(const Scan&, const FilterOptions&);
  /// FDK with all stages overlapped; null where the backend has no such thing for this scan, grid and options, or no
  /// room for it.
  virtual std::unique_ptr<FdkPipeline> make_fdk_pipeline(const Scan&, const VolumeGrid&, const FdkPipelineOptions&);

  /// SART whose volume is corrected in place. Throws Unsupported naming the reason where the backend has none, or
  /// cannot serve grid or scan.
  virtual std::unique_ptr<ViewSart> make_view_sart(const VolumeGrid&, const Scan&, const ViewSartOptions&);
  /// The variants of it that are registered, best first; each also as "NAME,matched".
  std::vector<std::string> view_sart_variants() const;

  /// Waits until the device has done all it was given.
  virtual void finish() = 0;

  /// From now on passes are timed (which may slow them), or no longer. Backends that cannot do nothing.
  virtual void time_passes(bool) {}
  /// Device time by pass since time_passes(true); waits for the device. Empty where passes are not timed.
  virtual PassTimes pass_times() { return {}; }
};

struct BackendOptions {
  std::int64_t device = 0;                      ///< which of several devices
  std::vector<std::int64_t> further_devices{};  ///< that share its work; make_backend() then makes a group of them
  std::int64_t memory_bytes = 0;                ///< budget for arrays and plans (--gpu-memory); 0: all
};

using BackendFactory = std::function<std::unique_ptr<Backend>(const BackendOptions&)>;

/// Adds a backend that lives outside the engine (cuda). Later names are preferred by "auto" over earlier ones.
void register_backend(const std::string& name, BackendFactory);

/// Uses a backend, for example makes operators. Throws Unsupported where the backend does not offer them.
using BackendUse = std::function<void(Backend&)>;

/// Chooses the backend called `name`, which `start` gives, and uses it. `name` is one of backend_names() or "auto":
///
///   1. registered backends (cuda), the last first
///   2. gl, where there is a GPU
///   3. cpu
///   4. gl in software (llvmpipe): slower than cpu for most methods, faster for filtered backprojection, which sets
///      `software_before_cpu`
///
/// auto takes the first that starts and that `use` (may be empty) accepts: a backend whose use throws Unsupported or
/// Failure is passed over. `passed_over` (may be null) gets the reason for each. When none is left it throws what cpu
/// threw.
Backend& choose_backend(const std::string& name, const std::function<Backend&(const std::string& name)>& start,
                        const BackendUse& use = {}, std::vector<std::string>* passed_over = nullptr,
                        bool software_before_cpu = false);

/// Starts the backend that choose_backend() chooses. It cuts volumes that are larger than the device.
std::unique_ptr<Backend> make_backend(const std::string& name, const BackendOptions& = {}, const BackendUse& use = {},
                                      std::vector<std::string>* passed_over = nullptr);
std::vector<std::string> backend_names();

}  // namespace backlit
