// How one volume has to be turned and moved to lie on another.
#pragma once

#include <backlit/core/progress.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/geometry/rigid_motion.hpp>

namespace backlit {

/// (H(fixed) + H(moving)) / H(both) of the values at the fixed volume's voxels, from 1 (nothing in common) to 2 (one
/// says all of the other): normalized mutual information (Studholme, Hill and Hawkes, Pattern Recognit. 32 (1999) 71).
/// 0 where less than a quarter of the voxels lie in the moved volume. At most some 20,000 voxels are taken.
double mutual_information(const Volume& fixed, const Volume& moving, const RigidMotion&);

struct Registration {
  RigidMotion motion;      ///< of the moving volume
  double before = 0;       ///< mutual_information() at the start
  double information = 0;  ///< and with `motion`
};

/// The motion near `start` that makes mutual information largest, whatever the volumes' units (CT, PET, MR): from
/// coarse volumes to fine ones, by the search of Hooke and Jeeves (J. ACM 8 (1961) 212) over three shifts and three
/// angles. Finds motions of up to about an eighth of the volumes' width and 15 degrees; start nearer for larger ones.
/// `start.pivot` is kept. Stage "register". Throws InputError for volumes without contrast, or that do not overlap;
/// Cancelled between two steps.
Registration register_rigid(const Volume& fixed, const Volume& moving, const RigidMotion& start, const Watch& = {});

}  // namespace backlit
