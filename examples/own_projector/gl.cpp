// The projector in OpenGL's compute shaders: forward.comp and back.comp, a view at a time.
#include <backlit/device/gl/compute_pass.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "footprint.hpp"

using namespace backlit;

namespace {

class OnGl final : public FootprintOperator {
 public:
  OnGl(Backend& backend, const VolumeGrid& grid, const Scan& scan)
      : FootprintOperator(backend, grid, scan),
        forward_(backend, SHADERS "/forward.comp"),
        back_(backend, SHADERS "/back.comp") {}
  std::string variant() const override { return "footprint compute"; }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    forward_.read(0, x);
    forward_.write(0, y);
    for (std::int64_t n = 0; n < rows.count(); ++n) {
      choose(forward_, rows.row(n), rows.slot(n), write == Write::overwrite);
      forward_.run(scan_.detector.columns, scan_.detector.rows, 1);
    }
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    back_.read(0, y);
    back_.write(0, x);
    for (std::int64_t n = 0; n < rows.count(); ++n) {
      choose(back_, rows.row(n), rows.slot(n), write == Write::overwrite && n == 0);
      back_.run(grid_.size[0], grid_.size[1], grid_.size[2]);
    }
  }

 private:
  void choose(gl::ComputePass& pass, std::int64_t view, std::int64_t layer, bool overwrite) const {
    const Footprint& p = views_[static_cast<std::size_t>(view)];
    pass.set("column", Vec3{p.u0, p.du[0], p.du[1]});
    pass.set("row", Vec3{p.v0, p.dv, 0});
    pass.set("length_mm", static_cast<float>(length_));
    pass.set("layer", static_cast<int>(layer));
    pass.set("overwrite", static_cast<int>(overwrite));
  }

  gl::ComputePass forward_, back_;
};

}  // namespace

ProjectorInfo footprint_on_gl() {
  ProjectorInfo info;
  info.model = footprint();
  info.device = "gl";
  info.precisions = {Precision::exact, Precision::fast};
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions&) {
    return std::make_unique<OnGl>(backend, grid, scan);
  };
  return info;
}
