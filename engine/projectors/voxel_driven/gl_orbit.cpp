#include "projectors/voxel_driven/gl_orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "projectors/shared/gl/half_unit.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t most_groups = 1024;  // 16 KiB of uniforms, which every driver has
constexpr std::int64_t best_groups = BackprojectionVariant::best_packed_views / 4;  // per pass
constexpr int slices_per_invocation = 4;
/// Groups packed at a time where the scan is in order: as few as take little time beside their upload.
constexpr std::int64_t most_groups_of_batches = 16, most_bytes_of_batches = std::int64_t{64} << 20;

std::int64_t side(const VolumeGrid& grid) { return (grid.size[0] + 1) / 2; }

std::int64_t packed_groups(const QuarterTurns& turns, const Detector& d, bool half) {
  const auto all = static_cast<std::int64_t>(turns.groups.size());
  if (!turns.in_order()) return all;
  const std::int64_t fit = most_bytes_of_batches / (d.pixels() * (half ? 8 : 16));
  return std::min(all, std::clamp<std::int64_t>(fit, 1, most_groups_of_batches));
}

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
                                         const Scan& scan, const CtOptions& options,
                                         const BackprojectionVariant& variant, const QuarterTurns& turns)
    : context_(std::move(context)),
      timings_(timings),
      reductions_(timings),
      grid_(grid),
      turns_(turns),
      detector_(scan.detector),
      variant_(variant.completed(options.precision, true,
                                 BackprojectionVariant::usual_packed(context_->limits(), grid.size[0]))),
      half_(options.precision == Precision::half),
      weighting_(options.weighting),
      layer_from_vertex_(context_->limits().layer_from_vertex_shader),
      in_order_(turns.in_order()),
      group_count_(static_cast<std::int64_t>(turns.groups.size())) {
  context_->make_current();
  order_ = upload_order(turns);
  directions_ = upload_directions(turns);
  const bool linear = variant_.interpolation == BackprojectionVariant::Interpolation::linear;
  sampler_ = Sampler("packed projections", linear ? GL_LINEAR : GL_NEAREST);
  most_packed_ = packed_groups(turns, detector_, half_);
  Defines format{{"FORMAT", half_ ? "rgba16f" : "rgba32f"}};
  if (half_) format.emplace_back("HALF", "");
  pack_ = Program("pack by quarter turns", {"voxel_driven/orbit/pack_orbit.comp"}, format);
  if (variant_.draw == BackprojectionVariant::Draw::compute) {
    compute_ = make_program("backproject orbits", {"voxel_driven/orbit/orbit.comp"},
                            {{"SLICES", std::to_string(slices_per_invocation)}});
    return;
  }
  framebuffer_ = Framebuffer("orbits");
  no_vertices_ = VertexArray("no vertices");
  orbits_ = Texture("orbits", GL_TEXTURE_2D_ARRAY, GL_RGBA32F, side(grid), side(grid), grid.size[2]);
  unpack_ = Program("unpack orbits", {"voxel_driven/orbit/unpack_orbit.comp"});
  const std::int64_t wanted = variant_.views > 0 ? std::max<std::int64_t>(1, variant_.views / 4) : best_groups;
  groups_per_pass_ = std::min(wanted, most_packed_);
  const auto make = [&](std::int64_t groups) { return slices_program(groups); };
  if (variant_.transform == BackprojectionVariant::Transform::vertex)
    groups_per_pass_ = slices_.fit(*context_, groups_per_pass_, 2, layer_from_vertex_, make);
  else
    slices_.of(loops() ? 0 : groups_per_pass_, make);
  variant_.views = 4 * groups_per_pass_;
  if (variant_.kill != BackprojectionVariant::Kill::none) make_mask(scan);
}

void OrbitBackprojection::make_mask(const Scan& scan) {
  mark_ = make_program("mark what is seen", orbit_stages(SliceWork::mark, variant_.transform, !layer_from_vertex_), {});
  KillMask::describe(mark_, scan, variant_.interpolation, false);
  mark_.set("group_count", static_cast<int>(group_count_));
  mask_.emplace(variant_.kill, orbits_.width(), orbits_.height(), orbits_.depth());
  mark();
}

void OrbitBackprojection::mark() {
  const Pass pass(timings_, "mark what is seen");
  const DrawState state(DrawState::Mode::replace);
  directions_.bind_uniform(1);
  glBindVertexArray(no_vertices_.id());
  set_height(mark_);
  mask_->mark(mark_, orbits_.width() * orbits_.height() * orbits_.depth());
}

void OrbitBackprojection::set_height(Program& p) const {
  const double first = grid_.first_voxel().z - turns_.source_z;
  p.set("z", static_cast<float>(grid_.spacing.z), static_cast<float>(first));
}

Program OrbitBackprojection::slices_program(std::int64_t groups) const {
  return make_program("backproject orbits " + std::to_string(groups),
                      orbit_stages(SliceWork::sum, variant_.transform, !layer_from_vertex_),
                      {{"GROUPS", groups > 0 ? std::to_string(groups) : "group_count"}});
}

