// What the readers of scanners' own formats have in common: from understood fields to a ScanFile.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/scans/scan_geometry.hpp>

namespace backlit {

/// A scan without data. Throws InputError(path) when the geometry is of no use.
ScanFile scan_without_data(const std::filesystem::path&, const Detector&, const Trajectory&);

/// Opens `spec` (see open_stack()) as the projections of `file`, whose geometry is known.
void set_projections(ScanFile& file, const std::string& spec);

/// The projections are counts, and the open beam was this many of them in every pixel.
void set_open_beam(ScanFile& file, double counts);

/// Asks the data whether the scan turns the way that its file says. Where they contradict it, turns the views the other
/// way and says so in a note; what was found is a fact in any case. Call it last.
void settle_turning_sense(ScanFile& file, const Detector&, Trajectory);

/// Where a scanner's images may be, and how their names begin.
struct ImagePlace {
  std::filesystem::path folder;
  std::string prefix;
};

/// TIFF images PREFIX0001.tif, PREFIX0002.tif, ... in the order of their numbers, from the first place that has some.
/// Throws InputError, naming the scan's file `header`, where none has.
std::vector<std::filesystem::path> numbered_images(const std::filesystem::path& header,
                                                   const std::vector<ImagePlace>& places);

/// The images of these files are the projections of `file`, and they are its inputs. Throws InputError when they are
/// too few or too many.
void set_projection_files(ScanFile& file, std::vector<std::filesystem::path>);

/// The same for little-endian counts of 16 bits without a header.
void set_bare_projections(ScanFile& file, std::vector<std::filesystem::path>);

/// Files of a folder whose names end so, whatever the case, in natural order; none where there is no such folder.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, std::string_view ending);

/// "from 0 to 359.5 in steps of 0.5 deg"
std::string angles_text(const std::vector<double>& angles_deg);

}  // namespace backlit
