// The axial slice for several rotation centres, side by side; a click takes one.
#pragma once

#include <array>

#include "views/panes/slice_view.hpp"

namespace backlit::viewer {

class CenterPanes {
 public:
  void draw(Frame&, const Rect&);

 private:
  static constexpr int side = 3;  ///< rows and columns of pictures; the present centre is in the middle
  struct Part {
    std::shared_ptr<const JobPicture> held;
    SliceTextures textures;
  };
  /// Asks for the slices again where plane, step or parameters have changed.
  void ask(Frame&, const CutPlane&);
  void draw_part(Frame&, const Rect&, const CutPlane&, int index);

  std::array<Part, side * side> parts_;
  std::shared_ptr<const SourceInfo> source_;
  CutPlane plane_;
  double step_ = 0;
  std::int64_t parameters_ = -1, runs_ = -1;
};

}  // namespace backlit::viewer