Program OrbitBackprojection::make_program(const std::string& name, const std::vector<std::string>& stages,
                                          Defines d) const {
  d.emplace_back("MOST_GROUPS", std::to_string(most_groups));
  Program p(name, stages, d, orbit_choices(turns_.parallel, weighting_, context_->limits()));
  const auto columns = static_cast<double>(detector_.columns), rows = static_cast<double>(detector_.rows);
  p.set("detector", static_cast<float>((turns_.column0 + 0.5) / columns), static_cast<float>(turns_.columns / columns),
        static_cast<float>((turns_.row0 + 0.5) / rows), static_cast<float>(turns_.rows / rows));
  p.set("source_distance", static_cast<float>(turns_.distance));
  p.set("margin", static_cast<float>(0.5 / rows));
  p.set("spacing", static_cast<float>(grid_.spacing.x));
  p.set("side", static_cast<float>(side(grid_)));
  p.set("middle", grid_.size[0] % 2 == 0 ? 0.5f : 0.0f);
  p.set("first_layer", 0);
  return p;
}

std::string OrbitBackprojection::name() const {
  return variant_.name() + slices_.limit() + (mask_ ? fmt::format(",killed={:.4f}", mask_->share()) : "");
}

void OrbitBackprojection::choose_unit(const GlArray& projections) {
  if (half_) unit_ = half_unit(reductions_, projections);
}

bool OrbitBackprojection::takes(Layers layers, const Subset& s) const {
  if (s.stride != 1 || layers.stride != 1 || s.count == 0) return false;
  return s.count == 4 * group_count_ || (in_order_ && s.first % 4 == 0 && s.count % 4 == 0);
}

void OrbitBackprojection::pack(const GlArray& projections, std::int64_t first_layer, const Run& some) {
  if (some.count > packed_.depth()) {
    packed_ = {};  // frees the old one first
    packed_ = Texture("packed projections", GL_TEXTURE_2D_ARRAY, half_ ? GL_RGBA16F : GL_RGBA32F, detector_.columns,
                      detector_.rows, some.count);
  }
  const Pass pass(timings_, "pack by quarter turns");
  order_.bind_storage(0);
  pack_.set("per_unit", 1 / unit_);
  pack_.set("first_group", static_cast<int>(some.first));
  pack_.set("first_layer", static_cast<int>(first_layer));
  pack_.use();
  glBindSampler(0, 0);
  projections.textures().front().bind(0);
  packed_.bind_image(0, GL_WRITE_ONLY);
  glDispatchCompute(groups(detector_.columns, 32), groups(detector_.rows, 8), static_cast<GLuint>(some.count));
  glMemoryBarrier(everything_that_reads);
}

void OrbitBackprojection::run(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                              Write write) {
  context_->make_current();
  choose_unit(projections);
  directions_.bind_uniform(1);
  bool accumulate = write == Write::accumulate;
  const std::int64_t end = (subset.first + subset.count) / 4;
  for (Run some{subset.first / 4, 0}; some.first < end; some.first += some.count, accumulate = true) {
    some.count = std::min(end - some.first, most_packed_);
    pack(projections, layers.first - subset.first, some);
    packed_.bind(0);
    sampler_.bind(0);
    if (variant_.draw == BackprojectionVariant::Draw::compute)
      run_compute(volume, some, accumulate);
    else
      run_slices(volume, some, accumulate);
    glBindSampler(0, 0);
  }
}

void OrbitBackprojection::run_compute(GlArray& volume, const Run& some, bool accumulate) {
  const Pass pass(timings_, "backproject orbits");
  compute_.set("first_packed", static_cast<int>(some.first));
  compute_.set("group_count", static_cast<int>(some.count));
  compute_.set("n", static_cast<int>(grid_.size[0]));
  set_height(compute_);
  compute_.set("slices", static_cast<int>(grid_.size[2]));
  compute_.set("unit", unit_);
  compute_.set("accumulate", accumulate ? 1 : 0);
  compute_.use();
  volume.textures().front().bind_image(0, GL_READ_WRITE);
  glDispatchCompute(groups(side(grid_), 16), groups(side(grid_), 4), groups(grid_.size[2], slices_per_invocation));
  glMemoryBarrier(everything_that_reads);
  context_->pace(updates(volume.textures().front(), 4 * some.count));
}

void OrbitBackprojection::run_slices(GlArray& volume, const Run& some, bool accumulate) {
  orbits_.clear(0);
  {
    const DrawState state(DrawState::Mode::add);
    const KillMask::Testing testing(variant_.kill);
    glBindVertexArray(no_vertices_.id());
    framebuffer_.attach(orbits_);
    if (mask_) framebuffer_.attach_test(mask_->texture());
    framebuffer_.use();
    // A loop takes as many groups as one pass may have (Context::pace()).
    const std::int64_t most = loops() ? std::max<std::int64_t>(1, most_views(grid_.voxels()) / 4) : groups_per_pass_;
    for (std::int64_t done = 0; done < some.count;) {
      const std::int64_t left = some.count - done;
      const std::int64_t count = loops() ? std::min(left, most) : PassPrograms::next(left, most);
      const Pass pass(timings_, "backproject orbits");
      Program& p = slices_.of(loops() ? 0 : count, [&](std::int64_t groups) { return slices_program(groups); });
      p.set("first_packed", static_cast<int>(some.first));
      p.set("first_group", static_cast<int>(done));
      p.set("group_count", static_cast<int>(count));
      set_height(p);
      p.use();
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(grid_.size[2]));
      context_->pace(16 * updates(orbits_, count));
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
