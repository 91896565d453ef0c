// The [detector] and [trajectory] (or [[view]]) parts of a scan file: read, and written back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/geometry/view_shifts.hpp>
#include <backlit/io/toml_reader.hpp>
#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// The content of a [trajectory] with a kind.
struct Trajectory {
  enum class Kind { circular, parallel, helical, laminographic };
  struct Arc {
    double start_deg = 0, arc_deg = 360;
    std::int64_t views = 0;
  };

  Kind kind = Kind::circular;
  std::vector<double> angles_deg;  ///< one a view
  std::optional<Arc> arc;          ///< set when the angles divide an arc equally
  double source_to_axis = 0;       ///< mm; 0: parallel beams
  double source_to_detector = 0;   ///< mm
  double pitch = 0;                ///< mm a turn, helical
  double start_z = 0;              ///< mm, helical
  double elevation_deg = 0;        ///< laminographic
  /// mm by which the focal spot is shifted along u, and along z. View i has entry i mod length; empty: no shift.
  std::vector<double> focal_spot_u{}, focal_spot_z{};
  DetectorPlacement placement;
  std::vector<ViewShift> shifts{};  ///< px, one per view, on top of the placement; empty: none
};

std::vector<View> make_views(const Trajectory&, const Detector&);

/// The circular or parallel trajectory that gives the scan's views, to 1e-9 of its lengths; nothing where there is
/// none. Single views may be shifted: `placement` then has the mean offset.
std::optional<Trajectory> find_trajectory(const Scan&);

/// The meaning of a stack's images: one image a view, or one image whose rows are views (a sinogram).
struct StackLayout {
  std::int64_t columns = 0, rows = 0, views = 0;
  bool sinogram = false;
};

/// `rows`: of the detector; `views`: of the scan; 0 = not known. Only a single image can be a sinogram. It is one when
/// the detector has one row, or when `rows` is 0 and `views` is not 1.
StackLayout stack_layout(const StackInfo&, std::int64_t rows, std::int64_t views);

struct ScanGeometry {
  Scan scan;
  std::vector<double> angles_deg;    ///< empty for [[view]] tables and geometry files
  std::vector<std::string> notes{};  ///< notes on values of the images' headers that were used or ignored
  std::string toml;  ///< [detector] and [trajectory] or [[view]] as text, with the content of every file that they name
};

/// Reads the geometry of a scan file. Paths are relative to `folder`. `images`: the stack of projections, when there is
/// one. It gives columns, rows, views and pixel_mm where the file lacks them, and must agree with given ones. Throws
/// InputError naming file, line and key.
ScanGeometry read_scan_geometry(const TomlTable& root, const std::filesystem::path& folder,
                                const std::optional<StackInfo>& images);

/// Writes [detector] and [trajectory]; read_scan_geometry() gives exactly the same values back.
std::string geometry_toml(const Detector&, const Trajectory&);
/// Writes [detector] and one [[view]] a view, exact too.
std::string geometry_toml(const Scan&);
/// A number as TOML, with all digits that exact reading needs.
std::string toml_number(double);
/// "[1.0, 2.0]"
std::string toml_numbers(const std::vector<double>&);
/// "text", with quotes and escapes.
std::string toml_text(const std::string&);

/// `spec` (a file, a glob, "file.h5:/path") relative to `folder`.
std::string resolve_path(const std::filesystem::path& folder, const std::string& spec);

/// The index of `value`, the text of `key`, in `choices`. Throws InputError naming the nearest choice.
std::size_t choose(const TomlTable&, std::string_view key, const std::string& value,
                   const std::vector<std::string_view>& choices);

}  // namespace backlit
