// All settings of the viewer as plain data: they are saved, restored, undone and scripted.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <backlit/core/parameter.hpp>
#include <backlit/geometry/rigid_motion.hpp>
#include <backlit/pet/reconstruction.hpp>
#include <backlit/preprocess/corrections.hpp>
#include <backlit/recon/methods/fdk.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/render/camera.hpp>
#include <backlit/render/colormap.hpp>
#include <backlit/render/volume_rendering.hpp>

namespace backlit::viewer {

/// Corrections of the scan's geometry. As they are here: the file's geometry.
struct GeometryState {
  double center_shift = 0;                    ///< px, added to the column on which the axis projects
  double offset_v = 0;                        ///< px, added to the row on which the mid-plane projects
  double tilt_u = 0, tilt_v = 0, tilt_n = 0;  ///< deg, detector's tilts; see DetectorPlacement
  double detector_distance = 1;               ///< factor of the distance from source to detector; cone beams
  double axis_distance = 1;                   ///< the same from source to axis, which is the scale of the volume
  bool reversed = false;                      ///< the object rotated in the opposite direction
  bool operator==(const GeometryState&) const = default;
};

/// The region to reconstruct. Zeros: the scan file's [volume], or the region that every view sees.
struct GridState {
  Size3 size{0, 0, 0};
  double voxel = 0;  ///< mm; given alone, the size of the box stays
  Vec3 center{0};    ///< mm, added to the middle of the box
  bool operator==(const GridState&) const = default;
};

struct ReconState {
  std::string backend = "auto";
  std::string on_failure = "stop";  ///< or the backend on which a run goes on when its device fails
  Method method{};
  std::int64_t interval = 16;       ///< live FDK: views between two pictures
  bool lockstep = false;            ///< continue only after a picture was shown (measures the share of rendering)
  bool follow = true;               ///< a changed parameter starts a new reconstruction
  bool steer = true;                ///< iterations go on from their volume when a parameter that steers changes
  CorrectionOptions corrections{};  ///< besides those of the scan file
};

/// Changes the method; keeps the filter, precision and iterations if the new method has them.
void set_method(ReconState&, const std::string& name);
/// The method to run: parameters that have no effect, which widgets keep, are reset.
Method method_of(const ReconState&);

/// Settings for reading and reconstructing a list of PET events.
struct PetState {
  /// Defaults: many small steps, each of which is shown, and the likelihood for its plot.
  PetOptions options = [] {
    PetOptions o;
    o.iterations = 4;
    o.subsets = 8;
    o.likelihood = true;
    return o;
  }();
  std::string attenuation{};  ///< see load_attenuation(); empty: none
  Vec3 attenuation_move{0};   ///< mm, from where its file puts it; see RigidMotion
  Vec3 attenuation_turn{0};   ///< deg, about its middle
  std::string scanner{};      ///< scanner or crystal map of the list; empty: the file beside the list
  bool flip_tof = false;      ///< the list's time differences are t2 - t1
  double weight = 0;          ///< kg, of the patient; 0: the list's
  double dose = 0;            ///< MBq, when the list begins; 0: the list's
};

struct DisplayState {
  double low = 0, high = 0;  ///< the window; equal: chosen when the first volume is shown
  std::string map = "gray";
  std::string transfer = "auto";   ///< name of a transfer function; "custom": transfer_text
  std::string transfer_text{};     ///< see parse_transfer_function()
  std::string mode = "dvr";        ///< 3-D view, see volume_mode_names()
  std::string picture = "volume";  ///< volume, d2vr, split (volume | d2vr | difference), difference
  bool smooth = true;              ///< slices are interpolated between voxels; false: voxels are squares
  double denoise = 0;              ///< noise of the finished volume is smoothed, so many times as much; 0: it is not
  double iso = 0;                  ///< 0: automatic, from the histogram
  double iso_opacity = 1;          ///< of that surface
  std::string iso_color = "#e8d6b8";
  bool materials = false;  ///< colour slices, and mode dvr, by ViewState::materials
  bool shaded = true;
  double gradient_opacity = 0, shadows = 0, occlusion = 0;  ///< see VolumeRenderOptions
  double step = 0.5;                                        ///< see VolumeRenderOptions
  double water = 0.02, air = 0;                             ///< 1/mm, values at 0 and -1000 HU
  bool crop = false;
  Vec3 crop_low{-100}, crop_high{100};  ///< mm
};

/// Switches the crop box on; one that was never set holds the whole volume.
void start_crop(DisplayState&, const VolumeGrid&);

/// A surface that the 3-D view shows beside the one at DisplayState::iso.
struct IsoSurface {
  double value = 0;
  double opacity = 0.5;
  std::string color = "#c05030";  ///< red, green, blue
  bool operator==(const IsoSurface&) const = default;
};
inline constexpr std::size_t most_surfaces = 4;  ///< beside the first
/// "#e8d6b8" as bytes. Throws InputError(where) for anything else.
Rgb color_from(const std::string& text, const std::string& where);

/// Values that are one material, with the colour and opacity that they have in slices and in 3-D.
struct Material {
  std::string name{};
  double low = 0, high = 0;
  std::string color = "#c05030";
  double opacity = 0.5;  ///< over 1.5 % of the volume's largest side; 0: clear, in slices too
  bool operator==(const Material&) const = default;
};
inline constexpr std::size_t most_materials = 8;

struct ObliqueState {
  bool shown = false;
  Vec3 center{0};               ///< mm
  Vec3 normal{0, 0, 1}, up{0};  ///< see oriented_plane()
  bool from_views = true;       ///< computed from the projections if there are any
  bool operator==(const ObliqueState&) const = default;
};

/// Magnification and place of the picture in one pane, beside those that all slices share.
struct SlicePlace {
  double zoom = 1;
  Vec3 pan{0};  ///< mm
  bool operator==(const SlicePlace&) const = default;
};

struct LayoutState {
  std::string panes = "four";      ///< see layout_names()
  std::string tool = "crosshair";  ///< of the left button in slices, see tool_names()
  std::string theme = "dark";      ///< dark, light
  double font_scale = 1;
  bool show_crosshair = true, show_scale_bar = true, show_panels = true;
  double left_width = 0, right_width = 0;  ///< units, of the panels; 0: automatic
  bool show_geometry = true;               ///< draw source, detector and rays if `panes` is geometry
  bool geometry_in_3d = false;             ///< ... and over the volume in other layouts
  double slice_zoom = 1;
  Vec3 slice_pan{0};                ///< mm, of the middle of the slices' panes
  bool linked_zoom = true;          ///< slices are zoomed and moved together; false: each has its own place, too
  std::array<SlicePlace, 3> own{};  ///< of the slices across x, y, z
  bool large_profile = false;       ///< the last profile in a plot of its own, over the panes
  bool snap = false;                ///< points of measurements in slices go to the nearest edge
  double oblique_zoom = 1;          ///< of the oblique slice besides slice_zoom, without linked_zoom
  bool pixel_grid = false;          ///< draw the voxels' borders where they are wide enough
  std::int64_t view = 0;            ///< of the scan, shown measured and reprojected
  bool from_source = false;         ///< the camera looks from the source of that view
  std::string large{};              ///< "axial", ...: this pane alone is shown; empty: all of the arrangement
  std::string compare = "off";      ///< with the volume that was pinned, see compare_modes()
  double wipe = 0.5;                ///< share of a pane that shows the pinned volume
  double column_share = 0;          ///< of the panes' width, before the first gap; 0: automatic
  double row_share = 0;             ///< of the panes' height, above the first gap; 0: automatic
  double center_step = 1;           ///< px from one rotation centre to the next in the layout "centers"
  std::string strip = "off";        ///< what is shown below the panes, see strip_names()
  std::string selected_number = "center_shift";  ///< of the geometry: keys change it, the strip compares it
  double step_scale = 1;                         ///< of the steps of that parameter
  bool flipped = false;                          ///< A is shown in place of B, where they are flipped
  double slab = 0;                               ///< mm, thickness of the slices; 0: none
  std::string slab_mode = "largest";             ///< value shown of a slab: largest, smallest, mean
  std::string play = "off";  ///< played as a film: slices axial, coronal, sagittal; cameras: path, turntable
  double play_speed = 10;    ///< slices a second
};
/// An arrangement of panes and panels that was saved under a name.
struct NamedLayout {
  std::string name;
  std::string panes = "four", large{}, strip = "off";  ///< see LayoutState
  bool oblique = false, show_panels = true;            ///< whether they are shown
  double column_share = 0, row_share = 0;              ///< see LayoutState
  double left_width = 0, right_width = 0;
  bool operator==(const NamedLayout&) const = default;
};
inline constexpr std::size_t most_layouts = 20;

/// four, slices, volume, projections, geometry, centers.
const std::vector<std::string>& layout_names();
/// Below the panes: off, candidates (slices for values of the selected number), sinogram or view (before and after
/// the corrections).
const std::vector<std::string>& strip_names();
/// off, wipe (A on the left), flicker (A and B in turn), flip (A or B, by a key), side (by side), difference (B - A),
/// overlay (A over B).
const std::vector<std::string>& compare_modes();
/// What the left button does in slices, the measurements among it.
const std::vector<std::string>& tool_names();

/// The pinned volume, A, beside the present one, B.
struct PinnedState {
  std::string file{};        ///< A is this volume; empty: the one that was pinned
  std::int64_t kept = 0;     ///< number of an A without a file, which sessions do not hold; 0: none
  std::string map = "same";  ///< its colours; "same": B's, and those of heat in the overlay
  double opacity = 0.6;      ///< of the overlay
  double low = 0, high = 0;  ///< its window; equal: automatic, see pinned_window()
  Vec3 move{0};              ///< mm
  Vec3 turn{0};              ///< deg, about A's middle; see RigidMotion
  bool operator==(const PinnedState&) const = default;
};
RigidMotion motion_of(const PinnedState&, const VolumeGrid& pinned);
/// Whether both are the same volume, however it lies.
inline bool same_pinned(const PinnedState& a, const PinnedState& b) { return a.file == b.file && a.kept == b.kept; }

/// A ball that a brush added to the segment, or took from it.
struct BrushBall {
  Vec3 center{0};  ///< mm
  double radius = 1;
  bool added = true;
  bool operator==(const BrushBall&) const = default;
};
/// A part of the volume: values of a range, and what a brush added and took away, in that order.
struct SegmentState {
  bool shown = false;
  double low = 0, high = 0;  ///< equal: from the automatic surface's value up
  double brush = 3;          ///< mm, radius
  std::vector<BrushBall> balls{};
  bool operator==(const SegmentState&) const = default;
};
/// Whether there is a pane that shows the volume in 3-D.
bool has_volume_pane(const LayoutState&);

/// Turntables and camera paths as files.
struct MovieState {
  double seconds = 3;       ///< at pictures_a_second
  std::int64_t side = 512;  ///< px
  bool operator==(const MovieState&) const = default;
};
inline constexpr int pictures_a_second = 25;  ///< of a movie
/// Pictures that a movie of this length has; at least 2.
std::int64_t picture_count(const MovieState&);

struct Measurement {
  enum class Kind { distance, angle, profile, region, note };
  Kind kind = Kind::distance;
  std::vector<Vec3> points;  ///< mm; 2, 3 (the second is the corner), 2, 2 (opposite corners of a box), 1
  std::string text{};        ///< what a note says, or a measurement is called
  bool operator==(const Measurement&) const = default;
};
const std::vector<std::string>& measurement_names();
/// Number of points of a measurement of this kind.
std::size_t point_count(Measurement::Kind);
/// mm, or degrees for an angle; 0 of a note; of a region the volume of its box in mm^3.
double measured(const Measurement&);

struct ViewState {
  std::string path{};   ///< the open file; empty: the start screen
  std::string watch{};  ///< folder or tcp://... from which views arrive; empty: none
  double pixel = 0;     ///< mm, side of a pixel or voxel of a file that gives none; 0: lengths are in pixels
  double slices = 0;    ///< mm (or pixels) from one image of a stack that gives no size to the next; 0: as `pixel`
  ReconState recon;
  PetState pet;
  GeometryState geometry;
  GridState grid;
  DisplayState display;
  std::vector<RenderPlane> clips;
  std::vector<IsoSurface> surfaces;
  std::vector<Material> materials;  ///< by rising values, which do not overlap
  Vec3 crosshair{0};                ///< mm
  ObliqueState oblique;
  Turntable camera;
  std::vector<Turntable> keyframes;  ///< cameras of a path
  LayoutState layout;
  std::vector<NamedLayout> layouts;  ///< the user's own, also among the preferences
  PinnedState pinned;
  SegmentState segment;
  MovieState movie;
  std::vector<Measurement> measurements;
};

/// Whether all saved values are equal.
bool operator==(const ViewState&, const ViewState&);

/// One table of the saved file, which is also one group of widgets.
struct StateSection {
  std::string name;
  Parameters parameters;
};

/// Declares every scalar of the state, in order; the targets point into it.
std::vector<StateSection> describe(ViewState&);
/// Finds a parameter by name, "shaded", or "camera.zoom" if several sections have the name. If both kinds of
/// reconstruction have it, `list_mode` decides. Throws InputError that names the nearest parameter.
Parameter find_state_parameter(ViewState&, const std::string& name, bool list_mode = false);

/// Throws InputError naming the first invalid value.
void check(const ViewState&);

/// The present arrangement, to be saved under a name; and back.
NamedLayout named_layout(const ViewState&, const std::string& name);
void arrange(ViewState&, const NamedLayout&);

/// Multiplies all lengths by `factor`.
void rescale_lengths(ViewState&, double factor);
/// Sets the distance from source to axis so that `length` becomes `truth`, and all lengths with it. Returns false, with
/// nothing done, where the distance would be less than a hundredth or more than a hundred times what the file states.
bool scale_to_length(ViewState&, double length, double truth);
/// Multiplies all values of the volume by `factor`: window, isosurface, segment.
void rescale_values(ViewState&, double factor);
/// Whether both settings read a list in the same manner.
bool same_list(const PetState&, const PetState&);
/// Whether both states give the same reconstruction.
bool same_reconstruction(const ViewState&, const ViewState&);
/// Whether iterations go on from their volume with other parameters (Parameter::steers) in place of a new run.
bool steers(const ReconState& from, const ReconState& to);
bool steers(const ViewState& from, const ViewState& to);

}  // namespace backlit::viewer
