// Messages of the worker's thread to the window's thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <backlit/calibration/calibrate.hpp>
#include <backlit/data/metrics.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/pet/list_mode_summary.hpp>
#include <backlit/preprocess/choose_corrections.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/session_report.hpp>
#include <backlit/recon/stopwatch.hpp>
#include <backlit/render/cut_plane.hpp>
#include <backlit/render/plane.hpp>
#include <backlit/render/value_classes.hpp>
#include "gl/handles.hpp"
#include "model/engine/interval_rates.hpp"

namespace backlit::viewer {

/// Facts about a list of PET events.
struct ListFacts {
  ListModeInfo info;
  std::string scanner;
  std::int64_t crystals = 0;
  bool absolute = false;    ///< crystal sizes are known: values are in decays per s and mm^3
  std::vector<Vec3f> ring;  ///< positions of crystals, at most a few thousand, for drawing the scanner
  ListModeSummary summary;
};

/// The opened scan, volume or list.
struct SourceInfo {
  enum class Kind { volume, scan, list_mode };
  Kind kind = Kind::scan;
  std::string path;
  Scan scan;                              ///< the file's scan, without the state's changes; no views for a volume
  std::vector<double> angles_deg;         ///< one for each view, if the trajectory has angles
  VolumeGrid grid;                        ///< grid of the volume, or default grid of a reconstruction
  bool grid_in_file = false;              ///< the scan file's [volume]; else it follows from the scan
  double center_px = 0;                   ///< column on which the axis projects, according to the file
  bool has_views = false;                 ///< projections exist, or arrive while `watch` is active
  bool arriving = false;                  ///< views arrive while they are measured
  bool raw = false;                       ///< detector counts: the file's centre is a guess
  bool corrected_in_file = false;         ///< the scan file names corrections
  bool pixel_size_known = true;           ///< false: lengths are in pixels, and values have no HU
  bool pixel_size_in_file = true;         ///< false: ViewState::pixel may give it
  bool patient = false;                   ///< x is to the patient's left, y to the back, z to the head
  std::shared_ptr<const ListFacts> list;  ///< list mode only; null otherwise
  std::vector<std::string> notes;         ///< assumptions made when reading

