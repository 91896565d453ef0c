// Slices straight from the projections for the panes that show them, while a hand turns something and until the volume
// has caught up.
#pragma once

#include <array>
#include <optional>

#include "frame.hpp"
#include "views/panes/slice_view.hpp"

namespace backlit::viewer {

class LiveSlices {
 public:
  /// What to show in the pane of an axis in place of the volume's slice: the newest picture of this plane; null where
  /// the volume is up to date, or no picture is there yet. Panes ask in every frame.
  const gl::Texture* of(Frame&, Axis, const CutPlane&);
  /// Seconds that the pictures shown took; NaN where none are.
  double seconds() const;
  /// After all panes have asked: orders what is missing.
  void order(Frame&);

 private:
  struct Pane {
    std::optional<CutPlane> wanted;  ///< in this frame
    SliceTextures textures;
  };
  bool made_for(const CutPlane& wanted, const JobPicture&) const;

  std::array<Pane, 3> panes_;
  std::vector<CutPlane> ordered_;  ///< the pixels of the panes, `reduction_` times as large
  std::int64_t parameters_ = -1, reduction_ = 2;
  std::uint64_t serial_ = 0, seen_ = 0;
  std::shared_ptr<const std::vector<JobPicture>> held_;
};

}  // namespace backlit::viewer
