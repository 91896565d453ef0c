// Common parts of the projections: the scan in the form of shaders' data, and the programs for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/projectors/ct_options.hpp>
#include "device/gl/gl_array.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "projectors/shared/gl/projection_variant.hpp"
#include "projectors/shared/gl/ray_table.hpp"
#include "projectors/shared/gl/view_run.hpp"
#include "projectors/shared/gl/view_table.hpp"

namespace backlit::gl {

/// For one grid and one scan.
struct ProjectionPlan {
  ProjectionPlan(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                 const CtOptions& options, const ProjectionVariant&);

  /// A geometry shader is added to the stages where the vertex shader cannot choose layers. The files in `more` replace
  /// the plan's choices.
  Program make_program(const char* name, std::vector<std::string> stages, Choices more = {}, Defines = {}) const;
  void set_axis(Program&, std::size_t axis) const;
  void set_views(Program&, const ViewRun&) const;
  /// Number of slices that fit into the L2 cache of a large card, so that all views pass over them before the next
  /// slices.
  static std::int64_t slab_slices(const Texture& slices);

  /// Views of a compute group, one after the other: they find each other's texels in the L1 cache.
  static constexpr int views_per_group = 16;

  bool computes() const { return variant.draw == ProjectionVariant::Draw::compute; }
  bool ping_pong() const { return variant.accumulate == ProjectionVariant::Accumulate::ping_pong; }
  bool draws_slices() const { return variant.draw == ProjectionVariant::Draw::slices; }
  /// Whether slices are drawn over the whole detector: where they are no polygons on it, or where pixels beside them
  /// must be written too.
  bool all_pixels() const { return pixels.curved || rays.source_inside || ping_pong(); }

  std::shared_ptr<Context> context;
  TimingTable& timings;
  VolumeGrid grid;
  Detector detector;
  Model model;
  ProjectionVariant variant;
  bool exact, half, layer_from_vertex;
  RayTable rays;
  ViewTable pixels, fractions;  ///< maps from voxels to the detector; fractions for draw=slices only

 private:
  Choices choices(Choices more) const;
};

}  // namespace backlit::gl
