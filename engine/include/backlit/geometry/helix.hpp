// The helix on which the views of a scan lie.
#pragma once

#include <cstdint>
#include <string>

#include <backlit/geometry/view.hpp>

namespace backlit {

/// Read from the detectors: focal spots may jump.
struct Helix {
  std::int64_t turn = 0;  ///< views of a turn
  double first_z = 0;     ///< of the source in view 0, jumps apart, mm
  double travel = 0;      ///< mm from a view to the next, signed
};

/// Whether the source of a fan or cone beam travels along z from the first view to the last, by more than 2 % of its
/// distance from the axis: more than FDK accepts.
bool is_helical(const Scan&);

/// Throws InputError unless all views lie on one helix about z in equal steps, to 1 % of a turn, a turn being a whole
/// number of views.
Helix helix_of(const Scan&);

/// Why helix_of() throws; empty where it does not.
std::string helix_problem(const Scan&);

}  // namespace backlit
