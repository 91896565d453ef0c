// Formats of geometries without projections: how source and detector stand in each view. One file each in
// engine/io/scans.
#pragma once

#include <list>

#include <backlit/geometry/view.hpp>
#include <backlit/io/file_format.hpp>

namespace backlit {

/// A geometry file as its reader gets it.
struct GeometryText {
  std::string name;               ///< the file, for errors
  std::string text;               ///< all of it
  double source_to_detector = 0;  ///< mm, for formats that leave it free; 0: not known
  /// Where the middle of the images lies in the coordinates of their own headers, mm. For formats that count from the
  /// images' origin (image_frame_counts); 0, 0 otherwise.
  glm::dvec2 image_middle{0, 0};
};

struct GeometryFormat : FileFormat {
  /// The views of a text, for a detector whose columns, rows and pixel size are known. Sets detector.shape and radius
  /// where the text says so. Throws InputError naming the file and the line or view. Required.
  std::function<std::vector<View>(const GeometryText&, Detector&)> read;
  /// The text of a scan's views; `name` names the file in errors. Throws Unsupported for views that the format
  /// cannot hold. Empty where saved_as is.
  std::function<std::string(const Scan&, const std::string& name)> write{};
  /// The format says nothing about pixels: their size and the position of the images come from the images' headers.
  bool image_frame_counts = false;
};

/// The table, in the order in which help names the formats.
const std::list<GeometryFormat>& geometry_formats();

/// Adds a format to the end of the table; read_geometry() and write_geometry() know it from then on. Throws InputError
/// when its name or an extension that it saves under is taken.
void register_geometry_format(GeometryFormat);

}  // namespace backlit
