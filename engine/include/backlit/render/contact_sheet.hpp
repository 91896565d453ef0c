// One picture that shows a volume, and where there is one the truth and the difference from it.
#pragma once

#include <optional>
#include <string>

#include <backlit/data/volume.hpp>
#include <backlit/render/colormap.hpp>
#include <backlit/render/image.hpp>

namespace backlit {

struct SheetOptions {
  std::string title;               ///< one line on top; empty leaves it out
  std::string unit = "1/mm";       ///< beside the colour bars
  std::string length_unit = "mm";  ///< of the grid's lengths; "px" where the size of a voxel is not known
  std::optional<Window> window;    ///< default: 0.1 % to 99.9 % of the volume's values
  std::optional<Window> narrow;    ///< a second column of the same volume, for its faint contrasts
  std::optional<Vec3> position;    ///< mm, where the three slices meet; default: the middle of the grid
  std::int64_t panel = 256;        ///< px, the longest side of a slice
};

/// Rows: axial, coronal, sagittal slices to one scale, without those too thin to see (unless all are). Columns: the
/// volume; the volume in the narrow window; the truth (in the narrow window where there is one); their difference, with
/// its RMSE. Colour bars below, a scale bar in the first slice. `truth` may be null. Throws InputError when the two
/// grids differ.
Image contact_sheet(const Volume& volume, const Volume* truth, const SheetOptions&);

}  // namespace backlit
