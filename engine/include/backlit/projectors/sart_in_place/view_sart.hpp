// SART that corrects the volume in place, one view after the other. It needs no second volume, so that larger volumes
// fit (Andersen and Kak, Ultrasonic Imaging 6 (1984) 81; on graphics hardware Keck, Hofmann, Scherl, Kowarschik,
// Hornegger, IEEE NSS/MIC 2009, doi 10.1109/nssmic.2009.5402433).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <backlit/device/device_array.hpp>

namespace backlit {

struct ViewSartOptions {
  bool matched = false;  ///< see ViewSart
  /// Name of a variant that a study has registered; empty otherwise.
  std::string variant{};
};

/// Holds volume and measured views on the device. Rays are sampled trilinearly, one voxel apart
/// (projectors/sart_in_place/unit_steps.hpp). Forward: ray driven. Back: voxel driven; every voxel takes the bilinear
/// value of the view's corrections at its projection (unmatched). With `matched` it takes the mean of the corrections
/// of its rays, weighted by their weights in the voxel.
class ViewSart {
 public:
  virtual ~ViewSart() = default;

  /// Sets the measured line integrals of one view, rows x columns.
  virtual void set_view(std::int64_t view, std::span<const float> integrals) = 0;
  /// For one view: volume += relaxation * back((measured - forward(volume)) / lengths of the rays in the volume). With
  /// `nonnegative`, negative values then become 0.
  virtual void correct(std::int64_t view, float relaxation, bool nonnegative) = 0;
  /// The sum of squares of (measured - forward) over all corrections since the last call. Waits for the device.
  virtual double take_residual() = 0;
  /// Waits for the device.
  virtual void finish() = 0;

  /// The present volume, x fastest. linear() returns a copy that stays valid until the next call of linear().
  virtual void download(std::span<float> host) = 0;
  virtual const DeviceArray& linear() = 0;

  virtual std::string variant() const = 0;
  /// Bytes on the device: of all copies of the volume, and of the views.
  virtual std::int64_t volume_bytes() const = 0;
  virtual std::int64_t view_bytes() const = 0;
};

}  // namespace backlit
