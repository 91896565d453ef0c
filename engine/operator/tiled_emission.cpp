#include "operator/tiled_emission.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/byte_size.hpp"
#include "core/error.hpp"
#include "projector/emission.hpp"
#include "projector/make_plane_stack.hpp"

namespace backlit {
namespace {

constexpr std::int64_t float_bytes = sizeof(float);
constexpr std::size_t matter_slot = 0, activity_slot = 1, image_slot = 2;

/// Images of a view on the device: three of values, two of values and variances, and ours of two sizes of group.
constexpr std::int64_t images_of_a_view = 9;
/// Matter and activity, each as a stack and as it comes, of two sizes of slab.
constexpr std::int64_t copies_of_a_slab = 8;

/// Of what is for work slabs have a quarter and what planes are given an eighth: images have the rest, for every group
/// of views takes the whole volume through the device.
std::int64_t bytes_for_slabs(std::int64_t work) { return work / 4; }
std::int64_t bytes_for_given(std::int64_t work) { return work / 8; }
std::int64_t bytes_for_images(std::int64_t work) { return 5 * work / 8; }

EmissionRoom room_within(std::int64_t work, const Detector& detector, const Capabilities& can) {
  EmissionRoom room;
  if (can.most_slices > 0) room.views = std::min(room.views, can.most_slices);
  if (work == 0) return room;
  const std::int64_t view = float_bytes * images_of_a_view * detector.pixels();
  if (view > bytes_for_images(work))
    throw InputError(
        "--gpu-memory",
        fmt::format("{} is too little for emission: images of one view of {} x {} pixels take {}",
                    byte_size_text(2 * work), detector.columns, detector.rows, byte_size_text(2 * view * 8 / 5)),
        "give more");
  room.views = std::min(room.views, bytes_for_images(work) / view);
  room.given = std::max(std::min(bytes_for_given(work) / float_bytes, room.given), room.views * detector.pixels());
  return room;
}

/// Slices of a slab along each axis, as equal as can be. `axes`: those that views look along.
Size3 slices_within(std::int64_t work, const VolumeGrid& grid, const Capabilities& can,
                    const std::vector<std::size_t>& axes) {
  Size3 slices;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t all = grid.size[axis], bytes = copies_of_a_slab * float_bytes * (grid.voxels() / all);
    std::int64_t most = work == 0 ? all : std::min(all, bytes_for_slabs(work) / bytes);
    if (can.most_slices > 0) most = std::min(most, can.most_slices);
    if (most == 0 && std::ranges::find(axes, axis) == axes.end()) most = 1;  // no view needs it
    if (most == 0)
      throw InputError("--gpu-memory",
                       fmt::format("{} is too little for emission: one slice of {} voxels takes {}",
                                   byte_size_text(2 * work), grid.voxels() / all, byte_size_text(8 * bytes)),
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

}  // namespace

std::unique_ptr<LinearOperator> TiledEmission::make(Backend& device, std::shared_ptr<Budget> budget,
                                                    std::int64_t memory, const VolumeGrid& grid, const Scan& scan,
                                                    std::span<const float> attenuation,
                                                    const EmissionOptions& options) {
  const EmissionRoom room = room_within(memory / 2, scan.detector, device.capabilities());
  auto slabs = device.make_emission_slabs(grid, scan, std::ranges::max(attenuation), options, room);
  if (!slabs) return nullptr;
  return std::unique_ptr<TiledEmission>(
      new TiledEmission(device, std::move(budget), memory, grid, scan, attenuation, options, room, std::move(slabs)));
}

TiledEmission::TiledEmission(Backend& device, std::shared_ptr<Budget> budget, std::int64_t memory,
                             const VolumeGrid& grid, const Scan& scan, std::span<const float> attenuation,
                             const EmissionOptions& options, const EmissionRoom& room,
                             std::unique_ptr<EmissionSlabs> slabs)
    : device_(device),
      budget_(std::move(budget)),
      grid_(grid),
      detector_(scan.detector),
      views_(scan.view_count()),
      room_(room),
      matter_(grid.voxels()),
      slabs_(std::move(slabs)) {
  for (const View& view : scan.views) {
    axes_.push_back(static_cast<std::size_t>(main_axis(scan.detector, view, grid)));
    to_larger_.push_back(axis_planes(scan.detector, view, grid, options.detector_mm).step < 0);
  }
  slices_ = slices_within(memory / 2, grid, device.capabilities(), axes_);
  const double way = attenuation_way(grid);
  std::ranges::transform(attenuation, matter_.begin(), [&](float mu) { return normalised_attenuation(mu, way); });
  staging_ = std::make_shared<Staging>(device, [&device](const ArrayShape& s) { return device.make_array(s); });
}

ArrayPtr TiledEmission::make_domain() {
  const Size3 slab{grid_.size[0], grid_.size[1], slices_[2]};
  return std::make_unique<TiledArray>(domain(), boxes_of(domain(), slab), staging_, budget_);
}

ArrayPtr TiledEmission::make_range(std::int64_t rows) {
  const ArrayShape shape = shape_of(detector_, rows);
  return std::make_unique<TiledArray>(shape, boxes_of(shape, {shape.n0, shape.n1, room_.views}), staging_, budget_);
}

std::string TiledEmission::variant() const {
  const auto parts = [&](std::size_t a) { return (grid_.size[a] + slices_[a] - 1) / slices_[a]; };
  return slabs_->variant() + fmt::format(",slabs={}|{}|{}", parts(0), parts(1), parts(2));
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

std::vector<SliceSlab> TiledEmission::slabs_of(const Group& g) const {
  std::vector<SliceSlab> list;
  for (std::int64_t first = 0; first < grid_.size[g.axis]; first += slices_[g.axis])
    list.push_back({g.axis, first, std::min(slices_[g.axis], grid_.size[g.axis] - first)});
  if (!g.to_larger) std::ranges::reverse(list);
  return list;
}

Box TiledEmission::box_of(const SliceSlab& slab) const {
  Box box{{0, 0, 0}, grid_.size};
  box.first[slab.axis] = slab.first;
  box.size[slab.axis] = slab.count;
  return box;
}

void TiledEmission::send(std::span<const float> whole, const Box& box, DeviceArray& to) {
  part_.resize(static_cast<std::size_t>(box.shape().count()));
  read_box(whole, domain(), box, part_);
  device_.upload(part_, to);
}

void TiledEmission::forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) {
  const SubsetRows rows(range(), subset, y.shape());
  HostArray<float> volume(x.count()), projections(y.count());
  download(x, volume.span());
  download(y, projections.span());
  const auto pixels = static_cast<std::size_t>(detector_.pixels());
  for (const Group& g : groups(rows)) {
    DeviceArray& images = staging_->slot(image_slot, shape_of(detector_, static_cast<std::int64_t>(g.views.size())));
    device_.fill(images, 0);
    for (const SliceSlab& slab : slabs_of(g)) {
      const Box box = box_of(slab);
      DeviceArray& matter = staging_->slot(matter_slot, box.shape());
      DeviceArray& activity = staging_->slot(activity_slot, box.shape());
      send(matter_.span(), box, matter);
      send(volume.span(), box, activity);
      slabs_->composite(slab, matter, activity, g.views, images);
    }
    std::vector<float> seen(g.views.size() * pixels);
    device_.download(images, seen);
    for (std::size_t i = 0; i < g.views.size(); ++i) {
      float* to = projections.data() + g.places[i] * detector_.pixels();
      for (std::size_t p = 0; p < pixels; ++p) to[p] = (write == Write::accumulate ? to[p] : 0) + seen[i * pixels + p];
    }
  }
  upload(projections.span(), y);
}

void TiledEmission::back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) {
  const SubsetRows rows(range(), subset, y.shape());
  HostArray<float> volume(x.count()), projections(y.count());
  download(y, projections.span());
  if (write == Write::accumulate) download(x, volume.span());
  back(projections.span(), volume.span(), rows);
  upload(volume.span(), x);
}

void TiledEmission::sensitivity(DeviceArray& x, const Subset& subset) {
  HostArray<float> volume(x.count()), ones(subset.count * detector_.pixels());
  std::ranges::fill(ones.span(), 1.0f);
  back(ones.span(), volume.span(), SubsetRows(range(), subset, shape_of(detector_, subset.count)));
  upload(volume.span(), x);
}

/// Added to the volume.
void TiledEmission::back(std::span<const float> projections, std::span<float> volume, const SubsetRows& rows) {
  const auto pixels = static_cast<std::size_t>(detector_.pixels());
  for (const Group& g : groups(rows)) {
    DeviceArray& images = staging_->slot(image_slot, shape_of(detector_, static_cast<std::int64_t>(g.views.size())));
    std::vector<float> given(g.views.size() * pixels);
    for (std::size_t i = 0; i < g.views.size(); ++i)
      std::ranges::copy(projections.subspan(static_cast<std::size_t>(g.places[i]) * pixels, pixels),
                        given.begin() + static_cast<std::ptrdiff_t>(i * pixels));
    device_.upload(given, images);
    std::vector<SliceSlab> slabs = slabs_of(g);
    std::ranges::reverse(slabs);
    for (const SliceSlab& slab : slabs) {
      const Box box = box_of(slab);
      DeviceArray& matter = staging_->slot(matter_slot, box.shape());
      DeviceArray& activity = staging_->slot(activity_slot, box.shape());
      send(matter_.span(), box, matter);
      device_.fill(activity, 0);
      slabs_->give(slab, matter, g.views, images, activity);
      device_.download(activity, part_);
      add_box(volume, domain(), box, part_);
    }
  }
}

/// Arrays are ours, in tiles.
void TiledEmission::download(const DeviceArray& array, std::span<float> host) {
  if (const auto* tiled = dynamic_cast<const TiledArray*>(&array)) return tiled->download(host);
  device_.download(array, host);
}

void TiledEmission::upload(std::span<const float> host, DeviceArray& array) {
  if (auto* tiled = dynamic_cast<TiledArray*>(&array)) return tiled->upload(host);
  device_.upload(host, array);
}

}  // namespace backlit
