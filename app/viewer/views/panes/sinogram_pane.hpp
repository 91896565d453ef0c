// The sinogram of the axial slice: one detector row of all views.
#pragma once

#include "frame.hpp"
#include "views/panes/pane.hpp"

namespace backlit::viewer {

/// The detector row onto which a point projects in a view, rounded and clamped to the detector.
std::int64_t row_of(const Detector&, const View&, const Vec3& point);

class SinogramPane {
 public:
  /// The row is that of the crosshair's height on the rotation axis. A drag chooses the view.
  void draw(Frame&, const Rect&);

 private:
  void ask(Frame&, std::int64_t row);
  void load(Frame&);

  std::shared_ptr<const SinogramRow> held_;
  PlaneTextures picture_;
  Window window_;
  std::string map_;
  std::shared_ptr<const SourceInfo> source_;
  std::int64_t asked_row_ = -1, asked_runs_ = -1;
};

}  // namespace backlit::viewer
