#include "views/panes/live_slices.hpp"

#include <algorithm>
#include <cmath>

namespace backlit::viewer {
namespace {

constexpr double quick = 0.08, slow = 0.2;  ///< seconds; faster slices become finer, slower ones coarser
constexpr std::int64_t coarsest = 4;

/// The same part of the plane with pixels `n` times as large.
CutPlane coarser(CutPlane plane, std::int64_t n) {
  plane.width = (plane.width + n - 1) / n;
  plane.height = (plane.height + n - 1) / n;
  plane.pixel *= static_cast<double>(n);
  return plane;
}

}  // namespace

bool LiveSlices::made_for(const CutPlane& wanted, const JobPicture& picture) const {
  for (std::int64_t n = 1; n <= coarsest; n *= 2)
    if (coarser(wanted, n) == picture.plane) return true;
  return false;
}

const gl::Texture* LiveSlices::of(Frame& frame, Axis axis, const CutPlane& plane) {
  if (!frame.has_volume() || !frame.model.can_preview()) return nullptr;
  Pane& pane = panes_[static_cast<std::size_t>(axis)];
  pane.wanted = plane;
  const auto& made = frame.status.slices;
  if (!made) return nullptr;
  const auto found = std::ranges::find_if(*made, [&](const JobPicture& p) { return made_for(plane, p); });
  if (found == made->end()) return nullptr;
  if (made != held_) {
    for (const JobPicture& p : *made) p.ready.wait_on_device();
    held_ = made;
  }
  pane.textures.update(frame, found->texture, found->plane);
  return &pane.textures.shown();
}

double LiveSlices::seconds() const {
  double sum = 0;
  if (held_)
    for (const JobPicture& p : *held_) sum += p.seconds;
  return sum;
}

void LiveSlices::order(Frame& frame) {
  std::vector<CutPlane> wanted;
  for (Pane& pane : panes_) {
    if (pane.wanted) wanted.push_back(*pane.wanted);
    pane.wanted.reset();
  }
  if (wanted.empty()) return;
  const auto& made = frame.status.slices;
  const bool answered = made && !made->empty() && made->front().serial == serial_;
  if (answered && seen_ != serial_) {  // their time determines the resolution of the next ones
    seen_ = serial_;
    const double seconds = this->seconds();
    if (seconds > slow) reduction_ = std::min(coarsest, 2 * reduction_);
    if (seconds < quick) reduction_ = std::max<std::int64_t>(1, reduction_ / 2);
  }
  const bool moved = parameters_ != frame.model.parameters() || wanted != ordered_;
  // After the user pauses, request slices at the full resolution of their panes.
  const bool coarse = answered && made->front().plane.width < wanted.front().width;
  if (!moved && !coarse) return;
  const std::int64_t n = moved ? reduction_ : 1;
  std::vector<CutPlane> planes;
  for (const CutPlane& plane : wanted) planes.push_back(coarser(plane, n));
  serial_ = frame.model.request_slices(std::move(planes));
  ordered_ = std::move(wanted);
  parameters_ = frame.model.parameters();
}

}  // namespace backlit::viewer
