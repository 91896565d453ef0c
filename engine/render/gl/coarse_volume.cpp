#include "render/gl/coarse_volume.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "device/gl/dispatch.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t samples = 4;  // per invocation, along z
constexpr const char* margin = "2.0";

Size3 cells_of(const VolumeGrid& region, std::int64_t along_longest) {
  const Vec3 extent = region.upper() - region.lower();
  const double side = std::max({extent.x, extent.y, extent.z}) / static_cast<double>(along_longest);
  Size3 cells;
  for (int a = 0; a < 3; ++a)
    cells[static_cast<std::size_t>(a)] = std::max<std::int64_t>(1, std::llround(std::ceil(extent[a] / side - 1e-6)));
  return cells;
}

}  // namespace

CoarseVolume::CoarseVolume(GlBackend& backend, const ResidentViews& views, const VolumeGrid& region, std::int64_t cells,
                           std::int64_t reach)
    : backend_(backend), views_(views), region_(region) {
  const auto [x, y, z] = cells_of(region, cells);
  cell_ = (region.upper() - region.lower()) / Vec3(x, y, z);
  nodes_ = Texture("coarse volume", GL_TEXTURE_3D, GL_R32F, x + 1, y + 1, z + 1);
  found_ = Texture("coarse cells", GL_TEXTURE_3D, GL_RGBA32F, x, y, z);
  largest_ = Buffer("largest value", sizeof(std::uint32_t));
  tiles_.push_back({{}, Texture("coarse ranges", GL_TEXTURE_3D, GL_RG32F, x, y, z), {0, 0, 0}, {0, 0, 0}, {x, y, z}});
  Defines defines = views.defines();
  defines.emplace_back("SAMPLES", std::to_string(samples));
  node_program_ = Program("coarse volume", {"d2vr/coarse.comp"}, defines, views.choices());
  cell_program_ = Program("coarse cells", {"d2vr/cells.comp"}, defines, views.choices());
  range_program_ =
      Program("coarse ranges", {"d2vr/ranges.comp"}, {{"MARGIN", margin}, {"REACH", std::to_string(reach)}});
}

void CoarseVolume::reconstruct_at(Program& p, const Vec3& first, const Texture& target) {
  views_.set_uniforms(p);
  p.set("first_point", first);
  p.set("cell", cell_);
  target.bind_image(0, GL_WRITE_ONLY);
  p.use();
  glDispatchCompute(groups(target.width(), 8), groups(target.height(), 8), groups(target.depth(), samples));
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void CoarseVolume::refresh() {
  if (generation_ == views_.generation()) return;
  generation_ = views_.generation();
  const Pass pass(backend_.timings(), "coarse volume");
  views_.bind();
  reconstruct_at(node_program_, region_.lower(), nodes_);
  nodes_.bind(2);
  reconstruct_at(cell_program_, region_.lower() + 0.5 * cell_, found_);
  found_.bind(2);
  ranges().bind_image(0, GL_WRITE_ONLY);
  constexpr std::uint32_t none = 0;
  largest_.write(std::as_bytes(std::span(&none, 1)));
  bind_largest();
  range_program_.use();
  glDispatchCompute(groups(found_.width(), 4), groups(found_.height(), 4), groups(found_.depth(), 4));
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  for (GLuint unit : {0u, 1u}) glBindSampler(unit, 0);
}

std::vector<float> CoarseVolume::values() {
  backend_.context().make_current();
  refresh();
  std::vector<float> values(static_cast<std::size_t>(nodes_.width() * nodes_.height() * nodes_.depth()));
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  glGetTextureImage(nodes_.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * values.size()), values.data());
  return values;
}

void CoarseVolume::update(const VolumeRenderOptions& options, const Classifier& classifier) {
  backend_.context().make_current();
  refresh();
  const bool by_light = options.mode == VolumeMode::iso || options.mode == VolumeMode::dvr;
  if (by_light) skipping_.update({&tiles_, nullptr, nullptr, nullptr, region_, generation_}, options, classifier);
}

}  // namespace backlit::gl
