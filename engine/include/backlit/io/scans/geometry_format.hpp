// Formats of geometries without projections: positions of source and detector in each view. One file each in
// engine/io/scans.
#pragma once

#include <list>

#include <backlit/geometry/view.hpp>
#include <backlit/io/file_format.hpp>

namespace backlit {

/// The input of a reader of geometries.
struct GeometryText {
  std::string name;               ///< the file, for errors
  std::string text;               ///< all of it
  double source_to_detector = 0;  ///< mm, for formats that do not hold it; 0: not known
  /// The middle of the images in the coordinates of their own headers, mm. For formats with image_frame_counts; 0, 0
  /// otherwise.
  glm::dvec2 image_middle{0, 0};
};

struct GeometryFormat : FileFormat {
  /// Reads the views of a text, for a detector whose columns, rows and pixel size are known. Sets detector.shape and
  /// radius where the text gives them. Throws InputError naming the file and the line or view. Required.
  std::function<std::vector<View>(const GeometryText&, Detector&)> read;
  /// Writes a scan's views as text; `name` names the file in errors. Throws Unsupported for views that the format
  /// cannot hold. Empty when saved_as is empty.
  std::function<std::string(const Scan&, const std::string& name)> write{};
  /// The format holds nothing about pixels: their size and the position of the images come from the images' headers.
  bool image_frame_counts = false;
};

/// The table, in the order in which help names the formats.
const std::list<GeometryFormat>& geometry_formats();

/// Adds a format to the end of the table, for read_geometry() and write_geometry(). Throws InputError when its name or
/// an extension under which it saves is taken.
void register_geometry_format(GeometryFormat);

}  // namespace backlit
