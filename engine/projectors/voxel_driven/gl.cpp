#include "projectors/voxel_driven/gl.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"

namespace backlit::gl {
namespace {

float real(std::int64_t n) { return static_cast<float>(n); }

/// With `nearest`, the hardware takes one of four values; there is nothing to interpolate in software.
bool in_software(const BackprojectionVariant& v, Precision p) {
  return p == Precision::exact && v.interpolation == BackprojectionVariant::Interpolation::linear;
}

}  // namespace

Backprojection::Backprojection(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                               const Scan& scan, const CtOptions& options, const BackprojectionVariant& variant,
                               std::int64_t half_views)
    : context_(std::move(context)),
      timings_(timings),
      grid_(grid),
      scan_(scan),
      weighting_(options.weighting),
      variant_(variant.completed(options.precision, false, V::usual(context_->limits()))),
      exact_(in_software(variant_, options.precision)),
      packs_(options.packing == Packing::slices),
      layer_from_vertex_(context_->limits().layer_from_vertex_shader) {
  context_->make_current();
  table_ = ViewTable::make(grid, scan, weighting_, exact_ ? PositionUnit::pixel : PositionUnit::fraction);
  const bool nearest = exact_ || variant_.interpolation == V::Interpolation::nearest;
  sampler_ = Sampler("projections", nearest ? GL_NEAREST : GL_LINEAR);
  framebuffer_ = Framebuffer("slices");
  no_vertices_ = VertexArray("no vertices");
  const Limits& limits = context_->limits();
  const std::int64_t most = std::min(limits.array_layers, limits.framebuffer_layers);
  for (std::int64_t first = 0; first < grid.size[2]; first += most)
    depths_.push_back(std::min(most, grid.size[2] - first));
  if (options.precision == Precision::half)
    halves_.emplace(timings, scan.detector, std::min(half_views, limits.array_layers));
  if (packs_) {
    sums_ = Texture("sums of four slices", GL_TEXTURE_2D_ARRAY, GL_RGBA32F, grid.size[0], grid.size[1],
                    layers_of(depths_.front()));
    unpack_ = Program("unpack slices", {"voxel_driven/unpack_slices.comp"});
  }
  if (computes()) {
    program(0);
    return;
  }
  if (variant_.views == 0) variant_.views = V::best_views;
  if (ping_pong()) make_scratch();
  if (variant_.kill != V::Kill::none) make_masks(scan);
  if (variant_.transform == V::Transform::vertex)
    variant_.views = programs_.fit(*context_, variant_.views, table_.parallel ? 2 : 3,
                                   layer_from_vertex_ || variant_.target == V::Target::slice,
                                   [&](std::int64_t views) { return make_program_for(views); });
  else
    program(loops() ? 0 : variant_.views);
}

void Backprojection::make_scratch() {
  for (std::size_t c = scratch_.size(); c < depths_.size(); ++c)
    scratch_.emplace_back("volume (ping-pong)", GL_TEXTURE_2D_ARRAY, packs_ ? GL_RGBA32F : GL_R32F, grid_.size[0],
                          grid_.size[1], packs_ ? sums_.depth() : depths_[c]);
}

Program Backprojection::make_program(const std::string& name, const std::vector<std::string>& stages,
                                     const Defines& d) const {
  Program p(name, stages, d, slice_choices(variant_, table_, weighting_, exact_, packs_, context_->limits()));
  p.set("size", real(grid_.size[0]), real(grid_.size[1]));
  p.set("slices_per_layer", packs_ ? 4 : 1);
  p.set("pixel_scale", 1 / real(scan_.detector.columns), 1 / real(scan_.detector.rows));
  p.set("detector_size", real(scan_.detector.columns), real(scan_.detector.rows));
  return p;
}

Program& Backprojection::program(std::int64_t views) {
  return programs_.of(views, [&](std::int64_t n) { return make_program_for(n); });
}

Program Backprojection::make_program_for(std::int64_t views) const {
  const std::string label = "backproject " + std::to_string(views);
  if (computes())
    return make_program(label, {"voxel_driven/column.comp"}, {{"SLICES", std::to_string(slices_per_invocation)}});
  return make_drawing(label, packs_ ? SliceWork::sum_packed : SliceWork::sum, views);
}

/// A program that draws slices as polygons; 0 views: a loop over the views of a pass.
Program Backprojection::make_drawing(const std::string& name, SliceWork work, std::int64_t views) const {
  Defines d{{"VIEWS", views > 0 ? std::to_string(views) : "view_count"}};
  if (variant_.target == V::Target::image) d.emplace_back("FORMAT", packs_ ? "rgba32f" : "r32f");
  const bool geometry = !layer_from_vertex_ && variant_.target != V::Target::slice;
  return make_program(name, slice_stages(work, variant_.transform, geometry), d);
}

void Backprojection::make_masks(const Scan& scan) {
  BackprojectionVariant layered = variant_;  // slices are marked all at once, even if they are drawn one by one
  layered.target = V::Target::layered;
  mark_ = Program("mark what is seen", slice_stages(SliceWork::mark, variant_.transform, !layer_from_vertex_), {},
                  slice_choices(layered, table_, weighting_, exact_, packs_, context_->limits()));
  mark_.set("slices_per_layer", packs_ ? 4 : 1);
  KillMask::describe(mark_, scan, variant_.interpolation, exact_);
  mark_.set("spacing", static_cast<float>(grid_.spacing.x), static_cast<float>(grid_.spacing.y));
  mark_.set("middle", static_cast<float>(grid_.first_voxel().x), static_cast<float>(grid_.first_voxel().y));
  for (std::int64_t slices : depths_)
    masks_.emplace_back(variant_.kill, grid_.size[0], grid_.size[1], packs_ ? sums_.depth() : slices);
  mark();
}

void Backprojection::mark() {
  const DrawState state(DrawState::Mode::replace);
  table_.views.bind_storage(0);
  glBindVertexArray(no_vertices_.id());
  std::int64_t first_slice = 0;
  for (std::size_t c = 0; c < masks_.size(); ++c) {
    const Pass pass(timings_, "mark what is seen");
    const Texture& mask = masks_[c].texture();
    set_pass(mark_, {0, 1, 0, 0, 1, scan_.view_count()}, first_slice, false);
    masks_[c].mark(mark_, mask.width() * mask.height() * mask.depth());
    first_slice += depths_[c];
  }
}

std::string Backprojection::name() const {
  std::string text = variant_.name() + programs_.limit();
  if (masks_.empty()) return text;
  double killed = 0;
  for (std::size_t c = 0; c < masks_.size(); ++c)
    killed += masks_[c].share() * static_cast<double>(depths_[c]) / static_cast<double>(grid_.size[2]);
  return text + fmt::format(",killed={:.4f}", killed);
}

ViewRun Backprojection::next_pass(const GlArray& projections, Layers layers, const Subset& subset,
                                  std::int64_t done) const {
  const bool whole = computes() || loops();
  const std::int64_t bearable = loops() ? most_views(grid_.voxels()) : subset.count;
  const std::int64_t fit = std::min(bearable, halves_ ? halves_->most_views() : subset.count);
  ViewRun pass = next_run(projections, layers, subset, done, std::min(fit, whole ? subset.count : variant_.views));
  if (!whole) pass.count = PassPrograms::next(pass.count, variant_.views);
  return pass;
}

ViewRun Backprojection::bind_views(const GlArray& projections, const ViewRun& views) {
  if (!halves_) {
    projections.textures()[views.texture].bind(0);
    sampler_.bind(0);
    return views;
  }
  const ViewRun copied = halves_->copy(projections, views);
  halves_->texture().bind(0);
  sampler_.bind(0);
  return copied;
}

void Backprojection::set_pass(Program& p, const ViewRun& views, std::int64_t first_slice, bool accumulate) {
  p.set("first_view", static_cast<int>(views.first_view));
  p.set("view_stride", static_cast<int>(views.view_stride));
  p.set("view_count", static_cast<int>(views.count));
  p.set("projection", static_cast<int>(views.first_layer));
  p.set("projection_stride", static_cast<int>(views.layer_stride));
  p.set("first_slice", static_cast<int>(first_slice));
  p.set("first_layer", 0);
  p.set("attached_layer", 0);
  p.set("accumulate", accumulate ? 1 : 0);
  p.set("unit", halves_ ? halves_->unit() : 1.0f);
}

void Backprojection::run(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                         Write write) {
  context_->make_current();
  if (subset.count == 0) {
    if (write == Write::overwrite)
      for (Texture& t : volume.textures()) t.clear(0);
    return;
  }
  if (halves_) halves_->choose_unit(projections);
  table_.views.bind_storage(0);
  if (computes())
    run_compute(projections, layers, subset, volume, write);
  else
    run_drawn(projections, layers, subset, volume, write);
  glBindSampler(0, 0);
}

void Backprojection::run_drawn(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                               Write write) {
  std::int64_t first_slice = 0;
  for (std::size_t c = 0; c < volume.textures().size(); ++c) {
    Texture& slices = volume.textures()[c];
    const bool kept = write == Write::accumulate;
    Target target{first_slice, layers_of(slices.depth()), packs_ ? &sums_ : &slices,
                  ping_pong() ? &scratch_[c] : nullptr, masks_.empty() ? nullptr : &masks_[c]};
    // Killed fragments are never written.
    if ((packs_ || !kept) && (blends() || target.mask)) target.volume->clear(0);
    {
      const DrawState state(blends() ? DrawState::Mode::add : DrawState::Mode::replace);
      const KillMask::Testing testing(variant_.kill);
      glBindVertexArray(no_vertices_.id());
      bool accumulate = kept && !packs_;
      for (std::int64_t done = 0; done < subset.count; accumulate = true) {
        const ViewRun pass = next_pass(projections, layers, subset, done);
        add_pass(projections, pass, target, accumulate);
        done += pass.count;
      }
    }
    if (packs_) unpack(slices, kept);
    first_slice += slices.depth();
  }
}

void Backprojection::add_pass(const GlArray& projections, const ViewRun& views, Target& target, bool accumulate) {
  Program& p = program(loops() ? 0 : views.count);
  const ViewRun bound = bind_views(projections, views);
  const Pass pass(timings_, "backproject");
  set_pass(p, bound, target.first_slice, accumulate);
  p.use();
  if (ping_pong()) target.volume->bind(1);
  draw_layers(p, target, views.count);
  if (ping_pong()) std::swap(*target.volume, *target.scratch);
}

void Backprojection::draw_layers(Program& p, const Target& target, std::int64_t views) {
  const Texture& written = target.scratch ? *target.scratch : *target.volume;
  const double layer_updates = static_cast<double>(written.width() * written.height() * views);
  if (variant_.target == V::Target::slice) {
    for (std::int64_t layer = 0; layer < target.layers; ++layer) {
      framebuffer_.attach(written, layer);
      if (target.mask) framebuffer_.attach_test(target.mask->texture(), layer);
      framebuffer_.use();
      p.set("attached_layer", static_cast<int>(layer));
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      context_->pace(layer_updates);
    }
    return;
  }
  const bool image = variant_.target == V::Target::image;
  if (image) {
    framebuffer_.attach_nothing(written);
    written.bind_image(0, GL_READ_WRITE);
  } else {
    framebuffer_.attach(written);
  }
  if (target.mask) framebuffer_.attach_test(target.mask->texture());
  framebuffer_.use();
  context_->in_pieces(target.layers, layer_updates, [&](std::int64_t first, std::int64_t layers) {
    p.set("first_layer", static_cast<int>(first));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(layers));
  });
  if (image) glMemoryBarrier(everything_that_reads);
}

