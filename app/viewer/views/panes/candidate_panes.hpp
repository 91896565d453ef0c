// One slice for several values of a number of the geometry, side by side; a click takes one.
#pragma once

#include <array>

#include "model/geometry_parameters.hpp"
#include "views/panes/slice_view.hpp"

namespace backlit::viewer {

/// `columns` x `rows` values, `step` apart; the present one is in the middle.
struct Candidates {
  const GeometryParameter* parameter = nullptr;
  double step = 1;
  int columns = 3, rows = 3;
  int count() const { return columns * rows; }
  bool operator==(const Candidates&) const = default;
};

class CandidatePanes {
 public:
  void draw(Frame&, const Rect&, const Candidates&);

 private:
  static constexpr int most = 9;
  struct Part {
    std::shared_ptr<const JobPicture> held;
    SliceTextures textures;
  };
  /// Asks for the slices again where plane, values or parameters have changed.
  void ask(Frame&, const CutPlane&, const Candidates&);
  void draw_part(Frame&, const Rect&, const CutPlane&, const Candidates&, int index);

  std::array<Part, most> parts_;
  std::shared_ptr<const SourceInfo> source_;
  CutPlane plane_;
  Candidates asked_;
  std::int64_t parameters_ = -1, runs_ = -1;
};

}  // namespace backlit::viewer
