#include "commands/calibration_report.hpp"

#include <algorithm>

#include <backlit/data/placed_views.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/render/contact_sheet.hpp>
#include <backlit/render/line_plot.hpp>

namespace backlit::cli {
namespace {

constexpr std::int64_t panel = 440;

/// One slice of a filtered backprojection, at the height of the volume's middle.
Volume middle_slice(const Session& session, const Scan& scan, const Watch& watch) {
  VolumeGrid grid = session.grid();
  const auto whole = static_cast<double>(std::max(grid.size[0], grid.size[1]));
  const double coarser = std::max(1.0, whole / 512);
  for (std::size_t a = 0; a < 2; ++a)
    grid.size[a] = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(grid.size[a]) / coarser));
  SessionOptions options;
  options.grid.size = {grid.size[0], grid.size[1], 1};
  options.grid.voxel = {grid.spacing.x * coarser, grid.spacing.y * coarser, grid.spacing.z};
  options.grid.center = grid.center;
  options.device.backend = "cpu";
  Session placed(std::make_shared<PlacedViews>(session.projections(), scan), options, watch);
  return placed.run({}, watch).volume;
}

constexpr std::int64_t plot_height = 280;

/// The shift of each view along columns and rows.
Image path_of(const std::vector<ViewShift>& shifts) {
  Curve u{"along columns", {}, {}}, v{"along rows", {}, {}};
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    for (Curve* curve : {&u, &v}) curve->x.push_back(static_cast<double>(i));
    u.y.push_back(shifts[i].u);
    v.y.push_back(shifts[i].v);
  }
  return plot_curves(std::vector<Curve>{u, v}, {"shifts of views", "view", "px"}, false, panel, plot_height);
}

/// The change of the shifts in each round.
Image progress_of(const Alignment& alignment) {
  std::vector<double> round(alignment.change.size());
  for (std::size_t i = 0; i < round.size(); ++i) round[i] = static_cast<double>(i + 1);
  return plot_logarithmic(round, alignment.change, {"alignment of views", "round", "change, px r.m.s."}, panel,
                          plot_height);
}

/// Arranges pictures in two columns of equal width, row by row.
Image in_two_columns(const std::vector<Image>& pictures) {
  std::int64_t width = 0, height = 0;
  for (const Image& picture : pictures) width = std::max(width, picture.width);
  std::vector<std::int64_t> top;
  for (std::size_t i = 0; i < pictures.size(); i += 2) {
    top.push_back(height);
    height += std::max(pictures[i].height, i + 1 < pictures.size() ? pictures[i + 1].height : 0);
  }
  Image all(2 * width, height, {255, 255, 255});
  for (std::size_t i = 0; i < pictures.size(); ++i)
    all.paste(pictures[i], static_cast<std::int64_t>(i % 2) * width, top[i / 2]);
  return all;
}

}  // namespace

Image calibration_report(const Calibration& found, const std::optional<Alignment>& alignment, const Session& session,
                         const Watch& watch) {
  std::vector<Image> pictures;
  SheetOptions sheet;
  sheet.panel = panel;
  for (const bool calibrated : {false, true}) {
    sheet.title = calibrated ? "calibrated" : "geometry of the scan file";
    pictures.push_back(
        contact_sheet(middle_slice(session, calibrated ? found.scan : session.scan(), watch), nullptr, sheet));
  }
  for (const CalibratedParameter& p : found.parameters)
    if (!p.at.empty())
      pictures.push_back(plot_logarithmic(p.at, p.criterion,
                                          {p.name + (p.determined ? "" : " (left alone)"), p.unit,
                                           "disagreement of " + p.compared.substr(0, p.compared.find(' '))},
                                          panel, plot_height));
  if (alignment) {
    pictures.push_back(path_of(alignment->shifts));
    pictures.push_back(progress_of(*alignment));
  }
  return in_two_columns(pictures);
}

}  // namespace backlit::cli
