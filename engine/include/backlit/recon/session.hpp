// From a scan to a volume: the scan is loaded and corrected, the rotation axis is found or set, the volume and the
// device are chosen, a method runs, and a report says what was decided and why. Every program reconstructs through
// this.
#pragma once

#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/core/progress.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/device_options.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/correction.hpp>
#include <backlit/preprocess/preparation.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/session_report.hpp>

namespace backlit {

class DeviceFailure;
struct ViewEdges;

struct SessionOptions {
  PreparationOptions preparation{};
  GridOptions grid{};
  DeviceOptions device{};
  std::string on_failure = "stop";  ///< or the backend on which a run goes on: see SessionRun::step()
  /// Called when a run goes on elsewhere, with a sentence that says so. The report's warnings have it too.
  std::function<void(const std::string& sentence)> tell{};
};

/// Whether gl in software is faster than cpu: for methods that filter and backproject. Others iterate, for which cpu
/// is.
bool suits_software(const Method&);

struct SessionResult {
  Volume volume;
  SessionReport report;
};

/// A reconstruction of a session, step by step. It shares ownership: the session may end or change before it.
class SessionRun {
 public:
  /// One work item, see Reconstruction. Where it throws DeviceFailure and SessionOptions::on_failure names a backend,
  /// the run goes on there, once: from the last checkpoint that it wrote or read, else from its beginning. References
  /// to backend() and reconstruction() are then no longer valid.
  Reconstruction::Status step();
  /// To the end; each stage of the reconstruction is one of `Watch`. Throws Cancelled between two steps.
  void finish(const Watch& = {});
  /// The volume as it stands. Where it throws DeviceFailure, the run goes on as in step(), to its end.
  Volume download(const Watch& = {});
  /// As things stand.
  SessionReport report() const;

  Backend& backend() { return *backend_; }
  Reconstruction& reconstruction() { return *reconstruction_; }

 private:
  friend class Session;
  SessionRun() = default;
  void go_on(const DeviceFailure&);

  std::string on_failure_;  ///< empty where the next failure ends the run
  std::function<void(const std::string&)> tell_;
  std::shared_ptr<ProjectionSource> projections_;
  VolumeGrid grid_;
  std::shared_ptr<Backend> backend_;  // outlives the reconstruction
  std::unique_ptr<Reconstruction> reconstruction_;
  Method method_;
  SessionReport scan_;  ///< the session's own part
  std::shared_ptr<const CorrectionReport> repairs_;
  StageSeconds seconds_;  ///< besides the reconstruction's own
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Belongs to the thread that made it. It may be moved, not copied.
///
///     auto session = Session::open("tooth.scan.toml", {.preparation = {.center = CenterOption::Kind::find}});
///     const SessionResult result = session.run("sirt");
///     save_volume(result.volume, "tooth.mha");
class Session {
 public:
  /// Loads a scan and prepares it: counts become line integrals, stripes are removed, the axis is found or set, views
  /// are selected. Stages "flats", "darks", "counts", "stripes", "read", "find center". Throws InputError, and
  /// Cancelled.
  static Session open(const std::filesystem::path&, const SessionOptions& = {}, const Watch& = {});
  /// The same for what load_scan() returned, or an equivalent: `projections` may still be arriving.
  explicit Session(ScanFile, const SessionOptions& = {}, const Watch& = {});
  /// For line integrals in memory.
  explicit Session(std::shared_ptr<ProjectionSource> projections, const SessionOptions& = {}, const Watch& = {});
  Session(Session&&) = default;
  Session& operator=(Session&&) = default;

  /// As it was read.
  const ScanFile& file() const { return file_; }
  const SessionOptions& options() const { return options_; }
  /// With the centre and the views that were asked for.
  const Scan& scan() const { return scan_; }
  /// Line integrals of all views under the file's own geometry, without stripes; null when the scan has none. The same
  /// object as long as the stripes' window is the same.
  const std::shared_ptr<ProjectionSource>& measured() const { return smooth_; }
  /// Line integrals of scan(); null when the scan has none.
  const std::shared_ptr<ProjectionSource>& projections() const { return projections_; }
  /// Throws InputError when the scan has none.
  const std::shared_ptr<ProjectionSource>& require_projections() const;
  /// The scan file's [volume], else default_grid() of scan(); changed as options().grid says, see chosen_grid().
  /// Throws InputError where the scan determines no volume and the options give none.
  const VolumeGrid& grid() const;
  /// The decisions so far. Repairs grow as views are read.
  SessionReport report() const;

  /// Replaces the options; only the stages that they change are repeated. When it throws, nothing has changed.
  void change(const SessionOptions&, const Watch& = {});
  /// The axis as the projections show it, whatever the options. Looked for once as long as stripes stay the same.
  const CenterEstimate& found_center(const Watch& = {});
  /// Advice on a method with this scan, one sentence each. Reads up to 16 views, once.
  std::vector<std::string> advice(const Method&);

  /// Chooses the device and plans a run. Files that the method's options name are read. Throws as make_reconstruction()
  /// does, InputError without projections.
  std::unique_ptr<SessionRun> start(const Method& = {}, const Watch& = {});
  /// start(), and to the end. Throws Cancelled between two steps.
  SessionResult run(const Method& = {}, const Watch& = {});

 private:
  void prepare(const SessionOptions&, const Watch&);
  double center_for(const CenterOption&, const Watch&);
  void remove_rings(std::int64_t window, const Watch&);
  Method with_volumes(Method, const Watch&) const;
  std::shared_ptr<Backend> backend_for(const Method&, const BackendUse&, SessionReport&);

  ScanFile file_;
  SessionOptions options_;
  std::shared_ptr<CorrectionReport> repairs_;    ///< null unless the file holds counts
  std::shared_ptr<ProjectionSource> corrected_;  ///< line integrals of all views
  std::shared_ptr<ProjectionSource> smooth_;     ///< the same without stripes
  std::int64_t stripes_ = 0;                     ///< window that smooth_ was made with
  std::optional<CenterEstimate> found_;          ///< of smooth_
  std::shared_ptr<ProjectionSource> projections_;
  Scan scan_;
  SessionReport report_;
  std::exception_ptr no_volume_;                              ///< why there is no grid; null where there is one
  std::shared_ptr<const std::vector<ViewEdges>> edges_;       ///< of some of projections_, for advice()
  std::map<std::string, std::shared_ptr<Backend>> backends_;  ///< that were started, with options_.device
};

}  // namespace backlit
