// A small part of a scan before and after corrections, which follows a slider at once: one detector row of all views,
// or one view.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/corrections.hpp>
#include <backlit/render/plane.hpp>
#include "model/engine/sinogram_job.hpp"

namespace backlit::viewer {

/// Which part shows what a correction does. Those that need a volume show in neither.
enum class PreviewPart { sinogram, view };
/// `name`: of the parameter that turns the correction on.
bool shows_in(PreviewPart, const std::string& name);

struct CorrectionPreview {
  PreviewPart part = PreviewPart::sinogram;
  std::int64_t number = 0;  ///< of the detector row, or of the view
  Plane before, after;      ///< [view][column], or [row][column]
  std::string done;         ///< what was done, in words, or why nothing was
  std::string left_out;     ///< titles of corrections that this part does not show
};

/// Reads the part once, then corrects it as often as it is asked for. A sinogram is corrected with two rows to either
/// side, a view with the views before and after it, so that corrections find neighbours.
class CorrectionPreviewer {
 public:
  /// `views`: without corrections. Throws InputError if there is no such row or view.
  CorrectionPreviewer(std::shared_ptr<ProjectionSource> views, const ScanFile&, PreviewPart, std::int64_t number);
  bool is_of(const std::shared_ptr<ProjectionSource>& views, PreviewPart part, std::int64_t number) const {
    return views == views_ && part == part_ && number == number_;
  }
  /// Reads some views. Returns whether all are read.
  bool step();
  CorrectionPreview corrected(const CorrectionOptions&, const Watch&) const;

 private:
  void read_views();

  std::shared_ptr<ProjectionSource> views_;
  PreviewPart part_;
  std::int64_t number_ = 0, inside_ = 0;  ///< of the part: which row, or view, of what is read
  CorrectionOptions in_file_;
  CorrectionInput flats_;
  Scan scan_;  ///< of what is read
  std::optional<RowReader> rows_;
  std::shared_ptr<const Projections> read_;
};

}  // namespace backlit::viewer
