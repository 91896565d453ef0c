#include "operator/emission_in_boxes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "projector/make_plane_stack.hpp"

namespace backlit {

std::unique_ptr<LinearOperator> EmissionInBoxes::make(const EmissionDevice& device, const EmissionScene& scene) {
  auto facing = device.backend.make_facing_emission(scene.grid, scene.scan, std::ranges::max(scene.attenuation),
                                                    scene.options, room_within(device, scene.scan.detector, shares));
  if (!facing) return nullptr;
  return std::unique_ptr<LinearOperator>(new EmissionInBoxes(device, scene, std::move(facing)));
}

EmissionInBoxes::EmissionInBoxes(const EmissionDevice& device, const EmissionScene& scene,
                                 std::unique_ptr<FacingEmission> facing)
    : TiledEmission(device, scene, shares),
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
  const auto fits = [&](const Size3& box) {
    const std::int64_t side = std::ranges::max(box);
    return (can.most_slices == 0 || side <= can.most_slices) && (can.largest_box == 0 || side <= can.largest_box) &&
           (work == 0 || side == 1 || box[0] * box[1] * box[2] <= voxels);
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
  const std::int64_t at_once = facing_->planes_at_once();
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
  volume_ = tiles_of(x);
  if (!std::ranges::equal(volume_, boxes_, {}, &Tile::box)) {
    HostArray<float> values(x.count());
    if (access != Access::write) download(x, values.span());
    copy_ = make_domain();
    upload(values.span(), *copy_);
    volume_ = tiles_of(*copy_);
  }
  if (access != Access::write) return;
  for (const Tile& tile : volume_)
    tile.use(Access::write, slot_of_activity, [&](DeviceArray& activity) { device_.backend.fill(activity, 0); });
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
