// Events in the form that the operator and EM need: lines, offsets of time of flight, expected background.
#pragma once

#include <vector>

#include <backlit/data/list_mode.hpp>
#include <backlit/projectors/lines_of_response/line_options.hpp>

namespace backlit {

/// Properties of a list that lines need besides its events.
struct EventModel {
  bool tof = false;                     ///< use time of flight
  bool scatter = true, randoms = true;  ///< use their rates, where events hold them
  double tof_range_ps = 0;              ///< range over which randoms are spread
  double tof_bin_mm = 0;                ///< TofKernel::bin_mm: A holds probabilities of bins; 0: densities in 1/mm
};

/// The lines of a list's events. The list and the scanner must outlive the result of list().
class EventLines {
 public:
  /// Throws InputError when time of flight is on and events have none, or when randoms lack a range. Throws it too when
  /// scatter rates are densities along the line and time of flight is off.
  EventLines(const EventList&, const Scanner&, const EventModel&);

  LineList list() const;
  /// Expected scatter and randoms, divided by the event's attenuation factor and efficiency: (scatter + random) acf
  /// norm, in units of A x. Without norm, 1 / norm is the scanner's pair efficiency. Empty where events hold no rates.
  const std::vector<float>& background() const { return background_; }
  /// Whether every event has a background. Then no event's weight (1 / expected rate) is far larger than the others'.
  bool bounded() const { return bounded_; }

 private:
  const EventList& events_;
  const Scanner& scanner_;
  std::vector<glm::vec3> points_;              ///< given ends: all first points, then all second points
  std::vector<std::uint32_t> first_, second_;  ///< numbers of a line's points
  std::vector<float> tof_mm_, background_;
  bool bounded_ = false;
};

}  // namespace backlit
