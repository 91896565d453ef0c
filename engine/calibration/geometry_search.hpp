// The search for the geometry with which views agree best, for any criterion.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <backlit/calibration/calibrate.hpp>
#include "calibration/consistency.hpp"
#include "calibration/least_squares.hpp"

namespace backlit {

/// Parameters to search: members of GeometryCorrection, in this order.
enum Looked : std::size_t { column_offset, row_offset, in_plane, tilt_u, tilt_v, detector_distance, looked_count };

/// The parameters that a kind of scan determines, and the comparison of its views.
struct Evidence {
  std::string words;
  std::vector<std::size_t> parameters;  ///< Looked
  std::vector<std::size_t> coarse;      ///< those to search at the coarsest level; empty: all of them
  std::string others;                   ///< why the other parameters are not searched
  double binning = 1;                   ///< binning: pixels of the detector in one pixel of the comparison
  int levels = 3;                       ///< from coarse to fine
  bool direction = false;               ///< whether the views determine the direction of rotation
  double distance_error = 0;            ///< of the detector's distance, as a share of it, that views do not show
  std::function<std::unique_ptr<Consistency>(const Scan&, int level)> make;
};

class GeometrySearch {
 public:
  GeometrySearch(const Scan&, Evidence);

  /// `reversed`: the direction of rotation, for evidence that does not determine it.
  void start_at(double column, bool reversed) {
    values_[column_offset] = column;
    reversed_ = reversed;
  }
  /// Searches from coarse to fine. In the end, resets parameters that the views do not determine. Stage "calibrate".
  /// Throws Cancelled.
  void run(const Watch&);
  /// Finds the parameters of other evidence, of the same scanner, anew where it determines them well; then the
  /// remaining ones anew. Whether it determined any.
  bool add(const Scan&, Evidence, const Watch&);

  bool determines(std::size_t parameter) const { return active_[parameter]; }

  /// The criterion for the scan's own geometry, and for the geometry found.
  double before() const;
  double after() const { return criterion(values_, reversed_); }
  /// Whether the geometry found agrees better than the scan's own, with large residuals reduced as in the search: views
  /// that are cut off may disagree more.
  bool improved() const;
  /// Discards the result and keeps the scan file's own geometry.
  void keep_own_geometry();
  GeometryCorrection correction() const;
  /// With curves it takes a few seconds: stage "curves". Throws Cancelled.
  std::vector<CalibratedParameter> report(bool with_curves, const Watch&) const;

 private:
  std::vector<float> residuals(const std::vector<double>& values, bool reversed) const;
  double criterion(const std::vector<double>& values, bool reversed) const;
  std::vector<float> robust(const std::vector<double>& values, bool reversed) const;
  double median(const std::vector<double>& values) const;
  void prepare(int level);
  std::vector<double> steps_of(const std::vector<std::size_t>& parameters) const;
  void refine(const std::vector<std::size_t>& parameters, int iterations = 10);
  void try_values(std::size_t parameter, double far, const Watch&);
  double search_coarsely(bool reversed, const Watch&);
  void choose_direction(const Watch&);
  std::vector<std::vector<double>> pulls_by_view(const Linearized&) const;
  double shared_error(const std::vector<float>& residual) const;
  void estimate_uncertainty();
  double excess(std::size_t parameter) const;
  void drop(std::size_t parameter);
  void drop_undetermined(const Watch&);
  void draw_curve(std::size_t parameter, const std::vector<double>& middle, bool reversed, CalibratedParameter&) const;

  Scan scan_;
  Evidence evidence_;
  std::vector<double> values_, step_, sigma_;
  std::vector<double> fallback_;       ///< values of parameters that are not determined
  std::vector<double> blind_;          ///< possible shift of each by an error that all views share
  double shared_ = 0;                  ///< that error, over the root mean square of a view
  double earlier_distance_sigma_ = 0;  ///< uncertainty of the detector's distance from other evidence, see add()
  double distance_error_ = 0;          ///< of the evidence that gave the detector's distance
  std::vector<bool> active_;
  std::vector<std::string> reason_;
  bool reversed_ = false;
  std::shared_ptr<const GeometrySearch> other_;  ///< of other evidence that determined parameters, see add()
  std::vector<bool> by_other_;                   ///< the parameters that it determined
  float large_ = 1;                              ///< residual above which residuals count less
  std::unique_ptr<Consistency> consistency_;
};

}  // namespace backlit
