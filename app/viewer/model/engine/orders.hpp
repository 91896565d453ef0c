// What the window's thread asks of the worker.
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

/// Opens a file, whatever it is; what was open goes when that has worked.
struct Open {
  std::string path;
  PetState pet{};  ///< how lists are read
};
/// Views come from a folder or a socket (tcp://...) while they are measured.
struct Watch {
  std::string from;
};
/// Reconstructs what is open. A run in progress is given up for it.
struct Run {
  ReconState recon;
  PetState pet;
  GeometryState geometry;
  GridState grid;
  std::uint64_t serial = 0;
};
enum class Control {
  pause,
  resume,
  step,    ///< one work item (live FDK: up to the next picture), then pause
  finish,  ///< end now, keep what there is
  cancel   ///< end now
};
/// Where the axis projects, seen without rings where their window is not 0.
struct FindCenter {
  std::int64_t stripes = 0;
  bool opening = false;  ///< of a file that was opened; where no centre can be found, the file's stands
};
/// Keeps the volume shown as A, with which others are compared, or a volume from a file.
struct Pin {
  std::string file{};  ///< empty: the volume shown
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
/// A measured view beside its reprojection from the volume shown.
struct Compare {
  std::int64_t view = 0;
};
/// Slices straight from the projections, by these parameters, whatever the volume shown was made with.
struct Slices {
  std::vector<CutPlane> planes;
  ReconState recon;
  GeometryState geometry;
  std::uint64_t serial = 0;
};
/// The same of one plane, which has a pane of its own.
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
/// The slice through `position` mm along `axis`: .tif as values, .png in colours.
struct ExportSlice {
  std::string path;
  Axis axis = Axis::z;
  double position = 0;
  Window window;
  std::string map = "gray";
};

}  // namespace backlit::viewer::order

namespace backlit::viewer {

using Order = std::variant<order::Open, order::Watch, order::Run, order::Control, order::FindCenter, order::Pin,
                           order::CompareVolumes, order::Register, order::ExportPinned, order::Segment, order::Compare,
                           order::Slices, order::Oblique, order::D2vr, order::ExportVolume, order::ExportSlice>;

}  // namespace backlit::viewer
