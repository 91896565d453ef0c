// A measured view, its reprojection from the volume shown, their difference, and the sinogram of the slice.
#pragma once

#include <array>

#include "frame.hpp"
#include "views/panes/pane.hpp"
#include "views/panes/sinogram_pane.hpp"

namespace backlit::viewer {

/// The largest rectangle with the shape of the picture, centred in `rect`.
Rect fitted(const Rect&, const Plane&);
/// The wheel goes to the next view, with Shift ten on.
void browse_views(Frame&, const PointerInput&);

class ProjectionPane {
 public:
  void draw(Frame&, const Rect&);

 private:
  void ask(Frame&);
  void load(Frame&, const ViewComparison&);
  void draw_part(Frame&, const Rect&, int part);

  /// Places for the four pictures: as views are largest.
  static std::array<Rect, 4> arranged(const Rect&, const Detector&, float gap);

  std::array<PlaneTextures, 3> pictures_;
  SinogramPane sinogram_;
  std::shared_ptr<const ViewComparison> held_;
  std::string map_;
  Window window_, difference_window_;
  std::int64_t asked_view_ = -1, asked_generation_ = -1;
  double asked_at_ = -1;
};

}  // namespace backlit::viewer
