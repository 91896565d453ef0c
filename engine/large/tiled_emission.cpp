#include "large/tiled_emission.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include "large/emission_in_boxes.hpp"
#include "large/emission_in_slabs.hpp"
#include "projectors/emission/make_plane_stack.hpp"

namespace backlit {

std::unique_ptr<LinearOperator> TiledEmission::make(const EmissionDevice& device, const EmissionScene& scene) {
  const bool facing = scene.options.slices == EmissionOptions::Slices::facing;
  const EmissionRoom room =
      facing ? EmissionInBoxes::room_for(device, scene) : EmissionInSlabs::room_for(device, scene);
  const float densest = std::ranges::max(scene.attenuation);
  if (facing) {
    if (auto planes = device.backend.make_facing_emission(scene.grid, scene.scan, densest, scene.options, room))
      return std::make_unique<EmissionInBoxes>(device, scene, room, std::move(planes));
  } else if (auto slabs = device.backend.make_emission_slabs(scene.grid, scene.scan, densest, scene.options, room)) {
    return std::make_unique<EmissionInSlabs>(device, scene, room, std::move(slabs));
  }
  return nullptr;
}

EmissionRoom TiledEmission::room_within(const EmissionDevice& device, const Detector& detector, const Shares& shares) {
  const Capabilities can = device.backend.capabilities();
  const std::int64_t work = device.work();
  EmissionRoom room;
  if (can.most_slices > 0) room.views = std::min(room.views, can.most_slices);
  if (work == 0) return room;
  // Three of values, two of values and variances (or one of emission and transparency, in as much), and ours of two
  // sizes of group.
  constexpr std::int64_t images_of_a_view = 9, float_bytes = sizeof(float);
  const std::int64_t view = float_bytes * images_of_a_view * detector.pixels(), most = work * shares.most_images / 8;
  if (view > most)
    throw InputError("--gpu-memory",
                     fmt::format("{} is too little for emission: images of one view of {} x {} pixels take {}",
                                 byte_size_text(2 * work), detector.columns, detector.rows,
                                 byte_size_text(2 * view * 8 / shares.most_images)),
                     "give more");
  const std::int64_t images = work * shares.images / 8;
  room.views = std::min(room.views, std::max<std::int64_t>(1, images / view));
  const std::int64_t left = work - work * shares.parts / 8 - std::max(images, view);
  room.given = std::max(left / float_bytes, room.views * detector.pixels());
  return room;
}

TiledEmission::TiledEmission(const EmissionDevice& device, const EmissionScene& scene, const EmissionRoom& room)
    : device_(device),
      grid_(scene.grid),
      room_(room),
      staging_(std::make_shared<Staging>(
          device.backend, [&backend = device.backend](const ArrayShape& s) { return backend.make_array(s); })),
      detector_(scene.scan.detector),
      views_(scene.scan.view_count()) {
  const bool facing = scene.options.slices == EmissionOptions::Slices::facing;
  for (const View& view : scene.scan.views) {
    axes_.push_back(static_cast<std::size_t>(main_axis(detector_, view, grid_)));
    planes_.push_back((facing ? facing_planes : axis_planes)(detector_, view, grid_, scene.options.detector_mm));
    to_larger_.push_back(!facing && planes_.back().step < 0);
  }
}

HostArray<float> TiledEmission::matter_of(const EmissionScene& scene) const {
  HostArray<float> matter(grid_.voxels());
  const double way = attenuation_way(grid_);
  std::ranges::transform(scene.attenuation, matter.begin(), [&](float mu) { return normalised_attenuation(mu, way); });
  return matter;
}

ArrayPtr TiledEmission::make_range(std::int64_t rows) {
  const ArrayShape shape = shape_of(detector_, rows);
  return std::make_unique<TiledArray>(shape, boxes_of(shape, {shape.n0, shape.n1, room_.views}), staging_,
                                      device_.budget);
}

std::vector<TiledEmission::Group> TiledEmission::groups(const SubsetRows& rows) const {
  std::vector<Group> list;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool to_larger : {true, false}) {
      bool full = true;
      for (std::int64_t i = 0; i < rows.count(); ++i) {
        const auto view = static_cast<std::size_t>(rows.row(i));
        if (axes_[view] != axis || to_larger_[view] != to_larger) continue;
        if (full) list.push_back({axis, to_larger, {}, {}});
        list.back().views.push_back(rows.row(i));
        list.back().places.push_back(rows.slot(i));
        full = static_cast<std::int64_t>(list.back().views.size()) == room_.views;
      }
    }
  return list;
}

void TiledEmission::forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) {
  const SubsetRows rows(range(), subset, y.shape());
  HostArray<float> projections(y.count());
  download(y, projections.span());
  open(x, Access::read);
  const auto pixels = static_cast<std::size_t>(detector_.pixels());
  for (const Group& g : groups(rows)) {
    DeviceArray& images =
        staging_->slot(slot_of_images, shape_of(detector_, static_cast<std::int64_t>(g.views.size())));
    device_.backend.fill(images, 0);
    see(g, images);
    std::vector<float> seen(g.views.size() * pixels);
    device_.backend.download(images, seen);
    for (std::size_t i = 0; i < g.views.size(); ++i) {
      float* to = projections.data() + g.places[i] * detector_.pixels();
      for (std::size_t p = 0; p < pixels; ++p) to[p] = (write == Write::accumulate ? to[p] : 0) + seen[i * pixels + p];
    }
  }
  close(nullptr);
  upload(projections.span(), y);
}

void TiledEmission::back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) {
  const SubsetRows rows(range(), subset, y.shape());
  HostArray<float> projections(y.count());
  download(y, projections.span());
  write_back(projections.span(), rows, x, write);
}

void TiledEmission::sensitivity(DeviceArray& x, const Subset& subset) {
  HostArray<float> ones(subset.count * detector_.pixels());
  std::ranges::fill(ones.span(), 1.0f);
  write_back(ones.span(), SubsetRows(range(), subset, shape_of(detector_, subset.count)), x, Write::overwrite);
}

void TiledEmission::write_back(std::span<const float> projections, const SubsetRows& rows, DeviceArray& x,
                               Write write) {
  open(x, write == Write::accumulate ? Access::update : Access::write);
  const auto pixels = static_cast<std::size_t>(detector_.pixels());
  for (const Group& g : groups(rows)) {
    DeviceArray& images =
        staging_->slot(slot_of_images, shape_of(detector_, static_cast<std::int64_t>(g.views.size())));
    std::vector<float> given(g.views.size() * pixels);
    for (std::size_t i = 0; i < g.views.size(); ++i)
      std::ranges::copy(projections.subspan(static_cast<std::size_t>(g.places[i]) * pixels, pixels),
                        given.begin() + static_cast<std::ptrdiff_t>(i * pixels));
    device_.backend.upload(given, images);
    give(g, images);
  }
  close(&x);
}

void TiledEmission::download(const DeviceArray& array, std::span<float> host) {
  if (const auto* tiled = dynamic_cast<const TiledArray*>(&array)) return tiled->download(host);
  device_.backend.download(array, host);
}

void TiledEmission::upload(std::span<const float> host, DeviceArray& array) {
  if (auto* tiled = dynamic_cast<TiledArray*>(&array)) return tiled->upload(host);
  device_.backend.upload(host, array);
}

}  // namespace backlit
