// SART that corrects the volume view by view, in double precision: the reference.
#pragma once

#include <vector>

#include <backlit/device/cpu/cpu_array.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/projectors/sart_in_place/view_sart.hpp>
#include "projectors/sart_in_place/unit_steps.hpp"

namespace backlit {

class CpuViewSart final : public ViewSart {
 public:
  CpuViewSart(const VolumeGrid&, const Scan&, const ViewSartOptions&);

  void set_view(std::int64_t view, std::span<const float> integrals) override;
  void correct(std::int64_t view, float relaxation, bool nonnegative) override;
  double take_residual() override;
  void finish() override {}
  void download(std::span<float> host) override;
  const DeviceArray& linear() override { return volume_; }
  std::string variant() const override { return matched_ ? "sart in_place matched" : "sart in_place unmatched"; }
  std::int64_t volume_bytes() const override;
  std::int64_t view_bytes() const override;

 private:
  void find_corrections(std::size_t view);
  double change(std::size_t view, int i, int j, int k) const;

  int columns_, rows_, size_[3];
  bool matched_;
  std::vector<RayFrame<double>> frames_;
  std::vector<ViewMap<double>> maps_;  ///< from voxel indices
  CpuArray volume_;
  std::vector<float> measured_;
  std::vector<double> corrections_;
  double residual_ = 0;
};

}  // namespace backlit
