#include "backend/gl/orbit_backprojection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "backend/gl/dispatch.hpp"
#include "backend/gl/draw_state.hpp"
#include "core/error.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t most_groups = 1024;  // 16 KiB of uniforms, which every driver has
constexpr std::int64_t groups_per_pass = 8;
constexpr int slices_per_invocation = 4;

std::int64_t side(const VolumeGrid& grid) { return (grid.size[0] + 1) / 2; }

Buffer upload_order(const QuarterTurns& turns) {
  std::vector<std::int32_t> order;
  for (const auto& group : turns.groups)
    for (std::int64_t view : group.views) order.push_back(static_cast<std::int32_t>(view));
  return {"quarter-turn groups", static_cast<std::int64_t>(order.size() * sizeof order[0]), order.data()};
}

Buffer upload_directions(const QuarterTurns& turns) {
  std::vector<float> values(4 * most_groups);
  for (std::size_t g = 0; g < turns.groups.size(); ++g) {
    values[4 * g] = static_cast<float>(std::cos(turns.groups[g].angle));
    values[4 * g + 1] = static_cast<float>(std::sin(turns.groups[g].angle));
  }
  return {"quarter-turn directions", static_cast<std::int64_t>(values.size() * sizeof values[0]), values.data()};
}

}  // namespace

std::string OrbitBackprojection::refusal(const Context& context, const QuarterTurns& turns, const VolumeGrid& grid,
                                         std::int64_t views) {
  if (!turns.refusal.empty()) return turns.refusal;
  const double reach = 0.5 * std::sqrt(2.0) * grid.spacing.x * static_cast<double>(grid.size[0]);
  if (!turns.parallel && turns.distance <= reach) return "the source lies within the grid";
  const Limits& limits = context.limits();
  if (views > limits.array_layers || views > 4 * most_groups)
    return fmt::format("{} views are more than one texture array holds", views);
  if (grid.size[2] > limits.array_layers)
    return fmt::format("{} slices are more than one texture array holds", grid.size[2]);
  return {};
}

OrbitBackprojection::OrbitBackprojection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                                         const Scan& scan, const CtOptions& options, const QuarterTurns& turns)
    : context_(std::move(context)),
      timings_(timings),
      reductions_(timings),
      grid_(grid),
      turns_(turns),
      detector_(scan.detector),
      variant_(BackprojectionVariant::parse(options.variant)),
      half_(options.precision == Precision::half),
      fdk_(options.weighting == Weighting::fdk),
      layer_from_vertex_(context_->limits().layer_from_vertex_shader),
      group_count_(static_cast<std::int64_t>(turns.groups.size())) {
  context_->make_current();
  order_ = upload_order(turns);
  directions_ = upload_directions(turns);
  linear_ = Sampler("packed projections", GL_LINEAR);
  packed_ = Texture("packed projections", GL_TEXTURE_2D_ARRAY, half_ ? GL_RGBA16F : GL_RGBA32F, detector_.columns,
                    detector_.rows, group_count_);
  Defines format{{"FORMAT", half_ ? "rgba16f" : "rgba32f"}};
  if (half_) format.emplace_back("HALF", "");
  pack_ = Program("pack by quarter turns", {"backproject/pack_orbit.comp"}, format);
  if (variant_.draw == BackprojectionVariant::Draw::compute) {
    Defines d{{"SLICES", std::to_string(slices_per_invocation)}, {"MOST_GROUPS", std::to_string(most_groups)}};
    if (turns.parallel) d.emplace_back("PARALLEL", "");
    if (fdk_) d.emplace_back("WEIGHT_FDK", "");
    compute_ = Program("backproject orbits", {"backproject/orbit.comp"}, d);
    set_scan(compute_, turns, detector_);
    return;
  }
  framebuffer_ = Framebuffer("orbits");
  no_vertices_ = VertexArray("no vertices");
  orbits_ = Texture("orbits", GL_TEXTURE_2D_ARRAY, GL_RGBA32F, side(grid), side(grid), grid.size[2]);
  unpack_ = Program("unpack orbits", {"backproject/unpack_orbit.comp"});
  slices_program(std::min(groups_per_pass, group_count_));
}

Program& OrbitBackprojection::slices_program(std::int64_t groups) {
  auto found = slices_.find(groups);
  if (found != slices_.end()) return found->second;
  std::vector<std::string> stages{"backproject/orbit.vert", "backproject/orbit.frag"};
  if (!layer_from_vertex_) stages.emplace_back("backproject/orbit.geom");
  Defines d{{"GROUPS", std::to_string(groups)}, {"MOST_GROUPS", std::to_string(most_groups)}};
  if (layer_from_vertex_) d.emplace_back("LAYER_FROM_VERTEX", "");
  if (turns_.parallel) d.emplace_back("PARALLEL", "");
  if (fdk_) d.emplace_back("WEIGHT_FDK", "");
  Program p("backproject orbits " + std::to_string(groups), stages, d);
  p.set("side", static_cast<float>(side(grid_)));
  p.set("middle", grid_.size[0] % 2 == 0 ? 0.5f : 0.0f);
  set_scan(p, turns_, detector_);
  return slices_.emplace(groups, std::move(p)).first->second;
}

