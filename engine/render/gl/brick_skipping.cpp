#include "render/gl/brick_skipping.hpp"

#include "device/gl/dispatch.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t parts = 1024;  // intervals of a transfer function's range
constexpr int farthest = 255;         // largest value of R8UI

void dispatch_bricks(const Texture& t) {
  glDispatchCompute(groups(t.width(), 4), groups(t.height(), 4), groups(t.depth(), 4));
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

}  // namespace

BrickSkipping::BrickSkipping() {
  const std::string mode_of[] = {"2", "3", "4"};
  for (std::size_t i = 0; i < visible_.size(); ++i)
    visible_[i] = Program("visible bricks", {"render/visible.comp"},
                          {{"MODE", mode_of[i]}, {"FARTHEST", std::to_string(farthest)}});
  distance_ = Program("distance of bricks", {"render/distance.comp"});
  visible_before_ = Buffer("visible values", (parts + 1) * static_cast<std::int64_t>(sizeof(std::uint32_t)));
}

void BrickSkipping::resize(const std::vector<GlDisplayVolume::Tile>& tiles) {
  bool same = tiles.size() == maps_.size();
  for (std::size_t i = 0; same && i < tiles.size(); ++i) {
    const Texture &a = tiles[i].bricks, &b = maps_[i][0];
    same = a.width() == b.width() && a.height() == b.height() && a.depth() == b.depth();
  }
  if (same) return;
  maps_.clear();
  for (const auto& tile : tiles) {
    const auto make = [&] {
      return Texture("leaps", GL_TEXTURE_3D, GL_R8UI, tile.bricks.width(), tile.bricks.height(), tile.bricks.depth());
    };
    maps_.push_back({make(), make()});
  }
}

void BrickSkipping::write_visible(const Classifier& c) {
  std::vector<std::uint32_t> before{0};
  const double width = (c.high() - c.low()) / static_cast<double>(parts);
  for (std::int64_t i = 0; i < parts; ++i) {
    const double low = c.low() + static_cast<double>(i) * width;
    before.push_back(before.back() + (c.visible(low, low + width) ? 1 : 0));
  }
  visible_before_.write(std::as_bytes(std::span(before)));
}

void BrickSkipping::run(const GlDisplayVolume::Tile& tile, std::array<Texture, 2>& map, Program& visible) const {
  visible.use();
  tile.bricks.bind(0);
  map[0].bind_image(0, GL_WRITE_ONLY);
  dispatch_bricks(map[0]);
  distance_.use();
  for (int axis = 0; axis < 3; ++axis) {
    distance_.set("axis", axis);
    map[axis % 2].bind(0);
    map[(axis + 1) % 2].bind_image(0, GL_WRITE_ONLY);
    dispatch_bricks(map[0]);
  }
}

void BrickSkipping::update(const GlDisplayVolume::Front& front, const VolumeRenderOptions& options,
                           const Classifier& classifier) {
  Key key{front.tiles, front.generation, options.mode, 0, {}};
  if (options.mode == VolumeMode::iso) key.iso = options.iso;
  if (options.mode == VolumeMode::dvr) key.classifier = classifier;
  if (key == key_) return;
  resize(*front.tiles);
  Program& visible = visible_[options.mode == VolumeMode::dvr ? 2 : options.mode == VolumeMode::iso ? 1 : 0];
  if (options.mode == VolumeMode::dvr) {
    if (!(key.classifier == key_.classifier)) write_visible(classifier);
    const Classifier& c = classifier;
    visible.set("range", static_cast<float>(c.low()), static_cast<float>(parts / (c.high() - c.low())),
                c.at(c.low()).extinction > 0 ? 1.0f : 0.0f, c.at(c.high()).extinction > 0 ? 1.0f : 0.0f);
    visible.set("entries", static_cast<int>(parts));
    visible_before_.bind_storage(0);
  } else {
    visible.set("range", static_cast<float>(options.iso), 0, 0, 0);
  }
  for (std::size_t i = 0; i < maps_.size(); ++i) run((*front.tiles)[i], maps_[i], visible);
  key_ = key;
}

}  // namespace backlit::gl
