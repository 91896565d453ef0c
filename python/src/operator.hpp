// y = A x and x = A' y on a program's arrays, in host or device memory.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "bindings.hpp"
#include "strided.hpp"

namespace backlit::python {

/// The first call makes a plan and starts its device. Making an operator touches no device, so processes may fork.
class Operator {
 public:
  using Make = std::function<std::unique_ptr<LinearOperator>(Backend&, const Scan&)>;

  /// `range`: shape of the views or lines, slowest axis first. Rows of the operator lie along the first axis. `scan`:
  /// the views; lines have none.
  Operator(const VolumeGrid& grid, std::vector<std::int64_t> range, Make make, DeviceChoice device, Scan scan = {});

  /// The operator of other views, of the same number and shape. It shares this one's plans and their memory: a call
  /// first puts its own views in place of those of the last call.
  std::shared_ptr<Operator> moved(const Scan&) const;

  /// Computes y = A x, or x = A' y when `transposed`, for the rows of the subset. Overwrites `to`, or adds to it when
  /// `add`. Both arrays lie in host memory or both on one CUDA device; leading axes are a batch. `stream`: the caller's
  /// CUDA stream.
  void apply(bool transposed, const ProgramArray& from, const ProgramArray& to, const Subset& rows, bool add,
             std::uintptr_t stream);

  /// Adds to `gradients` [view][12], fp64, the derivatives of sum(weights * A x) by the numbers of the views, as
  /// geometry_gradient() gives them. A is joseph. Contiguous arrays on one CUDA device, volume and weights
  /// both of 32 or 64 bits; leading axes are a batch.
  void geometry_gradient(const ProgramArray& volume, const ProgramArray& weights, const ProgramArray& gradients,
                         std::uintptr_t stream);

  std::string variant();
  bool matched();
  std::string device();
  /// Device seconds of each pass since time_passes(true).
  std::map<std::string, double> pass_seconds();
  void time_passes(bool on);
  /// Waits for the device.
  void finish();

 private:
  struct Plan;
  /// Plans by backend and device. A plan runs one call at a time.
  struct Plans;

  /// The plan in use; before the first call the plan for arrays in host memory.
  Plan& any_plan();
  Plan& host_plan();
  /// `lane`: plans of different lanes work side by side.
  Plan& cuda_plan(int device, std::size_t lane = 0);
  /// How many lanes a batch on CUDA uses.
  std::size_t lanes_for(std::size_t batch) const;
  /// `use`: "" for arrays of the host, else of the device.
  Plan& plan_on(const std::string& backend, std::int64_t device, const std::string& use);
  void place(Plan&, bool whole);
  void on_host(Plan&, bool transposed, const Strided& from, const Strided& to, const Subset&, bool add);
  void on_cpu(Plan&, bool transposed, const Strided& from, const Strided& to, const Subset&, bool add);
  void on_cuda(Plan&, bool transposed, const Strided& from, const Strided& to, const Subset&, bool add);
  /// Does `work`, which enqueues on the plans' device, in order with the caller's stream.
  template <class Work>
  void with_stream(std::span<Plan* const>, std::uintptr_t stream, Work&& work);
  void run(Plan&, bool transposed, const DeviceArray& from, DeviceArray& to, const Subset&, Write);

  VolumeGrid grid_;
  std::vector<std::int64_t> range_;
  Make make_;
  DeviceChoice device_;
  std::shared_ptr<const Scan> scan_;
  std::shared_ptr<Plans> plans_;
};

}  // namespace backlit::python
