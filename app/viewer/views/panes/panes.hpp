// All panes, and where each lies in the layouts.
#pragma once

#include <array>

#include "views/panes/candidate_panes.hpp"
#include "views/panes/correction_panes.hpp"
#include "views/panes/oblique_slice.hpp"
#include "views/panes/orthogonal_pane.hpp"
#include "views/panes/projection_pane.hpp"
#include "views/panes/volume_pane.hpp"

namespace backlit::viewer {

class Panes {
 public:
  explicit Panes(gl::GlBackend&);
  void draw(Frame&, const Rect&);

 private:
  void draw_layout(Frame&, const Rect&);
  /// Draws what is below the panes, and returns what is left for them.
  Rect draw_strip(Frame&, const Rect&);
  /// Draws the pane that is shown alone; false if all are shown.
  bool draw_large(Frame&, const Rect&);
  void draw_slices(Frame&, const Rect&);
  void draw_four(Frame&, const Rect&);
  void draw_four_and_more(Frame&, const Rect&);
  void draw_flat(Frame&, const Rect&);

  std::array<OrthogonalPane, 3> slices_;
  OrthogonalPane &sagittal_ = slices_[0], &coronal_ = slices_[1], &axial_ = slices_[2];
  ObliqueSlice oblique_;
  VolumePane volume_;
  ProjectionPane projections_;
  CandidatePanes candidates_;
  CorrectionPanes corrections_;
};

}  // namespace backlit::viewer
