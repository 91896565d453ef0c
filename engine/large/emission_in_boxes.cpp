#include "large/emission_in_boxes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "projectors/emission/make_plane_stack.hpp"

namespace backlit {

/// As many views as have all planes at hand at a time, and a few where not even one has: planes of views that look in
/// different directions meet more boxes together.
EmissionRoom EmissionInBoxes::room_for(const EmissionDevice& device, const EmissionScene& scene) {
  EmissionRoom room = room_within(device, scene.scan.detector, shares);
  std::int64_t planes = 1, layers = room.given / (2 * scene.scan.detector.pixels());
  for (const View& view : scene.scan.views)
    planes = std::max(planes, facing_planes(scene.scan.detector, view, scene.grid, scene.options.detector_mm).count);
  if (const std::int64_t most = device.backend.capabilities().most_slices; most > 0) layers = std::min(layers, most);
  constexpr std::int64_t few = 4;
  room.views = std::min(room.views, std::max(few, layers / planes));
  return room;
}

EmissionInBoxes::EmissionInBoxes(const EmissionDevice& device, const EmissionScene& scene, const EmissionRoom& room,
                                 std::unique_ptr<FacingEmission> facing)
    : TiledEmission(device, scene, room),
      facing_(std::move(facing)),
      size_(box_within_work()),
      boxes_(boxes_of(domain(), size_)),
      matter_(std::make_unique<TiledArray>(domain(), boxes_, staging_, device.budget)) {
  matter_->upload(matter_of(scene).span());
}

/// As equal as can be.
Size3 EmissionInBoxes::box_within_work() const {
  const Capabilities can = device_.backend.capabilities();
  const std::int64_t work = device_.work(), voxels = work * shares.parts / 8 / bytes_a_voxel;
  constexpr std::int64_t smallest = 4;  // smaller ones take no less memory than all that lies beside them
  const auto fits = [&](const Size3& box) {
    const std::int64_t side = std::ranges::max(box);
    return (can.most_slices == 0 || side <= can.most_slices) && (can.largest_box == 0 || side <= can.largest_box) &&
           (work == 0 || side <= smallest || box[0] * box[1] * box[2] <= voxels);
  };
  Size3 parts{1, 1, 1}, box = grid_.size;
  while (!fits(box)) {
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(box) - box.begin());
    ++parts[longest];
    box[longest] = (grid_.size[longest] + parts[longest] - 1) / parts[longest];
  }
  return box;
}

ArrayPtr EmissionInBoxes::make_domain() {
  return std::make_unique<TiledArray>(domain(), boxes_, staging_, device_.budget);
}

std::string EmissionInBoxes::variant() const {
  const auto parts = [&](std::size_t a) { return (grid_.size[a] + size_[a] - 1) / size_[a]; };
  return facing_->variant() + fmt::format(",boxes={}x{}x{}", parts(0), parts(1), parts(2));
}

std::vector<PlaneBlock> EmissionInBoxes::blocks_of(const Group& g) const {
  std::int64_t count = 0;
  for (const std::int64_t view : g.views) count = std::max(count, planes(view).count);
  std::vector<PlaneBlock> list;
  const std::int64_t at_once = facing_->planes_at_once(static_cast<std::int64_t>(g.views.size()));
  for (std::int64_t first = 0; first < count; first += at_once)
    list.push_back({first, std::min(at_once, count - first)});
  return list;
}

std::vector<std::size_t> EmissionInBoxes::boxes_at(const Group& g, const PlaneBlock& block) const {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    if (std::ranges::any_of(g.views, [&](std::int64_t view) {
          return reaches(planes(view), block.first, block.count, boxes_[i].first, boxes_[i].size);
        }))
      list.push_back(i);
  return list;
}

void EmissionInBoxes::open(const DeviceArray& x, Access access) {
  copy_.reset();
  volume_ = tiles_of(x);
  if (!std::ranges::equal(volume_, boxes_, {}, &Tile::box)) {
    copy_ = make_domain();
    volume_ = tiles_of(*copy_);
    if (access == Access::write) return;
    HostArray<float> values(x.count());
    download(x, values.span());
    upload(values.span(), *copy_);
  }
  if (access != Access::write) return;
  for (const Tile& tile : volume_)
    if (tile.device)
      device_.backend.fill(*tile.device, 0);
    else
      std::ranges::fill(tile.host, 0.0f);
}

void EmissionInBoxes::close(DeviceArray* x) {
  if (x && copy_) {
    HostArray<float> values(x->count());
    download(*copy_, values.span());
    upload(values.span(), *x);
  }
  volume_.clear();
  copy_.reset();
}

void EmissionInBoxes::see(const Group& g, DeviceArray& images) {
  for (const PlaneBlock& block : blocks_of(g) | std::views::reverse) {
    facing_->begin(g.views, block);
    for (const std::size_t i : boxes_at(g, block)) {
      matter_->tiles()[i].use(Access::read, slot_of_matter,
                              [&](DeviceArray& matter) { facing_->sample_matter(boxes_[i], matter); });
      volume_[i].use(Access::read, slot_of_activity,
                     [&](DeviceArray& activity) { facing_->sample_activity(boxes_[i], activity); });
    }
    facing_->composite(images);
  }
}

void EmissionInBoxes::give(const Group& g, DeviceArray& images) {
  for (const PlaneBlock& block : blocks_of(g)) {
    const std::vector<std::size_t> boxes = boxes_at(g, block);
    facing_->begin(g.views, block);
    if (facing_->gives_by_matter())
      for (const std::size_t i : boxes)
        matter_->tiles()[i].use(Access::read, slot_of_matter,
                                [&](DeviceArray& matter) { facing_->sample_matter(boxes_[i], matter); });
    facing_->give(images);
    for (const std::size_t i : boxes)
      volume_[i].use(Access::update, slot_of_activity,
                     [&](DeviceArray& activity) { facing_->gather(boxes_[i], activity); });
  }
}

}  // namespace backlit
