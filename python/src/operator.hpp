// y = A x and x = A' y on a program's arrays, wherever they lie.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "bindings.hpp"
#include "strided.hpp"

namespace backlit::python {

/// A plan and its device are made at the first call: making an operator touches no device, so processes may fork.
class Operator {
 public:
  using Make = std::function<std::unique_ptr<LinearOperator>(Backend&)>;

  /// `range`: the shape of what views or lines hold, slowest first; rows of the operator along its first axis.
  Operator(const VolumeGrid& grid, std::vector<std::int64_t> range, Make make, DeviceChoice device);
  ~Operator();

  /// y = A x, or x = A' y when `transposed`, for the rows of the subset; overwrites `to` or adds to it. Both lie in
  /// host memory or both on one CUDA device; leading axes are a batch. `stream`: the caller's CUDA stream.
  void apply(bool transposed, const ReadArray& from, const Array& to, const Subset& rows, bool add,
             std::uintptr_t stream);

  std::string variant();
  bool matched();
  std::string device();
  /// Device time by pass since time_passes(true), seconds.
  std::map<std::string, double> pass_seconds();
  void time_passes(bool on);
  /// Waits for the device.
  void finish();

 private:
  struct Plan;

  /// The plan in use; before the first call that of the host's arrays.
  Plan& any_plan();
  Plan& host_plan();
  Plan& cuda_plan(int device);
  /// `whole`: for arrays that lie on the device already.
  Plan& plan_on(const std::string& backend, std::int64_t device, bool whole);
  void on_host(Plan&, bool transposed, const Strided& from, const Strided& to, const Subset&, bool add);
  void on_cpu(Plan&, bool transposed, const Strided& from, const Strided& to, const Subset&, bool add);
  void on_cuda(Plan&, bool transposed, const Strided& from, const Strided& to, const Subset&, bool add);
  void run(Plan&, bool transposed, const DeviceArray& from, DeviceArray& to, const Subset&, Write);

  VolumeGrid grid_;
  std::vector<std::int64_t> range_;
  Make make_;
  DeviceChoice device_;
  bool not_on_cuda_ = false;  ///< CUDA does not have the model
  std::mutex mutex_;          ///< a plan does one call at a time
  std::map<std::pair<std::string, int>, std::unique_ptr<Plan>> plans_;
};

}  // namespace backlit::python