void OrbitBackprojection::set_scan(Program& p, const QuarterTurns& turns, const Detector& d) {
  const auto columns = static_cast<double>(d.columns), rows = static_cast<double>(d.rows);
  p.set("detector", static_cast<float>((turns.column0 + 0.5) / columns), static_cast<float>(turns.columns / columns),
        static_cast<float>((turns.row0 + 0.5) / rows), static_cast<float>(turns.rows / rows));
  p.set("source_distance", static_cast<float>(turns.distance));
  p.set("margin", static_cast<float>(0.5 / rows));
  p.set("spacing", static_cast<float>(grid_.spacing.x));
  p.set("z", static_cast<float>(grid_.spacing.z), static_cast<float>(grid_.first_voxel().z - turns.source_z));
}

std::string OrbitBackprojection::name() const {
  const char* texel = half_ ? "rgba16f" : "rgba32f";
  if (variant_.draw == BackprojectionVariant::Draw::compute) return fmt::format("texel={},draw=compute", texel);
  return fmt::format("texel={},draw=slices,transform=vertex,accumulate=blend,views={}", texel,
                     4 * std::min(groups_per_pass, group_count_));
}

void OrbitBackprojection::choose_unit(const GlArray& projections) {
  if (!half_) return;
  // Half floats hold 2^-14 to 2^16 in full: the largest magnitude goes to 2^14, an exact power of two away.
  const double largest = reductions_.largest_magnitude(projections);
  unit_ = largest > 0 && std::isfinite(largest)
              ? static_cast<float>(std::exp2(std::clamp(std::ceil(std::log2(largest)) - 14, -120.0, 120.0)))
              : 1.0f;
}

void OrbitBackprojection::pack(const GlArray& projections) {
  const Pass pass(timings_, "pack by quarter turns");
  order_.bind_storage(0);
  pack_.set("per_unit", 1 / unit_);
  pack_.use();
  glBindSampler(0, 0);
  projections.textures().front().bind(0);
  packed_.bind_image(0, GL_WRITE_ONLY);
  glDispatchCompute(groups(detector_.columns, 32), groups(detector_.rows, 8), static_cast<GLuint>(group_count_));
  glMemoryBarrier(everything_that_reads);
}

void OrbitBackprojection::run(const GlArray& projections, GlArray& volume, Write write) {
  context_->make_current();
  choose_unit(projections);
  pack(projections);
  directions_.bind_uniform(1);
  packed_.bind(0);
  linear_.bind(0);
  const bool accumulate = write == Write::accumulate;
  if (variant_.draw == BackprojectionVariant::Draw::compute)
    run_compute(volume, accumulate);
  else
    run_slices(volume, accumulate);
  glBindSampler(0, 0);
}

void OrbitBackprojection::run_compute(GlArray& volume, bool accumulate) {
  const Pass pass(timings_, "backproject orbits");
  compute_.set("group_count", static_cast<int>(group_count_));
  compute_.set("n", static_cast<int>(grid_.size[0]));
  compute_.set("first_slice", 0);
  compute_.set("slices", static_cast<int>(grid_.size[2]));
  compute_.set("unit", unit_);
  compute_.set("accumulate", accumulate ? 1 : 0);
  compute_.use();
  volume.textures().front().bind_image(0, GL_READ_WRITE);
  glDispatchCompute(groups(side(grid_), 16), groups(side(grid_), 4), groups(grid_.size[2], slices_per_invocation));
  glMemoryBarrier(everything_that_reads);
}

void OrbitBackprojection::run_slices(GlArray& volume, bool accumulate) {
  orbits_.clear(0);
  {
    const DrawState state(DrawState::Mode::add);
    glBindVertexArray(no_vertices_.id());
    framebuffer_.attach(orbits_);
    framebuffer_.use();
    for (std::int64_t done = 0; done < group_count_;) {
      const std::int64_t left = group_count_ - done;
      // What is left over is made of few programs: powers of two.
      const std::int64_t count = left >= groups_per_pass
                                     ? groups_per_pass
                                     : static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(left)));
      const Pass pass(timings_, "backproject orbits");
      Program& p = slices_program(count);
      p.set("first_group", static_cast<int>(done));
      p.use();
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(grid_.size[2]));
      done += count;
    }
  }
  const Pass pass(timings_, "unpack orbits");
  unpack_.set("n", static_cast<int>(grid_.size[0]));
  unpack_.set("unit", unit_);
  unpack_.set("accumulate", accumulate ? 1 : 0);
  unpack_.use();
  glBindSampler(0, 0);
  orbits_.bind(0);
  volume.textures().front().bind_image(0, GL_READ_WRITE);
  glDispatchCompute(groups(grid_.size[0], 32), groups(grid_.size[1], 8), static_cast<GLuint>(grid_.size[2]));
  glMemoryBarrier(everything_that_reads);
}

}  // namespace backlit::gl
