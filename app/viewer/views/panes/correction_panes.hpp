// A sinogram, or a view, before and after the corrections that are set now, and what they take away.
#pragma once

#include <array>

#include "frame.hpp"
#include "views/panes/pane.hpp"

namespace backlit::viewer {

class CorrectionPanes {
 public:
  /// `view`: the view that is chosen, else the sinogram of the axial slice.
  void draw(Frame&, const Rect&, bool view);

 private:
  void ask(Frame&, bool view);
  void load(Frame&);
  void draw_part(Frame&, const Rect&, int part);

  std::array<PlaneTextures, 3> pictures_;
  std::shared_ptr<const CorrectionPreview> held_;
  std::string map_;
  Window window_, removed_window_;
  std::shared_ptr<const SourceInfo> source_;
  CorrectionOptions asked_;
  bool asked_view_ = false;
  std::int64_t asked_number_ = -1;
};

}  // namespace backlit::viewer
