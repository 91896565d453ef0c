// Orders of the window's thread to the worker.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <backlit/render/cut_plane.hpp>
#include <backlit/render/plane.hpp>
#include <backlit/render/transfer_function.hpp>
#include <backlit/render/volume_rendering.hpp>
#include "model/state.hpp"

namespace backlit::viewer::order {

/// Opens a file of any kind; the old source stays if that fails.
struct Open {
  std::string path;
  PetState pet{};                ///< how to read lists
  double pixel = 0, slices = 0;  ///< see open_source()
};
/// Receives views from a folder or a socket (tcp://...) while they are measured.
struct Watch {
  std::string from;
};
/// Reconstructs the open source. Replaces a run in progress.
struct Run {
  ReconState recon;
  PetState pet;
  GeometryState geometry;
  GridState grid;
  std::uint64_t serial = 0;
  bool goes_on = false;  ///< from the volume of the last run, if that can be steered to these parameters
};
enum class Control {
  pause,
  resume,
  step,    ///< one work item (live FDK: up to the next picture), then pause
  finish,  ///< end now, keep the result
  cancel   ///< end now
};
/// Finds the column on which the axis projects; corrects the views first.
struct FindCenter {
  CorrectionOptions corrections{};
  bool opening = false;  ///< after opening a file: if no centre is found, the file's stays
};
/// Looks for faults that corrections could take away.
struct FindFaults {};
/// Finds the geometry; corrects the views first.
struct Calibrate {
  CorrectionOptions corrections{};
};
/// Makes a volume A, with which others are compared: one from a file, the volume shown, or one that was A before.
struct Pin {
  std::string file{};     ///< not empty: the volume from this file
  std::int64_t kept = 0;  ///< number of an A without a file, see PinnedState
  bool shown = false;     ///< it is the volume shown now, which gets the number; otherwise it has it already
};
/// RMSE and SSIM of the volume shown against A, as that lies.
struct CompareVolumes {
  PinnedState pinned;
};
/// Turns and moves A onto the volume shown, from where it lies.
struct Register {
  PinnedState pinned;
};
/// A as it lies, at the voxels of the volume shown.
struct ExportPinned {
  std::string path;
  PinnedState pinned;
};
/// Volume and surface of a segment of the volume shown.
struct Segment {
  double low = 0, high = 0;  ///< of the values in it
  std::vector<BrushBall> balls;
  std::string surface;  ///< .stl or .ply to write; empty: none
  std::uint64_t serial = 0;
};
/// Makes a segment's field the volume that the 3-D view shows over the other one.
struct ShowSegment {
  double low = 0, high = 0;
  std::vector<BrushBall> balls;
};
/// Local thickness of a segment, which becomes A.
struct Thickness {
  double low = 0, high = 0;
  std::vector<BrushBall> balls;
  std::int64_t kept = 0;  ///< number that the map gets as A
};
/// Shows the volume with its noise smoothed, or as it was made.
struct Denoise {
  double strength = 0;  ///< times the noise in it; 0: as it was made
};
/// One detector row of all views.
struct Sinogram {
  std::int64_t row = 0;
};
/// A part of the scan before and after corrections.
struct Preview {
  CorrectionOptions corrections;
  bool sinogram = true;     ///< else one view
  std::int64_t number = 0;  ///< of the detector row, or of the view
};
/// A measured view beside its reprojection from the volume shown.
struct Compare {
  std::int64_t view = 0;
};
/// Computes slices directly from the projections with these parameters, independently of the volume shown.
struct Slices {
  std::vector<CutPlane> planes;
  ReconState recon;
  GeometryState geometry;
  std::uint64_t serial = 0;
};
/// One plane under several geometries.
struct Candidates {
  CutPlane plane;
  std::vector<GeometryState> geometries;
  ReconState recon;
  std::uint64_t serial = 0;
};
/// Like Slices, for one plane with its own pane.
struct Oblique {
  CutPlane plane;
  ReconState recon;
  GeometryState geometry;
  std::uint64_t serial = 0;
};
struct D2vr {
  CameraRays camera;
  VolumeRenderOptions options;
  Classifier classifier;
  std::uint64_t serial = 0;
};
struct ExportVolume {
  std::string path;
};
/// Saves the slice at `position` mm along `axis`: .tif as values, .png in colours.
struct ExportSlice {
  std::string path;
  Axis axis = Axis::z;
  double position = 0;
  Window window;
  std::string map = "gray";
};

}  // namespace backlit::viewer::order

namespace backlit::viewer {

using Order = std::variant<order::Open, order::Watch, order::Run, order::Control, order::FindCenter, order::FindFaults,
                           order::Calibrate, order::Pin, order::CompareVolumes, order::Register, order::ExportPinned,
                           order::Segment, order::ShowSegment, order::Thickness, order::Denoise, order::Sinogram,
                           order::Preview, order::Compare, order::Slices, order::Candidates, order::Oblique,
                           order::D2vr, order::ExportVolume, order::ExportSlice>;

}  // namespace backlit::viewer
