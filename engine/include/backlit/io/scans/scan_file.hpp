// Reading and writing scans: a `.scan.toml`, or a container that carries its own geometry.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/preprocess/corrections.hpp>

namespace backlit {

/// A value taken from a scanner's file, for the user to check.
struct ScanFact {
  std::string meaning;  ///< "source to axis"
  std::string value;    ///< with its unit: "165.3 mm"
  std::string source;   ///< its place in the file: "scan.xtekct:12, SrcToObject"
};

struct ScanFile;

/// A direction that a file states and that data can contradict, in the words of the format's reader.
struct ScanDirection {
  std::string name;     ///< "turning sense"
  std::string stated;   ///< "the turning sense of the file"
  std::string instead;  ///< another statement of the file, whose error would look the same: "the order of the columns"
};

/// How a reader takes a scan whose data contradict its file. By default the source turns, or travels, the other way.
struct DirectionReversal {
  ScanDirection across{"turning sense", "the turning sense of the file", "the order of the columns"};
  ScanDirection along{"travel along the axis", "the travel of the file", "the order of the rows"};
  double fixed_deg = 0;                                ///< the source stays at this angle when the sense is reversed
  std::function<void(ScanFile&, bool, bool)> apply{};  ///< places the views anew; across, along
};

/// The content of a scan file. Projections stay on disk until ProjectionSource::read().
struct ScanFile {
  enum class Kind { line_integrals, counts };

  std::filesystem::path path;
  Scan scan;
  std::vector<double> angles_deg;    ///< one a view where the trajectory has angles, else empty
  std::optional<VolumeGrid> volume;  ///< [volume], when given
  Kind kind = Kind::line_integrals;
  CorrectionOptions corrections{};                ///< [corrections]
  std::shared_ptr<ProjectionSource> projections;  ///< times [data] scale; null when the file has no [data]
  std::shared_ptr<ProjectionSource> flats;        ///< counts with the beam on and no object; null when there are none
  std::shared_ptr<ProjectionSource> darks;        ///< counts with the beam off; null when there are none
  std::string trajectory_toml;                    ///< [detector] and [trajectory] or [[view]] for ScanWriteOptions
  std::vector<std::filesystem::path> inputs;      ///< every file of this scan: itself, its stacks, angles, geometry
  std::optional<double> water;                    ///< attenuation of water in 1/mm, when the file says
  std::vector<float> photons;                     ///< of each view and column without an object; empty: unknown
  bool counted = false;                           ///< line integrals were computed from counts
  bool pixel_size_known = true;                   ///< false: 1 mm is assumed, lengths are in pixels
  bool patient_frame = false;                     ///< x is to the patient's left, y to the back, z to the head
  std::vector<std::string> notes;                 ///< assumptions, one sentence each, for the user
  std::vector<ScanFact> facts;                    ///< for scanners' own formats: all values that make the geometry
  std::vector<std::string> unused;                ///< fields of such files that are not used: "Name = value"
  DirectionReversal reversal{};                   ///< for formats whose directions load_scan() checks by the data
  std::vector<std::string> directions;            ///< turning sense and flips: what was taken, and why
};

/// Whether a file is for load_scan(): a .toml by its name, the other scan_formats() by content, folders unless they are
/// volumes.
bool is_scan(const std::filesystem::path&);

/// Loads a scan. The content decides the format, then the extension; the default is TOML. A folder means the only scan
/// in it, or the only .scan.toml among several. Paths inside are relative to the file. For formats
/// that users do not write, the data check turning sense and flips (ScanFile::directions). Throws
/// InputError("file:line", "[table] key: problem", remedy).
ScanFile load_scan(const std::filesystem::path&);
/// The same without the projections of a .scan.toml, which need not exist yet. They are opened only when the geometry
/// depends on them: on their size or number when [detector] and [trajectory] lack these, or on their headers (RTK).
ScanFile load_scan_geometry(const std::filesystem::path&);
/// The same from text; `name` names it in errors. Opens no file: a text that names a file is refused.
ScanFile parse_scan_geometry(const std::string& text, const std::string& name);

struct ScanWriteOptions {
  std::string trajectory_toml{};  ///< ScanFile's; written when its views equal the scan's, else [[view]] tables are
  std::string projections{};      ///< path to write, relative to the file; empty: no [data]
  std::string flats{}, darks{};   ///< paths or patterns; empty: none
  std::string scan{};             ///< in place of the paths above: a scan of another format that holds the data
  ScanFile::Kind kind = ScanFile::Kind::line_integrals;
  std::optional<VolumeGrid> volume{};
  CorrectionOptions corrections{};
};

/// The text of a `.scan.toml` that load_scan() reads back; `where` names it in errors.
std::string scan_text(const Scan&, const ScanWriteOptions&, const std::string& where);
/// Writes a scan, atomically: a `.scan.toml` unless the extension is another format's. load_scan() gives the same
/// numbers back.
void save_scan(const Scan&, const ScanWriteOptions&, const std::filesystem::path&);

}  // namespace backlit
