// The common part of the readers of scanners' own formats: from header fields to a ScanFile.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include "io/volumes/stacks/bare_images.hpp"

namespace backlit {

class HeaderFields;

/// A scan without data. Throws InputError(path) when the geometry is not valid.
ScanFile scan_without_data(const std::filesystem::path&, const Detector&, const Trajectory&);

/// Opens `spec` (see open_stack()) as the projections of `file`, whose geometry is known.
void set_projections(ScanFile& file, const std::string& spec);

/// Notes columns and rows that the images' own header gives; `source` names it.
void note_image_size(HeaderFields&, const Detector&, const std::string& source);

/// Declares the projections as counts, with `counts` in every pixel for the open beam.
void set_open_beam(ScanFile& file, double counts);

/// What a chamber beside the tube measured of the open beam; 0: nothing.
struct BeamChamber {
  double value;
  const char* field;  ///< of images' headers
};
/// Takes an image without an object for the flat. Where chambers measured it and each view, views are scaled to it.
void set_air_scan(ScanFile&, const std::filesystem::path& image, const BeamChamber&, const std::vector<double>& views,
                  HeaderFields&);

/// Follows a detector that moved during the scan: `moved` is its place in each view, mm along columns and rows,
/// `middle` the place that the trajectory has. Notes the fact where it moved by more than a tenth of a pixel.
void follow_detector(Trajectory&, const Detector&, const std::vector<glm::dvec2>& moved, const glm::dvec2& middle,
                     const std::string& source, HeaderFields&);

/// A folder that may hold a scanner's images, and the prefix of their names.
struct ImagePlace {
  std::filesystem::path folder;
  std::string prefix;
};

/// TIFF images PREFIX0001.tif, PREFIX0002.tif, ... in the order of their numbers, from the first place that has any.
/// Throws InputError, naming the scan's file `header`, when no place has images.
std::vector<std::filesystem::path> numbered_images(const std::filesystem::path& header,
                                                   const std::vector<ImagePlace>& places);

/// Sets the images of these files as the projections of `file`, and the files as its inputs. What the first one's
/// header says is added to its facts. Throws InputError when there are too few or too many.
void set_projection_files(ScanFile& file, std::vector<std::filesystem::path>);

/// The same for images without a header that describes them. One file may hold all of them.
void set_bare_projections(ScanFile& file, std::vector<std::filesystem::path>, const BareImageFormat& = {});

/// Files of a folder whose names end so, whatever the case, in natural order; none where there is no such folder.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, std::string_view ending);

/// "from 0 to 359.5 in steps of 0.5 deg"
std::string angles_text(const std::vector<double>& angles_deg);

}  // namespace backlit
