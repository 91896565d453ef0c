// From a scan to a volume. A session loads and corrects the scan, finds or sets the rotation axis, and chooses the
// volume and the device. A method runs, and a report states the decisions and their reasons. Every program reconstructs
// through a session.
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
  std::string on_failure = "stop";  ///< or the backend on which a run continues: see SessionRun::step()
  /// Called with one sentence when a run continues on another backend. The report's warnings hold the same sentence.
  std::function<void(const std::string& sentence)> tell{};
};

/// Whether gl in software is faster than cpu: for methods that filter and backproject. Others iterate, for which cpu
/// is.
bool suits_software(const Method&);

struct SessionResult {
  Volume volume;
  SessionReport report;
};

/// A reconstruction of a session, step by step. It shares ownership of its data: the session may end or change first.
class SessionRun {
 public:
  /// One work item, see Reconstruction. Where it throws DeviceFailure and SessionOptions::on_failure names a backend,
  /// the run goes on there, once: from the last checkpoint that it wrote or read, else from its beginning. References
  /// to backend() and reconstruction() are then no longer valid.
  Reconstruction::Status step();
  /// Runs to the end. Each stage of the reconstruction is a stage of `Watch`. Throws Cancelled between two steps.
  void finish(const Watch& = {});
  /// The volume as it stands. Where it throws DeviceFailure, the run goes on as in step(), to its end.
  Volume download(const Watch& = {});
  /// The report of the run so far.
  SessionReport report() const;

  Backend& backend() { return *backend_; }
  Reconstruction& reconstruction() { return *reconstruction_; }

 private:
  friend class Session;
  SessionRun() = default;
  void go_on(const DeviceFailure&);

  std::string on_failure_;  ///< empty when the next failure ends the run
  std::function<void(const std::string&)> tell_;
  std::shared_ptr<ProjectionSource> projections_;
  VolumeGrid grid_;
  std::shared_ptr<Backend> backend_;  // outlives the reconstruction
  std::unique_ptr<Reconstruction> reconstruction_;
  Method method_;
  SessionReport scan_;  ///< the session's part of the report
  std::shared_ptr<const CorrectionReport> repairs_;
  StageSeconds seconds_;  ///< added to the reconstruction's own
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A scan that is prepared for reconstruction. It belongs to the thread that made it, and can be moved but not copied.
///
///     auto session = Session::open("tooth.scan.toml", {.preparation = {.center = CenterOption::Kind::find}});
///     const SessionResult result = session.run("sirt");
///     save_volume(result.volume, "tooth.mha");
class Session {
 public:
  /// Loads a scan and prepares it: converts counts to line integrals, removes stripes, finds or sets the axis and
  /// selects views. Stages "flats", "darks", "counts", "stripes", "read", "find center". Throws InputError and
  /// Cancelled.
  static Session open(const std::filesystem::path&, const SessionOptions& = {}, const Watch& = {});
  /// The same for the result of load_scan(), or for a ScanFile that a program made. Its `projections` may still be
  /// arriving.
  explicit Session(ScanFile, const SessionOptions& = {}, const Watch& = {});
  /// The same for a source of line integrals.
  explicit Session(std::shared_ptr<ProjectionSource> projections, const SessionOptions& = {}, const Watch& = {});
  Session(Session&&) = default;
  Session& operator=(Session&&) = default;

  /// The scan file as it was read.
  const ScanFile& file() const { return file_; }
  const SessionOptions& options() const { return options_; }
  /// The scan with the centre and the views that the options name.
  const Scan& scan() const { return scan_; }
  /// Line integrals of all views with the file's own geometry, stripes removed; null when the scan has no projections.
  /// The object stays the same while the window for stripes stays the same.
  const std::shared_ptr<ProjectionSource>& measured() const { return smooth_; }
  /// Line integrals of scan(); null when the scan has no projections.
  const std::shared_ptr<ProjectionSource>& projections() const { return projections_; }
  /// projections(). Throws InputError when the scan has none.
  const std::shared_ptr<ProjectionSource>& require_projections() const;
  /// The scan file's [volume], else default_grid() of scan(), changed by options().grid as in chosen_grid(). Throws
  /// InputError when neither the scan nor the options determine a volume.
  const VolumeGrid& grid() const;
  /// The decisions so far. The numbers of repairs grow as views are read.
  SessionReport report() const;

  /// Replaces the options; only the stages that they change are repeated. When it throws, nothing has changed.
  void change(const SessionOptions&, const Watch& = {});
  /// The axis found in the projections, whatever the options say. It is searched once for each window for stripes.
  const CenterEstimate& found_center(const Watch& = {});
  /// Advice on using a method with this scan, in sentences. Reads up to 16 views, once.
  std::vector<std::string> advice(const Method&);

  /// Chooses the device and plans a run. Reads the files that the method's options name. Throws as
  /// make_reconstruction() does, and InputError when the scan has no projections.
  std::unique_ptr<SessionRun> start(const Method& = {}, const Watch& = {});
  /// start(), then SessionRun::finish(). Throws Cancelled between two steps.
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
  std::shared_ptr<ProjectionSource> smooth_;     ///< corrected_ without stripes
  std::int64_t stripes_ = 0;                     ///< window for which smooth_ was made
  std::optional<CenterEstimate> found_;          ///< centre found in smooth_
  std::shared_ptr<ProjectionSource> projections_;
  Scan scan_;
  SessionReport report_;
  std::exception_ptr no_volume_;                              ///< why there is no grid; null where there is one
  std::shared_ptr<const std::vector<ViewEdges>> edges_;       ///< edges of some of projections_, for advice()
  std::map<std::string, std::shared_ptr<Backend>> backends_;  ///< backends started so far, with options_.device
};

}  // namespace backlit
