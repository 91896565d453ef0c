#include "io/scans/directions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/geometry/helix.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include <backlit/preprocess/detector_flips.hpp>
#include <backlit/preprocess/turning_sense.hpp>

namespace backlit {
namespace {

enum class SourcePath { parallel, circle, helix, other };

SourcePath path_of_source(const Scan& scan) {
  if (scan.beam() == Beam::parallel) return SourcePath::parallel;
  double nearest = std::numeric_limits<double>::infinity(), farthest = 0;
  for (const View& view : scan.views) {
    const double radius = std::hypot(view.source.x, view.source.y);
    nearest = std::min(nearest, radius);
    farthest = std::max(farthest, radius);
  }
  if (farthest > 1.05 * nearest) return SourcePath::other;
  return is_helical(scan) ? SourcePath::helix : SourcePath::circle;
}

std::shared_ptr<ProjectionSource> line_integrals(const ScanFile& file) {
  if (file.kind != ScanFile::Kind::counts) return file.projections;
  return correct_counts(file.projections, file.flats, file.darks, nullptr);
}

/// What the data say about one direction.
struct DirectionCheck {
  bool known = false, contradicted = false;
  std::string numbers;
};

struct DirectionChecks {
  DirectionCheck across;
  std::optional<DirectionCheck> along;  ///< nothing where no data can tell
};

std::optional<DirectionChecks> check_circle(const ScanFile& file) {
  const auto sense = compare_turning_senses(line_integrals(file));
  if (!sense) return {};
  DirectionChecks v;
  v.across.contradicted = sense->contradicted();
  v.across.known = v.across.contradicted || sense->confirmed();
  v.across.numbers =
      fmt::format("conjugate rays differ by {:.3g} in the sense that the format defines, by {:.3g} in the opposite one",
                  sense->as_given, sense->reversed);
  return v;
}

std::optional<DirectionChecks> check_helix(const ScanFile& file) {
  const auto flips = compare_detector_flips(*line_integrals(file));
  if (!flips) return {};
  const std::size_t best = flips->best();
  const auto check = [&](std::size_t bit, bool known) {
    return DirectionCheck{
        known, known && (best & bit) != 0,
        fmt::format("lines measured from both ends differ by {:.3g} as the format says, by {:.3g} mirrored",
                    flips->difference[best & ~bit], flips->difference[best | bit])};
  };
  return DirectionChecks{check(1, flips->columns_are_known()), check(2, flips->rows_are_known())};
}

/// Nothing where the data cannot be asked, or are too few.
std::optional<DirectionChecks> check_data(const ScanFile& file, SourcePath path) {
  if (!file.projections) return {};
  try {
    if (path == SourcePath::circle) return check_circle(file);
    if (path == SourcePath::helix) return check_helix(file);
  } catch (const InputError&) {  // a later read of the views reports the fault
  }
  return {};
}

void add_fact(ScanFile& file, const std::string& name, const std::string& taken, const std::string& why) {
  file.facts.push_back({name, taken, why});
  file.directions.push_back(fmt::format("{}: {} ({})", name, taken, why));
}

/// Adds the fact. Returns whether the opposite of the file's direction has to be taken.
bool apply_check(ScanFile& file, const ScanDirection& direction, const DirectionCheck& check) {
  if (!check.known) {
    add_fact(file, direction.name, "as the format says; the data do not determine it", check.numbers);
    return false;
  }
  if (!check.contradicted) {
    add_fact(file, direction.name, "as the format says, and the data agree", check.numbers);
    return false;
  }
  add_fact(file, direction.name, "the opposite of what the format says, since the data contradict it", check.numbers);
  file.notes.push_back(
      fmt::format("the data contradict {} ({}): the opposite is taken. If instead the error is in {}, the volume is a "
                  "mirror image",
                  direction.stated, check.numbers, direction.instead));
  return true;
}

Vec3 turned(const Vec3& a, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y, a.z};
}

double azimuth(const View& view) { return std::atan2(view.source.y, view.source.x); }

/// The source turns, or travels along z, in the opposite sense; the detector is where it was as seen from the source.
void reverse_source(ScanFile& file, double fixed_deg, bool turn, bool travel) {
  auto& views = file.scan.views;
  const double fixed = file.angles_deg.empty() ? azimuth(views.front()) : fixed_deg * radians_per_degree;
  const double ends = views.front().source.z + views.back().source.z;
  for (std::size_t i = 0; i < views.size(); ++i) {
    View& view = views[i];
    if (turn) {
      const double angle = file.angles_deg.empty() ? azimuth(view) : file.angles_deg[i] * radians_per_degree;
      for (Vec3* part : {&view.source, &view.center, &view.u, &view.v}) *part = turned(*part, 2 * (fixed - angle));
    }
    if (travel) {
      const double moved = ends - 2 * view.source.z;
      view.source.z += moved;
      view.center.z += moved;
    }
  }
  if (turn)
    for (double& angle : file.angles_deg) angle = 2 * fixed_deg - angle;
}

void reverse_directions(ScanFile& file, const DirectionReversal& reversal, bool across, bool along) {
  if (reversal.apply)
    reversal.apply(file, across, along);
  else
    reverse_source(file, reversal.fixed_deg, across, along);
  set_geometry_text(file);
  file.projections = std::make_shared<PlacedViews>(file.projections, file.scan);
}

}  // namespace

void set_geometry_text(ScanFile& file) {
  const auto trajectory = find_trajectory(file.scan);
  if (trajectory) file.scan.views = make_views(*trajectory, file.scan.detector);
  file.trajectory_toml = trajectory ? geometry_toml(file.scan.detector, *trajectory) : geometry_toml(file.scan);
}

void check_directions(ScanFile& file) {
  const DirectionReversal reversal = std::exchange(file.reversal, {});
  const ScanDirection &across = reversal.across, &along = reversal.along;
  const SourcePath path = path_of_source(file.scan);
  const char* const by_format = "of the format";
  if (path == SourcePath::parallel)
    return add_fact(file, across.name,
                    "as the format defines; in the opposite sense, the volume would be a mirror image", by_format);
  const auto checks = check_data(file, path);
  if (!checks)
    return add_fact(file, across.name, "as the format says; the data were not compared",
                    path == SourcePath::other ? "the sources lie on no circle or helix about z" : by_format);
  const bool opposite = apply_check(file, across, checks->across);
  const bool opposite_along = checks->along && apply_check(file, along, *checks->along);
  file.facts.push_back({"mirror image",
                        "as the format says: the opposite sense with a mirrored detector gives the same data",
                        by_format});
  if (opposite || opposite_along) reverse_directions(file, reversal, opposite, opposite_along);
}

}  // namespace backlit