  /// Whether a reconstruction is possible.
  bool can_run() const { return has_views || list; }
};

/// Histogram of evenly spaced samples of the volume shown.
struct Histogram {
  double low = 0, high = 1;  ///< outer edges of the outermost bins
  std::vector<std::int64_t> bins;
  std::vector<float> sorted;  ///< up to 65,536 of the values, rising: for percentiles
  ValueClasses classes;       ///< what the values say of the volume
  double hot = 0;             ///< where few voxels hold much of the whole, a value of theirs; else 0
  /// mm: a box about nearly all that stands out of the noise, and a point of the object near its middle. NaN without.
  Vec3 object_low{NAN}, object_high{NAN}, object_point{NAN};
  Vec3 shown_low{NAN}, shown_high{NAN};  ///< the same about what the 3-D view shows: values above classes.object
  /// The value below which `percent` of the volume lies.
  double percentile(double percent) const;
  /// The upper end of a window that shows what there is to see.
  double bright() const { return std::max(percentile(99.9), hot); }
};

/// A measured view and the reprojection of the volume shown: line integrals; [row][column], row 0 first.
struct ViewComparison {
  std::int64_t view = 0;
  Plane measured, reprojected, difference;  ///< difference = reprojected - measured
  double relative = 0;                      ///< |difference| / |measured|
};

struct ThroughputSample {
  double seconds = 0;           ///< since the run began
  std::int64_t views = 0;       ///< views so far; iterative methods: visits of views; lists: events
  double views_per_second = 0;  ///< since the previous sample
  double shown_share = 0;       ///< share of the time since the previous sample that was spent on showing the volume
};

/// One detector row of all views: line integrals, [view][column].
struct SinogramRow {
  std::int64_t row = 0;
  Plane values;
};

struct CorrectionPreview;

/// A picture made by the worker, in textures shared with the window's context.
struct JobPicture {
  std::uint64_t serial = 0;  ///< serial of the request
  gl::Texture texture;       ///< R32F slice, or a texture of make_found()
  gl::Fence ready;           ///< wait_on_device() for it before reading the texture
  CutPlane plane;            ///< slices only
  double refinement = 1;     ///< share of the views in the picture
  double seconds = 0;        ///< time of making it
};

namespace event {

struct Opened {
  std::shared_ptr<const SourceInfo> source;
};
struct Activity {
  std::string text;  ///< "reading projections"; empty: none
  std::int64_t done = 0, total = 0;
  std::string unit{};
};
struct Started {
  std::string backend, device, variant;
  VolumeGrid grid;
  double center_px = 0;
  bool whole = false;           ///< a quick run, done in one step
  std::int64_t iterations = 0;  ///< that it was ordered to make; 0: it does not iterate
};
/// The run in progress, or the last one, goes on from its volume with other parameters.
struct Steered {
  std::int64_t iterations = 0;  ///< when it will end, counted from its start
};
/// The run in progress was paused or resumed. Orders for that may come before the run has started.
struct Paused {
  bool paused = false;
};
/// The session's decisions so far, or the result of a run.
struct Reported {
  std::shared_ptr<const SessionReport> report;
};
struct Progress {
  ReconProgress at;
  ThroughputSample throughput;
};
struct Residuals {
  std::vector<double> values;  ///< all iterations so far; log-likelihoods for list mode
};
struct Published {
  std::int64_t generation = 0;
  VolumeGrid grid;
  bool final = false;
  std::uint64_t serial = 0;  ///< serial of the order that started the run; 0: volume of a file
  bool preview = false;      ///< a first, quick picture, which the run replaces
  double denoised = 0;       ///< see order::Denoise
};
struct HistogramMade {
  std::shared_ptr<const Histogram> histogram;
  bool final = false;  ///< the volume is finished
};
struct Compared {
  std::shared_ptr<const ViewComparison> comparison;
};
struct CenterFound {
  double center_px = 0;  ///< NaN if none was found
  std::string method;
  bool opening = false;  ///< see order::FindCenter
};
struct FaultsFound {
  std::optional<ChosenCorrections> found;  ///< empty: something else was more urgent
};
struct Calibrated {
  std::shared_ptr<const Calibration> found;  ///< null where the views show nothing, or it was cancelled
};
struct Pinned {
  std::int64_t generation = 0;  ///< 0: the file cannot be opened, or the volume is no longer kept
  VolumeGrid grid;
  std::string file;  ///< from which it came; empty: it was shown, or computed
  std::shared_ptr<const Histogram> histogram;
  std::string computed{};  ///< what it holds, where it was computed: "wall thickness, mm"
  std::int64_t kept = 0;   ///< of an A without a file: its number
};
/// A was turned and moved onto the volume shown.
struct Registered {
  Vec3 move{0}, turn{0};               ///< see PinnedState
  double before = 0, information = 0;  ///< mutual information, see backlit/data/registration.hpp
};
struct Segmented {
  double volume = 0, surface = 0;  ///< mm^3, mm^2
  std::int64_t voxels = 0;         ///< whose centres lie in it
  std::int64_t pores = 0;          ///< voxels that it encloses
  std::int64_t generation = 0;     ///< of the volume shown
  std::uint64_t serial = 0;
};
/// The display of the segment holds the segment of this generation of the volume shown.
struct SegmentShown {
  std::int64_t generation = 0;
};
/// Local thickness over the volume of a segment, mm.
struct ThicknessFound {
  double mean = 0, deviation = 0, largest = 0;
  std::vector<double> shares;   ///< of the segment, in equal bins from 0 to `largest`
  std::int64_t generation = 0;  ///< of the volume shown
  std::int64_t kept = 0;        ///< number of the map as A
};
struct SinogramMade {
  std::shared_ptr<const SinogramRow> sinogram;
};
struct Previewed {
  std::shared_ptr<const CorrectionPreview> preview;
};
struct VolumesCompared {
  Metrics metrics;              ///< the volume shown against A, on the grid of the volume shown
  std::int64_t generation = 0;  ///< generation of the volume shown
};
/// Slices in the order of the requested planes.
struct SlicesMade {
  std::shared_ptr<const std::vector<JobPicture>> pictures;
};
/// One of the pictures that order::Candidates asks for.
struct CandidateMade {
  std::size_t index = 0, count = 0;
  std::shared_ptr<const JobPicture> picture;
};
struct ObliqueMade {
  std::shared_ptr<const JobPicture> picture;
};
struct D2vrMade {
  std::shared_ptr<const JobPicture> picture;
};
/// A file was written.
struct Exported {
  std::string path;
};
/// A problem that does not stop the work.
struct Warned {
  std::string message;
};
/// The run or another order has failed; the previous volume stays.
struct Failed {
  std::string message;
};
struct Finished {
  bool complete = true;  ///< false: finished early, or cancelled
  bool cancelled = false;
  double seconds = 0;
  std::string stopped_by{};
  StageSeconds stages{};  ///< seconds: plan, stages of the method (filter, backproject, ...), wait for frame, publish
  std::optional<IntervalRate> rate{};  ///< if the run used a fixed interval
  bool lockstep = false;               ///< the run waited until each picture was drawn
  std::uint64_t serial = 0;            ///< serial of the order that started the run
};

}  // namespace event

using Event =
    std::variant<event::Opened, event::Activity, event::Started, event::Steered, event::Paused, event::Reported,
                 event::Progress, event::Residuals, event::Published, event::HistogramMade, event::Compared,
                 event::CenterFound, event::FaultsFound, event::Calibrated, event::Pinned, event::VolumesCompared,
                 event::Registered, event::Segmented, event::SegmentShown, event::ThicknessFound, event::SinogramMade,
                 event::Previewed, event::SlicesMade, event::CandidateMade, event::ObliqueMade, event::D2vrMade,
                 event::Exported, event::Warned, event::Failed, event::Finished>;

}  // namespace backlit::viewer