void Backprojection::run_compute(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                                 Write write) {
  const bool kept = write == Write::accumulate;
  std::int64_t first_slice = 0;
  for (const Texture& slices : volume.textures()) {
    const Texture& target = packs_ ? sums_ : slices;
    bool accumulate = kept && !packs_;
    for (std::int64_t done = 0; done < subset.count; accumulate = true) {
      const ViewRun pass = next_pass(projections, layers, subset, done);
      const ViewRun bound = bind_views(projections, pass);
      const Pass timed(timings_, "backproject");
      Program& p = program(0);
      set_pass(p, bound, first_slice, accumulate);
      p.use();
      target.bind_image(0, GL_READ_WRITE);
      glDispatchCompute(groups(target.width(), 16), groups(target.height(), 16),
                        groups(slices.depth(), slices_per_invocation));
      glMemoryBarrier(everything_that_reads);
      context_->pace(updates(slices, pass.count));
      done += pass.count;
    }
    if (packs_) unpack(slices, kept);
    first_slice += slices.depth();
  }
}

void Backprojection::unpack(const Texture& volume, bool accumulate) {
  const Pass pass(timings_, "unpack slices");
  glMemoryBarrier(everything_that_reads);
  unpack_.set("accumulate", accumulate ? 1 : 0);
  unpack_.use();
  glBindSampler(0, 0);
  sums_.bind(0);
  volume.bind_image(0, GL_READ_WRITE);
  glDispatchCompute(groups(volume.width(), 32), groups(volume.height(), 8), static_cast<GLuint>(volume.depth()));
  glMemoryBarrier(everything_that_reads);
}

}  // namespace backlit::gl
