// Report of a session: its actions, its decisions and their reasons, for people and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <backlit/core/pass_time.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/recon/method.hpp>
#include <backlit/recon/stopwatch.hpp>

namespace backlit {

struct SessionReport {
  std::string scan;                     ///< the file; may be empty
  std::int64_t views = 0;               ///< the views in use
  std::vector<std::string> directions;  ///< ScanFile::directions
  std::vector<std::string> warnings;    ///< assumptions, and advice; names of options in `backquotes`

  std::int64_t dead_pixels = 0;        ///< pixels of counts that are interpolated in every view
  std::int64_t replaced_readings = 0;  ///< readings at or below dark, in the views read so far

  std::vector<std::string> corrections;     ///< "zingers: 12 readings", in the order in which they were made
  std::vector<std::string> corrected_on{};  ///< where each of them was made: a backend's name, or "host"
  std::vector<std::string> faults;          ///< found, or looked for and not found, where corrections were chosen

  double center_px = 0;      ///< column, from 0, on which the rotation axis projects
  std::string center_from;   ///< why it is that one
  VolumeGrid grid;           ///< grid of the volume
  std::string grid_from;     ///< why it is that one
  std::string backend;       ///< cpu, gl, cuda; empty before a run
  std::string backend_from;  ///< why it is that one
  std::string device;        ///< its name
  bool software = false;     ///< the CPU does a GPU's work

  Method method{};                                     ///< the method of the run, with its options
  std::string method_from{};                           ///< why it is that one; empty: named, or fdk as usual
  std::string variant;                                 ///< variant of the operator
  std::vector<double> residuals;                       ///< one an iteration
  std::string stopped_by;                              ///< why iterations ended early
  std::vector<std::pair<std::string, double>> chosen;  ///< values that the method took from the data
  StageSeconds seconds;                                ///< by stage; "total": the time of the run
  double gups = 0;                                     ///< 1e9 updates of a voxel by a view a second
  std::int64_t volume_bytes = 0;                       ///< bytes on the device, where the method reports them
  PassTimes passes;                                    ///< passes of the device, where they were timed
};

/// "2 readings at or below dark were replaced; 1 dead pixel interpolated"; empty where nothing was repaired.
std::string repairs_text(const SessionReport&);

/// The text of `backend_from`. `asked`: the name given to choose_backend(); `passed_over`: the backends that it passed
/// over, with reasons.
std::string backend_reason(const std::string& asked, const std::vector<std::string>& passed_over,
                           const Backend& chosen);

/// Adds the values of a run, at any time during the run. Passes are not added.
void add_run(SessionReport&, const Backend&, const Reconstruction&, const Method&);

/// Names and texts, one a line, for people.
using ReportLines = std::vector<std::pair<std::string, std::string>>;
/// The loaded data: scan, repairs, corrections, rotation centre, volume.
ReportLines scan_lines(const SessionReport&);
/// The run: method, device, memory, time, residual.
ReportLines run_lines(const SessionReport&);

/// One object. Keys stay from version to version; see docs/design.md.
std::string to_json(const SessionReport&);

}  // namespace backlit
