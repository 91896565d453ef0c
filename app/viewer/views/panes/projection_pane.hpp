// A measured view, its reprojection from the volume shown, and their difference.
#pragma once

#include <array>

#include "frame.hpp"
#include "views/panes/pane.hpp"

namespace backlit::viewer {

class ProjectionPane {
 public:
  void draw(Frame&, const Rect&);

 private:
  struct Picture {
    gl::Texture values, shown;
  };
  void ask(Frame&);
  void load(Frame&, const ViewComparison&);
  void draw_part(Frame&, const Rect&, int part);
  void browse(Frame&, const Hands&);

  std::array<Picture, 3> pictures_;
  std::shared_ptr<const ViewComparison> held_;
  std::string map_;
  Window window_, difference_window_;
  std::int64_t asked_view_ = -1, asked_generation_ = -1;
  double asked_at_ = -1;
};

}  // namespace backlit::viewer
