// The [detector] and [trajectory] (or [[view]]) parts of a scan file: read, and written back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/toml_reader.hpp>
#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// [trajectory] with a kind.
struct Trajectory {
  enum class Kind { circular, parallel, helical, laminographic };
  struct Arc {
    double start_deg = 0, arc_deg = 360;
    std::int64_t views = 0;
  };

  Kind kind = Kind::circular;
  std::vector<double> angles_deg;  ///< one a view
  std::optional<Arc> arc;          ///< when the angles share an arc equally
  double source_to_axis = 0;       ///< mm; 0: parallel beams
  double source_to_detector = 0;   ///< mm
  double pitch = 0;                ///< mm a turn, helical
  double start_z = 0;              ///< mm, helical
  double elevation_deg = 0;        ///< laminographic
  /// mm by which the focal spot of view i leaves its place along u, and along z: the (i mod length)-th; empty: nowhere.
  std::vector<double> focal_spot_u{}, focal_spot_z{};
  DetectorPlacement placement;
};

std::vector<View> make_views(const Trajectory&, const Detector&);

/// The circular or parallel trajectory whose views these are, to 1e-9 of its lengths; nothing where there is none.
std::optional<Trajectory> find_trajectory(const Scan&);

/// How images of a stack are views: one image a view, or one image whose rows are views (a sinogram).
struct StackLayout {
  std::int64_t columns = 0, rows = 0, views = 0;
  bool sinogram = false;
};

/// `rows`: of the detector; `views`: of the scan; 0 = not known. Only a single image can be a sinogram: it is one when
/// the detector has one row, or when nothing is said about its rows and the scan is not known to be one view.
StackLayout stack_layout(const StackInfo&, std::int64_t rows, std::int64_t views);

struct ScanGeometry {
  Scan scan;
  std::vector<double> angles_deg;    ///< empty for [[view]] tables and geometry files
  std::vector<std::string> notes{};  ///< of what the images' headers say: used where it is not obvious, or not used
  std::string toml;  ///< [detector] and [trajectory] or [[view]] again, with every file they named read in
};

/// `folder`: paths are relative to it. `images`: the stack of projections, when there is one: it may stand in for
/// columns, rows, views and pixel_mm, and must agree with those that are given. Throws InputError naming file, line and
/// key.
ScanGeometry read_scan_geometry(const TomlTable& root, const std::filesystem::path& folder,
                                const std::optional<StackInfo>& images);

/// [detector] and [trajectory] that read_scan_geometry() gives back exactly.
std::string geometry_toml(const Detector&, const Trajectory&);
/// [detector] and one [[view]] a view, exact too.
std::string geometry_toml(const Scan&);
/// A number as TOML holds it, with every digit that it needs to come back the same.
std::string toml_number(double);
/// "[1.0, 2.0]"
std::string toml_numbers(const std::vector<double>&);
/// "text", with quotes and escapes.
std::string toml_text(const std::string&);

/// `spec` (a file, a glob, "file.h5:/path") as seen from `folder`.
std::string resolve_path(const std::filesystem::path& folder, const std::string& spec);

/// The text of `key` as one of `choices`' positions; throws naming the nearest of them.
std::size_t choose(const TomlTable&, std::string_view key, const std::string& value,
                   const std::vector<std::string_view>& choices);

}  // namespace backlit
