// DICOM-CT-PD: projections of clinical scanners, a view a file. Chen et al., Med. Phys. 42 (2015) 6964, and the user
// manual of the collection LDCT-and-Projection-data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "io/dicom/data_set.hpp"

namespace backlit::dicom {

namespace ct_pd {
inline constexpr Tag spacing_u = 0x70291002, spacing_v = 0x70291006, shape = 0x7029100b, rows = 0x70291010,
                     columns = 0x70291011, angle = 0x70311001, z = 0x70311002, radius = 0x70311003,
                     distance = 0x70311031, central_element = 0x70311033, spot_angle = 0x7033100b, spot_z = 0x7033100c,
                     spot_radius = 0x7033100d, spot_mode = 0x7033100e, angles_per_turn = 0x70331013,
                     photons = 0x70331065, kind = 0x70371009, logarithm = 0x70391009, water = 0x70411001;
}  // namespace ct_pd

/// Whether a DICOM file is a view of this kind. False for files that cannot be read.
bool is_ct_pd(const std::filesystem::path&);

}  // namespace backlit::dicom
