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
#include <span>

#include <backlit/core/error.hpp>
#include <backlit/core/progress.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/device_options.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/choose_corrections.hpp>
#include <backlit/preprocess/correct_counts.hpp>
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
  std::function<void(const std::string& sentence)> on_failover{};
};

/// Whether gl in software is faster than cpu: for methods that filter and backproject. Others iterate, for which cpu
/// is.
bool suits_software(const Method&);

struct SessionResult {
  Volume volume;
  SessionReport report;
};

/// Takes slices of a volume: x fastest, then y, then z from `first` on.
using TakeSlices = std::function<void(std::int64_t first, std::span<float> slices)>;

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
  /// The grid that download_slices() gives: the volume, or this rank's part of it. Nothing where the device does not
  /// hold it as a whole, or downloads only whole volumes: download() has it then.
  std::optional<VolumeGrid> slices_on_device();
  /// Gives the finished volume to `take`, some slices at a time from the first, in memory that is used again: for
  /// volumes that go to a file, of which the host then holds a few slices, or a slab where slabs are computed one after
  /// another. Where the device fails, the run goes on as in step(), and begins again with `first` 0. Returns false
  /// where there are no slices_on_device(). `behind`: `take` is called on another thread, while further slices are
  /// computed and downloaded; what it throws is thrown here, later.
  bool download_slices(const TakeSlices& take, const Watch& = {}, bool behind = false);
  /// When each stage ran, downloads included; empty where the method does not record it.
  Timeline timeline();
  /// The report of the run so far.
  SessionReport report() const;

  Backend& backend() { return *backend_; }
  Reconstruction& reconstruction() { return *reconstruction_; }

 private:
  friend class Session;
  SessionRun() = default;
  void go_on(const DeviceFailure&);
  bool hand_over(const TakeSlices&, const Watch&, bool behind);

  std::string on_failure_;  ///< empty when the next failure ends the run
  std::function<void(const std::string&)> on_failover_;
  std::shared_ptr<ProjectionSource> projections_;
  VolumeGrid grid_;
  std::shared_ptr<Backend> backend_;  // outlives the reconstruction
  std::unique_ptr<Reconstruction> reconstruction_;
  Method method_;
  SessionReport scan_;  ///< the session's part of the report
  std::shared_ptr<const CorrectionReport> repairs_;
  StageSeconds seconds_;  ///< added to the reconstruction's own
  Timeline downloads_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A scan that is prepared for reconstruction. It belongs to the thread that made it, and can be moved but not copied.
///
///     auto session = Session::open("tooth.scan.toml", {.preparation = {.center = CenterOption::Kind::find}});
///     const SessionResult result = session.run("sirt");
///     save_volume(result.volume, "tooth.mha");
class Session {
 public:
  /// Loads a scan and prepares it: counts become line integrals, corrections are made, the axis is found or set, views
  /// are selected. Stages "flats", "darks", "counts", "look for faults", "read", those of corrections, "find center".
  /// Throws InputError, and Cancelled.
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
  /// Line integrals of all views under the file's own geometry, corrected; null when the scan has none. The same
  /// object as long as the corrections are the same.
  const std::shared_ptr<ProjectionSource>& measured() const { return final_.source; }
  /// The same without corrections.
  const std::shared_ptr<ProjectionSource>& uncorrected() const { return corrected_; }
  /// The corrections that were made, wherever they were asked for.
  CorrectionOptions corrections() const;
  /// Line integrals of scan(); null when the scan has none.
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
  /// The axis as the projections show it, whatever the options. Looked for once as long as corrections stay the same.
  const CenterEstimate& found_center(const Watch& = {});
  /// Advice on using a method with this scan, in sentences. Reads up to 16 views, once.
  std::vector<std::string> advice(const Method&);

  /// The method with what its run takes from the scan and from files: the volumes that its options name, weights and
  /// photons of pwls.
  Method completed(Method, const Watch& = {}) const;
  /// Chooses the device and plans a run. Reads the files that the method's options name. Without a method:
  /// default_method() of scan(). Throws as make_reconstruction() does, and InputError when the scan has no projections.
  std::unique_ptr<SessionRun> start(const std::optional<Method>& = {}, const Watch& = {});
  /// start(), then SessionRun::finish(). Throws Cancelled between two steps.
  SessionResult run(const std::optional<Method>& = {}, const Watch& = {});

 private:
  void prepare(const SessionOptions&, const Watch&);
  double center_for(const CenterOption&, const Watch&);
  /// The corrections that `preparation` means for this scan.
  CorrectionOptions corrections_for(const PreparationOptions&, const Watch&);
  void correct_projections(const CorrectionOptions&, const SessionOptions&, const Watch&);
  void correct_by_volume(const CorrectionOptions&, const Scan&, const SessionOptions&, const Watch&);
  /// The device that makes corrections; null: the host.
  CorrectionDevice* corrector(const SessionOptions&);
  /// apply_corrections() on the device, or on the host where there is none or it fails.
  CorrectedProjections correct_where(std::shared_ptr<ProjectionSource>, const CorrectionOptions&,
                                     const CorrectionInput&, const SessionOptions&, const Watch&);
  /// Where each correction was made: the backend's name, or "host".
  std::vector<std::string> places(const CorrectedProjections&) const;
  /// Views to correct: as measured, kept on the device where corrections change again and again.
  std::shared_ptr<ProjectionSource> uncorrected(const SessionOptions&, const Watch&);
  /// The file's photons for the views of scan().
  std::vector<float> photons_of_views() const;
  std::shared_ptr<Backend> backend_for(const Method&, const BackendUse&, SessionReport&);

  ScanFile file_;
  SessionOptions options_;
  std::shared_ptr<CorrectionReport> repairs_;    ///< null unless the file holds counts
  std::shared_ptr<ProjectionSource> corrected_;  ///< line integrals of all views, before corrections
  std::optional<ChosenCorrections> chosen_;      ///< for corrected_
  struct Corrected {
    std::shared_ptr<ProjectionSource> source;
    CorrectionOptions options;       ///< of the last corrections
    std::vector<std::string> done;   ///< by all
    std::vector<std::string> where;  ///< by all: the backend, or "host"
    std::vector<View> views;         ///< under which the volume was reconstructed on the way; empty where none was
  };
  Corrected clean_;                     ///< corrected_ with the corrections of projections
  Corrected final_;                     ///< clean_ with those that need a volume
  std::shared_ptr<Backend> corrector_;  ///< null: not started yet, or none
  DeviceOptions corrector_options_;     ///< those that it was looked for with
  bool corrector_tried_ = false;
  std::shared_ptr<ProjectionSource> raw_;  ///< corrected_ on the device; null: not there
  std::optional<CenterEstimate> found_;    ///< of clean_
  std::shared_ptr<ProjectionSource> projections_;
  Scan scan_;
  SessionReport report_;
  std::exception_ptr no_volume_;                              ///< why there is no grid; null where there is one
  std::shared_ptr<const std::vector<ViewEdges>> edges_;       ///< edges of some of projections_, for advice()
  std::map<std::string, std::shared_ptr<Backend>> backends_;  ///< backends started so far, with options_.device
};

}  // namespace backlit
