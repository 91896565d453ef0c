// Events as an operator and EM want them: lines, offsets of time of flight, expected background.
#pragma once

#include <vector>

#include <backlit/data/list_mode.hpp>
#include <backlit/projectors/lines_of_response/line_options.hpp>

namespace backlit {

/// Facts of a list that lines need besides its events.
struct EventModel {
  bool tof = false;                     ///< use time of flight
  bool scatter = true, randoms = true;  ///< use their rates, where events hold them
  double tof_range_ps = 0;              ///< over which randoms are spread
  double tof_bin_mm = 0;                ///< of TofKernel: A holds probabilities of bins; 0: densities in 1/mm
};

/// Lines of a list's events. The list and the scanner must outlive the result of list().
class EventLines {
 public:
  /// Throws InputError when time of flight is asked for and events have none, randoms lack a range, or
  /// scatter rates are densities along lines without time of flight.
  EventLines(const EventList&, const Scanner&, const EventModel&);

  LineList list() const;
  /// Expected scatter and randoms over the event's own attenuation and efficiency: (scatter + random) acf norm, in
  /// units of A x. Without norm the scanner's pair efficiency stands for it. Empty where events hold no rates.
  const std::vector<float>& background() const { return background_; }
  /// Whether every event has a background: then no event's weight (1 / expected rate) dwarfs the others'.
  bool bounded() const { return bounded_; }

 private:
  const EventList& events_;
  const Scanner& scanner_;
  std::vector<glm::vec3> points_;              ///< given ends: all first ones, then all second ones
  std::vector<std::uint32_t> first_, second_;  ///< their numbers
  std::vector<float> tof_mm_, background_;
  bool bounded_ = false;
};

}  // namespace backlit
