// Corrections on a device: views are uploaded once, as measured, and corrected where they lie.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include <backlit/data/projections.hpp>

namespace backlit {

struct Correction;
struct CorrectionInput;
struct CorrectionOptions;

/// All views of a scan in a device's memory. As a source it downloads the views that are read.
class DeviceViews : public ProjectionSource {
 public:
  /// Corrects the views as Correction::apply() does on the host, up to rounding; returns the same words. Returns
  /// nothing, and changes nothing, where the device does not offer the correction.
  virtual std::optional<std::string> correct(const Correction&, const CorrectionOptions&, const CorrectionInput&,
                                             const Watch&) = 0;
  /// Uploads all views anew, after a correction on the host.
  virtual void replace(std::span<const float> values) = 0;
};

/// Implemented by backends that correct views.
class CorrectionDevice {
 public:
  virtual ~CorrectionDevice() = default;
  /// Reads all views of a source into the device's memory; counts become line integrals there. Stage "read". Views that
  /// the device holds already are copied. Null where they would take more than a third of its memory.
  virtual std::shared_ptr<DeviceViews> load(ProjectionSource&, const Watch& = {}) = 0;
};

}  // namespace backlit
