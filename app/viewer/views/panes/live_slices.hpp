// Slices computed directly from the projections for the panes, while a parameter changes and until the volume follows.
#pragma once

#include <array>
#include <optional>

#include "frame.hpp"
#include "views/panes/slice_view.hpp"

namespace backlit::viewer {

class LiveSlices {
 public:
  /// The newest picture of this plane to show in the pane instead of the volume's slice. Null if the volume is up to
  /// date or no picture is ready. Panes call this in every frame.
  const gl::Texture* of(Frame&, Axis, const CutPlane&);
  /// Seconds for computing the slices shown; 0 if there are none.
  double seconds() const;
  /// Call it after all panes have called of(): requests missing slices.
  void order(Frame&);

 private:
  struct Pane {
    std::optional<CutPlane> wanted;  ///< requested in this frame
    SliceTextures textures;
  };
  bool made_for(const CutPlane& wanted, const JobPicture&) const;

  std::array<Pane, 3> panes_;
  std::vector<CutPlane> ordered_;  ///< planes of the panes at full resolution
  std::int64_t parameters_ = -1, reduction_ = 2;
  std::uint64_t serial_ = 0, seen_ = 0;
  std::shared_ptr<const std::vector<JobPicture>> held_;
};

}  // namespace backlit::viewer
