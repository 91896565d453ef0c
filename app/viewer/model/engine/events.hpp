// What the worker thread tells the window's.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <backlit/data/metrics.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/pet/list_mode_summary.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/session_report.hpp>
#include <backlit/recon/stopwatch.hpp>
#include <backlit/render/cut_plane.hpp>
#include <backlit/render/plane.hpp>
#include <backlit/render/value_classes.hpp>
#include "gl/handles.hpp"
#include "model/engine/interval_rates.hpp"

namespace backlit::viewer {

/// What is known of a list of PET events.
struct ListFacts {
  ListModeInfo info;
  std::string scanner;
  std::int64_t crystals = 0;
  bool absolute = false;    ///< crystal sizes are known: values are decays per s and mm^3
  std::vector<Vec3f> ring;  ///< places of crystals, at most a few thousand, for the drawing of the scanner
  ListModeSummary summary;
};

/// What was opened.
struct SourceInfo {
  enum class Kind { volume, scan, list_mode };
  Kind kind = Kind::scan;
  std::string path;
  Scan scan;                              ///< of the file, without the state's changes; no views for a volume
  std::vector<double> angles_deg;         ///< one a view where the trajectory has angles
  VolumeGrid grid;                        ///< of the volume, or what would be reconstructed by default
  double center_px = 0;                   ///< column on which the axis projects, by the file
  bool has_views = false;                 ///< projections to reconstruct from, now or while `watch` delivers them
  bool arriving = false;                  ///< views come while they are measured
  bool raw = false;                       ///< counts as a detector gave them: the file's centre is a guess
  bool pixel_size_known = true;           ///< false: lengths are in pixels, and values have no HU
  std::shared_ptr<const ListFacts> list;  ///< of list mode; null otherwise
  std::vector<std::string> notes;         ///< what had to be assumed

  /// Whether there is something to reconstruct from.
  bool can_run() const { return has_views || list; }
};

/// Counts of values of the volume shown, sampled evenly.
struct Histogram {
  double low = 0, high = 1;  ///< of the outermost bins' outer edges
  std::vector<std::int64_t> bins;
  std::vector<float> sorted;  ///< up to 65,536 of the values, rising: for percentiles
  ValueClasses classes;       ///< what the values say of the volume
  /// mm: a box about nearly all that stands out of the noise, and a point of the object near its middle. NaN without.
  Vec3 object_low{NAN}, object_high{NAN}, object_point{NAN};
  /// The value below which `percent` of the volume lies.
  double percentile(double percent) const;
};

/// A measured view beside what the volume shown would give, line integrals; [row][column], row 0 first.
struct ViewComparison {
  std::int64_t view = 0;
  Plane measured, reprojected, difference;  ///< difference = reprojected - measured
  double relative = 0;                      ///< |difference| / |measured|
};

struct ThroughputSample {
  double seconds = 0;           ///< since the run began
  std::int64_t views = 0;       ///< done by then (iterative methods: visits of views; lists: of events)
  double views_per_second = 0;  ///< since the sample before
  double shown_share = 0;       ///< of the time since the sample before that went into showing the volume
};

/// A picture made by the worker, in textures that the window's context shares.
struct JobPicture {
  std::uint64_t serial = 0;  ///< of the request that it answers
  gl::Texture texture;       ///< R32F slice, or make_found()'s
  gl::Fence ready;           ///< let your commands wait_on_device() for it
  CutPlane plane;            ///< of a slice
  double refinement = 1;     ///< share of the views in it
  double seconds = 0;        ///< it took
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
  bool whole = false;  ///< so quick that it is done in one step
};
/// What the session has decided so far, or what a run has come to.
struct Reported {
  std::shared_ptr<const SessionReport> report;
};
struct Progress {
  ReconProgress at;
  ThroughputSample throughput;
};
struct Residuals {
  std::vector<double> values;  ///< all so far; of list mode log-likelihoods
};
struct Published {
  std::int64_t generation = 0;
  VolumeGrid grid;
  bool final = false;
  std::uint64_t serial = 0;  ///< of the order for the run; 0: of a file
};
struct HistogramMade {
  std::shared_ptr<const Histogram> histogram;
  bool final = false;  ///< of a finished volume
};
struct Compared {
  std::shared_ptr<const ViewComparison> comparison;
};
struct CenterFound {
  double center_px = 0;  ///< NaN where none was found
  std::string method;
  bool opening = false;  ///< see order::FindCenter
};
struct Pinned {
  std::int64_t generation = 0;  ///< 0: the file cannot be opened
  VolumeGrid grid;
  std::string file;  ///< from which it came; empty: it was shown
  std::shared_ptr<const Histogram> histogram;
};
/// A was turned and moved onto the volume shown.
struct Registered {
  Vec3 move{0}, turn{0};               ///< see PinnedState
  double before = 0, information = 0;  ///< mutual information, see backlit/data/registration.hpp
};
struct Segmented {
  double volume = 0, surface = 0;  ///< mm^3, mm^2
  std::int64_t voxels = 0;         ///< whose centres lie in it
  std::int64_t generation = 0;     ///< of the volume shown
  std::uint64_t serial = 0;
};
struct VolumesCompared {
  Metrics metrics;              ///< the volume shown against A, on its own grid
  std::int64_t generation = 0;  ///< of the volume shown
};
/// In the order of the planes asked for.
struct SlicesMade {
  std::shared_ptr<const std::vector<JobPicture>> pictures;
};
struct ObliqueMade {
  std::shared_ptr<const JobPicture> picture;
};
struct D2vrMade {
  std::shared_ptr<const JobPicture> picture;
};
/// Something was written.
struct Exported {
  std::string path;
};
/// Something is not as it should be, but work goes on.
struct Warned {
  std::string message;
};
/// The run, or whatever else was asked for, has ended with an error; what was shown before stays.
struct Failed {
  std::string message;
};
struct Finished {
  bool complete = true;  ///< false: finished early, or cancelled
  bool cancelled = false;
  double seconds = 0;
  std::string stopped_by{};
  StageSeconds stages{};  ///< of them: plan, what the method says (filter, backproject, ...), wait for frame, publish
  std::optional<IntervalRate> rate{};  ///< where the run kept to an interval
  bool lockstep = false;               ///< and waited until each picture was seen
  std::uint64_t serial = 0;            ///< of the order for the run
};

}  // namespace event

using Event =
    std::variant<event::Opened, event::Activity, event::Started, event::Reported, event::Progress, event::Residuals,
                 event::Published, event::HistogramMade, event::Compared, event::CenterFound, event::Pinned,
                 event::VolumesCompared, event::Registered, event::Segmented, event::SlicesMade, event::ObliqueMade,
                 event::D2vrMade, event::Exported, event::Warned, event::Failed, event::Finished>;

}  // namespace backlit::viewer
