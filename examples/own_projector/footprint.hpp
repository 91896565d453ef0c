// A projector of our own: every voxel casts a small pyramid on the detector, one pixel to either side of its centre.
//
// For parallel beams whose detector stands upright (columns across, rows along z). Voxel x adds to a pixel
//   volume(x) * length * hat(u(x) - column) * hat(v(x) - row),   hat(t) = max(0, 1 - |t|),
// where u and v are the column and the row on which the voxel's centre falls, and length = voxel volume / pixel area.
// Forward, a pixel gathers the voxels near its ray; back, a voxel gathers the four pixels near its centre. The weights
// are the same, so the pair is matched.
#pragma once

#include <backlit/backlit.hpp>
#include <backlit/projectors/projector.hpp>

/// The column and the row on which voxel (i, j, k) of a grid falls: u0 + du[0] i + du[1] j, v0 + dv k.
struct Footprint {
  Footprint(const backlit::VolumeGrid&, const backlit::Detector&, const backlit::View&);

  double u0, du[2], v0, dv;
};

/// What the two devices share: shapes and arrays.
class FootprintOperator : public backlit::LinearOperator {
 public:
  /// Throws Unsupported for beams and detectors that it cannot serve.
  FootprintOperator(backlit::Backend&, const backlit::VolumeGrid&, const backlit::Scan&);

  backlit::ArrayShape domain() const override { return backlit::shape_of(grid_); }
  backlit::ArrayShape range() const override { return backlit::shape_of(scan_.detector, scan_.view_count()); }
  backlit::ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  backlit::ArrayPtr make_range(std::int64_t rows) override {
    return backend_.make_array(backlit::shape_of(scan_.detector, rows));
  }
  void sensitivity(backlit::DeviceArray& x, const backlit::Subset& rows) override;
  bool matched() const override { return true; }

 protected:
  backlit::Backend& backend_;
  backlit::VolumeGrid grid_;
  backlit::Scan scan_;
  std::vector<Footprint> views_;
  double length_;  ///< mm
};

/// The model's name, made when first asked for.
backlit::Model footprint();

backlit::ProjectorInfo footprint_on_cpu();
backlit::ProjectorInfo footprint_on_gl();
