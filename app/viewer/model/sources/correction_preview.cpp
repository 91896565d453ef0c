#include "model/sources/correction_preview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include <backlit/core/error.hpp>

namespace backlit::viewer {
namespace {

struct Place {
  std::string_view name;
  bool sinogram, view;
};
/// Stripes and defects show over all views; what spreads over the detector takes whole views.
constexpr std::array places{
    Place{"flat_components", false, true}, Place{"defects", true, false},      Place{"zingers", true, true},
    Place{"air_columns", true, true},      Place{"dead_stripes", true, false}, Place{"large_stripes", true, false},
    Place{"stripes", true, false},         Place{"phase_ratio", false, true},  Place{"scatter_share", false, true},
    Place{"water_spectrum", true, true},   Place{"hardening", true, true}};

/// Turns off what the part does not show, and returns its titles.
std::string leave_out(CorrectionOptions& options, PreviewPart part) {
  CorrectionOptions defaults;
  const CorrectionOptions asked = options;
  Parameters to = describe(options);
  const Parameters usual = describe(defaults);
  std::string titles;
  for (const Correction& c : corrections()) {
    if (!c.wanted(asked) || (!c.needs_volume && shows_in(part, std::string(c.name)))) continue;
    for (std::size_t i = 0; i < to.size(); ++i)
      if (std::ranges::count(c.parameters, to[i].name) > 0) to[i].set(usual[i].text());
    titles += (titles.empty() ? "" : ", ") + std::string(c.title);
  }
  return titles;
}

}  // namespace

bool shows_in(PreviewPart part, const std::string& name) {
  const auto place = std::ranges::find(places, name, &Place::name);
  return place != places.end() && (part == PreviewPart::sinogram ? place->sinogram : place->view);
}

CorrectionPreviewer::CorrectionPreviewer(std::shared_ptr<ProjectionSource> views, const ScanFile& file,
                                         PreviewPart part, std::int64_t number)
    : views_(std::move(views)),
      part_(part),
      number_(number),
      in_file_(file.corrections),
      flats_{file.flats, file.darks, {}},
      scan_(views_->scan()) {
  const bool sinogram = part == PreviewPart::sinogram;
  const std::int64_t beside = sinogram ? 2 : 1, all = sinogram ? scan_.detector.rows : scan_.view_count();
  if (number < 0 || number >= all)
    throw InputError("preview", fmt::format("there is no {} {}", sinogram ? "row" : "view", number),
                     fmt::format("there are {}", all));
  const std::int64_t first = std::max<std::int64_t>(0, number - beside), last = std::min(all - 1, number + beside),
                     count = last - first + 1;
  inside_ = number - first;
  if (sinogram) {
    scan_.detector.rows = count;
    rows_.emplace(views_, first, count);
  } else {
    scan_.views = {scan_.views.begin() + first, scan_.views.begin() + first + count};
  }
}

void CorrectionPreviewer::read_views() {
  Projections read(scan_);
  views_->read(number_ - inside_, scan_.view_count(), read.values.span());
  read_ = std::make_shared<const Projections>(std::move(read));
}

bool CorrectionPreviewer::step() {
  if (read_) return true;
  if (!rows_) {
    read_views();
    return true;
  }
  if (!rows_->step()) return false;
  Projections read(scan_);
  std::ranges::copy(rows_->values(), read.values.span().begin());
  rows_.reset();
  read_ = std::make_shared<const Projections>(std::move(read));
  return true;
}

CorrectionPreview CorrectionPreviewer::corrected(const CorrectionOptions& asked, const Watch& watch) const {
  CorrectionOptions options = over(in_file_, asked);
  CorrectionPreview out;
  out.part = part_;
  out.number = number_;
  out.left_out = leave_out(options, part_);
  const auto memory = std::make_shared<MemorySource>(Projections(scan_, read_->values.clone()));
  const CorrectedProjections made = apply_corrections(memory, options, flats_, watch);
  for (const std::string& done : made.done) out.done += (out.done.empty() ? "" : "; ") + done;
  const Detector& d = scan_.detector;
  const std::int64_t views = scan_.view_count();
  Projections after(scan_);
  made.source->read(0, views, after.values.span());
  const bool sinogram = part_ == PreviewPart::sinogram;
  const auto picture = [&](std::span<const float> values) {
    Plane plane{d.columns, sinogram ? views : d.rows, sinogram ? 1 : d.pixel_u, sinogram ? 1 : d.pixel_v, {}};
    const std::int64_t lines = sinogram ? views : 1, length = sinogram ? d.columns : d.pixels();
    for (std::int64_t v = 0; v < lines; ++v) {
      const std::int64_t at = sinogram ? v * d.pixels() + inside_ * d.columns : inside_ * d.pixels();
      const auto line = values.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(length));
      plane.values.insert(plane.values.end(), line.begin(), line.end());
    }
    return plane;
  };
  out.before = picture(read_->values.span());
  out.after = picture(after.values.span());
  return out;
}

}  // namespace backlit::viewer
