// Pictures directly from the projections, for the window: slices and D2VR.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "model/engine/events.hpp"
#include "model/engine/measured_views.hpp"
#include "model/engine/orders.hpp"
#include "render/gl/d2vr.hpp"
#include "render/gl/slicer.hpp"

namespace backlit::viewer {

/// The filter for slices computed from views.
FilterOptions slice_filter(const Method&);

class ViewJobs {
 public:
  ViewJobs(gl::GlBackend& backend, std::function<void(Event)> emit) : backend_(backend), emit_(std::move(emit)) {}

  /// Sets the views for later pictures. Nothing is read before a picture is requested. Views that are already loaded
  /// are not read again.
  void set_views(std::shared_ptr<ProjectionSource> views, Scan scan, FilterOptions filter, VolumeGrid region);
  void forget();
  void stop() {
    picture_.reset();
    candidates_.reset();
  }
  /// Throws InputError if there are no views.
  void begin(const order::Slices&, const Watch&);
  void begin(const order::Oblique&, const Watch&);
  /// `scan`: as the file says. work() then makes one picture after another.
  void begin(const order::Candidates&, Scan scan);
  void begin(const order::D2vr&, const Watch&);
  bool busy() const { return picture_ || candidates_; }
  /// Computes a part of the D2VR picture, of which each refinement is an event, or the slice for one candidate.
  void work(const Watch&);

 private:
  struct Picture {
    order::D2vr order;
    std::int64_t row = 0;
    std::chrono::steady_clock::time_point start;
  };
  struct Candidates {
    order::Candidates order;
    Scan scan;
    std::size_t next = 0;
  };
  void work_on_picture();
  void work_on_candidates(const Watch&);
  void prepare(const Watch&);
  JobPicture slice(const CutPlane&, std::uint64_t serial);
  void emit_found(const Picture&);

  gl::GlBackend& backend_;
  std::function<void(Event)> emit_;
  std::shared_ptr<ProjectionSource> source_;
  Scan scan_;
  FilterOptions filter_;
  VolumeGrid region_;
  std::unique_ptr<gl::ResidentViews> views_;  ///< made at first use
  std::unique_ptr<gl::ViewSlicer> slicer_;
  std::unique_ptr<gl::D2vr> d2vr_;
  gl::Texture found_;
  std::optional<Picture> picture_;
  std::optional<Candidates> candidates_;
};

}  // namespace backlit::viewer
