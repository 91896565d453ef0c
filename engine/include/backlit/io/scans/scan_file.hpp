// Reading and writing scans: a `.scan.toml`, or a container that carries its own geometry.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// A value taken from a scanner's file, for the user to check.
struct ScanFact {
  std::string meaning;  ///< "source to axis"
  std::string value;    ///< with its unit: "165.3 mm"
  std::string source;   ///< where it stands: "scan.xtekct:12, SrcToObject"
};

/// The content of a scan file. Projections are read when a source is asked for views.
struct ScanFile {
  enum class Kind { line_integrals, counts };

  std::filesystem::path path;
  Scan scan;
  std::vector<double> angles_deg;    ///< one a view where the trajectory has angles, else empty
  std::optional<VolumeGrid> volume;  ///< [volume], when given
  Kind kind = Kind::line_integrals;
  std::shared_ptr<ProjectionSource> projections;  ///< times [data] scale; null when the file has no [data]
  std::shared_ptr<ProjectionSource> flats;        ///< counts with the beam on and no object; null when there are none
  std::shared_ptr<ProjectionSource> darks;        ///< counts with the beam off; null when there are none
  std::string trajectory_toml;                    ///< [detector] and [trajectory] or [[view]] for ScanWriteOptions
  std::vector<std::filesystem::path> inputs;      ///< every file of this scan: itself, its stacks, angles, geometry
  std::optional<double> water;                    ///< attenuation of water in 1/mm, when the file says
  bool pixel_size_known = true;                   ///< false: 1 mm is assumed, lengths are in pixels
  std::vector<std::string> notes;                 ///< assumptions, one sentence each, for the user
  std::vector<ScanFact> facts;                    ///< of scanners' own formats: all that the geometry is made of
  std::vector<std::string> unused;                ///< fields of such files that are not used: "Name = value"
};

/// Whether a file is for load_scan(): a .toml by its name, the other scan_formats() by content, folders unless they are
/// volumes.
bool is_scan(const std::filesystem::path&);

/// Chooses by content, then by extension, else TOML. A folder means the only scan in it, or the only .scan.toml
/// among several. Paths inside are relative to the file. Readers of scanners' own formats ask the data whether they
/// turn as the file says (see turning_sense.hpp). Throws InputError("file:line", "[table] key: problem", remedy).
ScanFile load_scan(const std::filesystem::path&);
/// The same without the projections of a .scan.toml, which need not exist yet: they are opened only when [detector] and
/// [trajectory] leave their sizes or the number of views to them, or the geometry file leaves the position of the
/// images to their headers (RTK).
ScanFile load_scan_geometry(const std::filesystem::path&);
/// The same from text that came from elsewhere; `name` names it in errors. It holds numbers alone: a text that
/// names a file is refused, and no file is opened.
ScanFile parse_scan_geometry(const std::string& text, const std::string& name);

struct ScanWriteOptions {
  std::string trajectory_toml{};  ///< ScanFile's; written when it says the same as the scan, else [[view]] tables are
  std::string projections{};      ///< path as the file shall hold it, relative to the file; empty: no [data]
  std::string flats{}, darks{};   ///< patterns, too; empty: none
  std::string scan{};             ///< in place of these: the scan of another format whose data are taken
  ScanFile::Kind kind = ScanFile::Kind::line_integrals;
  std::optional<VolumeGrid> volume{};
};

/// The text of a `.scan.toml` that load_scan() reads back; `where` names it in errors.
std::string scan_text(const Scan&, const ScanWriteOptions&, const std::string& where);
/// Writes a scan, atomically: a `.scan.toml` unless the name is that of another format. load_scan() gives the same
/// numbers back.
void save_scan(const Scan&, const ScanWriteOptions&, const std::filesystem::path&);

}  // namespace backlit
