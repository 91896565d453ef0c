// A PET scanner: positions of its crystals, and the pairs of crystals that count coincidences.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <backlit/geometry/types.hpp>

namespace backlit {

using Vec3f = glm::vec3;

/// Rings of equal flat modules about the z axis. A module holds `module_crystals` x `module_rings` crystals of one
/// pitch; a plain ring has modules of one crystal. Crystal (layer, ring, index) has the number
/// (layer * rings() + ring) * per_ring() + index; index runs counterclockwise, index 0 at or after `first_deg`.
struct RingLayout {
  std::int64_t modules = 1;          ///< around
  std::int64_t module_crystals = 1;  ///< of a module, around
  std::int64_t axial_modules = 1;
  std::int64_t module_rings = 1;  ///< rings of a module, along z
  double face_radius_mm = 0;      ///< from the axis to the middle of a module's inner face
  double pitch_mm = 0;            ///< between crystals of a module, around
  double ring_spacing_mm = 0;     ///< between rings of a module
  double axial_gap_mm = 0;        ///< between axial modules
  double first_deg = 0;           ///< azimuth at which the first module begins
  std::vector<double> layers_mm;  ///< thickness of each layer of crystals, from the inside out
  /// Mean depth of interaction below the face, for a scanner of one layer. (With more layers: the middle of each.)
  double mean_depth_mm = 0;

  std::int64_t per_ring() const { return modules * module_crystals; }
  std::int64_t rings() const { return axial_modules * module_rings; }
  std::int64_t layers() const { return static_cast<std::int64_t>(layers_mm.size()); }
  std::int64_t crystals() const { return per_ring() * rings() * layers(); }
  /// Depth below the face that stands for the positions of a layer's crystals.
  double depth_mm(std::int64_t layer) const;
  double ring_z_mm(std::int64_t ring) const;

  /// The crystal at a point of the scanner's scintillator (mm, world); -1 in gaps and outside.
  std::int64_t crystal_at(const Vec3& point) const;
  /// The crystal of the first layer and the distance at which a ray from inside (unit direction) crosses the surface at
  /// mean depth. Crystal -1 when the ray leaves through a gap or an end.
  struct Hit {
    std::int64_t crystal = -1;
    double distance = 0;  ///< along the ray, mm
  };
  Hit hit(const Vec3& origin, const Vec3& direction) const;
  /// Distance along the ray to the modules' inner faces.
  double distance_to_face(const Vec3& origin, const Vec3& direction) const;
};

/// Conditions of a coincidence: an azimuth difference of at least `min_angle_deg` and an axial distance of at most
/// `max_axial_mm`. The angle sets the transaxial field of view.
struct Coincidence {
  double min_angle_deg = 0;
  double max_axial_mm = 1e9;
};

struct Scanner {
  std::string name;
  std::vector<Vec3f> position;    ///< each crystal's mean interaction point, mm, world frame (axis = z)
  std::vector<Vec3f> outward;     ///< unit vector from the inside to the outside, each crystal
  Vec3 crystal_mm{0};             ///< size: around, along z, radially; 0 where unknown
  std::vector<float> efficiency;  ///< each crystal's, relative; empty: all 1
  /// Each pair's efficiency where a file gives it; empty: the product of both in `efficiency`. Called by many threads.
  std::function<double(std::int64_t crystal1, std::int64_t crystal2)> given_efficiency;
  bool geometry_is_given = false;  ///< given_efficiency counts areas, angles and distances already
  double depth_mm = 0;             ///< depth of position[] below the crystals' inner faces; 0 where unknown
  Coincidence coincidence;
  double tof_fwhm_ps = 0;            ///< 0: no time of flight
  double stopping_per_mm = 0;        ///< attenuation of the scintillator at 511 keV; 0 where unknown
  std::optional<RingLayout> layout;  ///< absent for crystals from a table

  std::int64_t crystals() const { return static_cast<std::int64_t>(position.size()); }
  bool in_coincidence(std::int64_t crystal1, std::int64_t crystal2) const;

  /// Probability per mm^3 and mm that this pair counts a decay on the line between the two crystals' centres. It is
  /// area1 cos1 area2 cos2 / (2 pi distance^2), times both efficiencies, without attenuation. Expected counts of a pair
  /// are this value, times the line integral (mm) of the activity (decays per mm^3), times the attenuation factor.
  /// Where crystal sizes are unknown, or geometry_is_given, it is the pair's efficiency alone.
  double pair_efficiency(std::int64_t crystal1, std::int64_t crystal2) const;

  /// The ring number of each crystal by its z, from the lowest. Crystals within 0.01 mm along z share a ring.
  std::vector<std::int32_t> rings() const;
};

/// Makes the crystals of a layout. Crystal size: the pitches and the thickness of the first layer. Several layers need
/// `stopping_per_mm`: a crystal's efficiency is then the share of photons that stop in its layer at normal incidence.
/// Throws InputError(where) when numbers are out of range or modules overlap.
Scanner make_ring_scanner(const std::string& name, const RingLayout&, const Coincidence&, const std::string& where,
                          double stopping_per_mm = 0.087);

}  // namespace backlit
