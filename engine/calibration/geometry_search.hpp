// The search for the geometry under which views agree best, for any criterion.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <backlit/calibration/calibrate.hpp>
#include "calibration/consistency.hpp"
#include "calibration/least_squares.hpp"

namespace backlit {

/// What may be looked for: the members of GeometryCorrection, in this order.
enum Looked : std::size_t { column_offset, row_offset, in_plane, tilt_u, tilt_v, detector_distance, looked_count };

/// Which parameters a kind of scan determines, and how its views are compared.
struct Evidence {
  std::string words;
  std::vector<std::size_t> parameters;  ///< Looked
  std::string others;                   ///< why the others are left alone
  double binning = 1;                   ///< pixels of the detector in one that is compared
  int levels = 3;                       ///< from coarse to fine
  bool direction = false;               ///< whether it determines the direction of rotation
  std::function<std::unique_ptr<Consistency>(const Scan&, int level)> make;
};

class GeometrySearch {
 public:
  GeometrySearch(const Scan&, Evidence);

  void start_at(double column) { values_[column_offset] = column; }
  /// Coarse to fine; what the views do not determine is left alone in the end. Throws Cancelled.
  void run(const Watch&);

  /// The criterion under the scan's own geometry, and under what was found.
  double before() const;
  double after() const { return criterion(values_, reversed_); }
  /// Forgets what was found: the scan file's own geometry stays.
  void keep_own_geometry();
  GeometryCorrection correction() const;
  /// With curves it takes a few seconds.
  std::vector<CalibratedParameter> report(bool with_curves) const;

 private:
  std::vector<float> residuals(const std::vector<double>& values, bool reversed) const;
  double criterion(const std::vector<double>& values, bool reversed) const;
  std::vector<float> robust(const std::vector<double>& values) const;
  double median(const std::vector<double>& values) const;
  void prepare(int level);
  std::vector<double> steps_of(const std::vector<std::size_t>& parameters) const;
  void refine(const std::vector<std::size_t>& parameters, int iterations = 10);
  void scan_in_plane(const Watch&);
  void choose_direction(const Watch&);
  std::vector<std::vector<double>> pulls_by_view(const Linearized&) const;
  void estimate_uncertainty();
  double excess(std::size_t parameter) const;
  void drop(std::size_t parameter);
  void drop_undetermined(const Watch&);
  void draw_curve(std::size_t parameter, CalibratedParameter&) const;

  Scan scan_;
  Evidence evidence_;
  std::vector<double> values_, step_, sigma_;
  std::vector<double> blind_;  ///< by how much an error that all views share may move each
  std::vector<bool> active_;
  std::vector<std::string> reason_;
  bool reversed_ = false;
  float large_ = 1;  ///< residual from which on they count less
  std::unique_ptr<Consistency> consistency_;
};

}  // namespace backlit
