#include "large/emission_in_slabs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>

namespace backlit {

EmissionRoom EmissionInSlabs::room_for(const EmissionDevice& device, const EmissionScene& scene) {
  EmissionRoom room = room_within(device, scene.scan.detector, shares);
  room.given = std::min(room.given, std::max(EmissionRoom{}.given, room.views * scene.scan.detector.pixels()));
  return room;
}

EmissionInSlabs::EmissionInSlabs(const EmissionDevice& device, const EmissionScene& scene, const EmissionRoom& room,
                                 std::unique_ptr<EmissionSlabs> slabs)
    : TiledEmission(device, scene, room),
      matter_(matter_of(scene)),
      slabs_(std::move(slabs)),
      slices_(slices_within_work()) {}

/// As equal as can be.
Size3 EmissionInSlabs::slices_within_work() const {
  const Capabilities can = device_.backend.capabilities();
  const std::int64_t work = device_.work();
  Size3 slices;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t all = grid_.size[axis], bytes = bytes_a_voxel * (grid_.voxels() / all);
    std::int64_t most = work == 0 ? all : std::min(all, work * shares.parts / 8 / bytes);
    if (can.most_slices > 0) most = std::min(most, can.most_slices);
    if (most == 0 && std::ranges::find(axes_, axis) == axes_.end()) most = 1;  // no view needs it
    if (most == 0)
      throw InputError("--gpu-memory",
                       fmt::format("{} is too little for emission: one slice of {} voxels takes {}",
                                   byte_size_text(2 * work), grid_.voxels() / all, byte_size_text(8 * bytes)),
                       "give more, or take fewer voxels");
    std::int64_t slabs = (all + most - 1) / most;
    for (std::int64_t more = slabs; more < 2 * slabs; ++more)  // few more that are all equal share one plan
      if (all % more == 0) {
        slabs = more;
        break;
      }
    slices[axis] = (all + slabs - 1) / slabs;
  }
  return slices;
}

ArrayPtr EmissionInSlabs::make_domain() {
  const Size3 slab{grid_.size[0], grid_.size[1], slices_[2]};
  return std::make_unique<TiledArray>(domain(), boxes_of(domain(), slab), staging_, device_.budget);
}

std::string EmissionInSlabs::variant() const {
  const auto parts = [&](std::size_t a) { return (grid_.size[a] + slices_[a] - 1) / slices_[a]; };
  return slabs_->variant() + fmt::format(",slabs={}|{}|{}", parts(0), parts(1), parts(2));
}

std::vector<SliceSlab> EmissionInSlabs::slabs_of(const Group& g) const {
  std::vector<SliceSlab> list;
  for (std::int64_t first = 0; first < grid_.size[g.axis]; first += slices_[g.axis])
    list.push_back({g.axis, first, std::min(slices_[g.axis], grid_.size[g.axis] - first)});
  if (!g.to_larger) std::ranges::reverse(list);
  return list;
}

Box EmissionInSlabs::box_of(const SliceSlab& slab) const {
  Box box{{0, 0, 0}, grid_.size};
  box.first[slab.axis] = slab.first;
  box.size[slab.axis] = slab.count;
  return box;
}

DeviceArray& EmissionInSlabs::send(std::span<const float> whole, const Box& box, std::size_t slot) {
  DeviceArray& array = staging_->slot(slot, box.shape());
  part_.resize(static_cast<std::size_t>(box.shape().count()));
  read_box(whole, domain(), box, part_);
  device_.backend.upload(part_, array);
  return array;
}

void EmissionInSlabs::open(const DeviceArray& x, Access access) {
  volume_ = HostArray<float>(x.count());
  if (access != Access::write) download(x, volume_.span());
}

void EmissionInSlabs::close(DeviceArray* x) {
  if (x) upload(volume_.span(), *x);
  volume_ = {};
}

void EmissionInSlabs::see(const Group& g, DeviceArray& images) {
  for (const SliceSlab& slab : slabs_of(g)) {
    const Box box = box_of(slab);
    const DeviceArray& matter = send(matter_.span(), box, slot_of_matter);
    slabs_->composite(slab, matter, send(volume_.span(), box, slot_of_activity), g.views, images);
  }
}

void EmissionInSlabs::give(const Group& g, DeviceArray& images) {
  for (const SliceSlab& slab : slabs_of(g) | std::views::reverse) {
    const Box box = box_of(slab);
    DeviceArray& given = staging_->slot(slot_of_activity, box.shape());
    device_.backend.fill(given, 0);
    slabs_->give(slab, send(matter_.span(), box, slot_of_matter), g.views, images, given);
    device_.backend.download(given, part_);
    add_box(volume_.span(), domain(), box, part_);
  }
}

}  // namespace backlit
