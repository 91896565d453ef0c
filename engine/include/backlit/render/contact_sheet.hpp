// One picture that shows a volume and, when given, the truth and the difference from the truth.
#pragma once

#include <optional>
#include <string>

#include <backlit/data/volume.hpp>
#include <backlit/render/colormap.hpp>
#include <backlit/render/image.hpp>

namespace backlit {

struct SheetOptions {
  std::string title;               ///< one line on top; empty: none
  std::string unit = "1/mm";       ///< beside the colour bars
  std::string length_unit = "mm";  ///< unit of the grid's lengths; "px" where the voxel size is not known
  std::optional<Window> window;    ///< default: 0.1 % to 99.9 % of the volume's values
  std::optional<Window> narrow;    ///< window of a second column with the same volume, for faint contrasts
  std::optional<Vec3> position;    ///< mm, where the three slices meet; default: the middle of the grid
  std::int64_t panel = 256;        ///< px, the longest side of a slice
};

/// Rows: axial, coronal, sagittal slices to one scale; slices too thin to see are left out unless all are. Columns: the
/// volume; the volume in the narrow window; the truth (in the narrow window where there is one); their difference, with
/// its RMSE. Colour bars are below, a scale bar is in the first slice. `truth` may be null. Throws InputError when the
/// two grids differ.
Image contact_sheet(const Volume& volume, const Volume* truth, const SheetOptions&);

}  // namespace backlit
