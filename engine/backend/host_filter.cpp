// The filter of backends that have none of their own: FdkFilter on the host, then an upload.
#include <algorithm>
#include <vector>

#include "backend/backend.hpp"
#include "preprocess/fdk_filter.hpp"

namespace backlit {
namespace {

class HostFilter final : public ProjectionFilter {
 public:
  HostFilter(Backend& backend, const Scan& scan, const FilterOptions& options)
      : backend_(backend), filter_(scan, options) {}

  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override {
    work_.assign(views.begin(), views.end());
    filter_.run(first, work_);
    backend_.upload(work_, out);
  }

 private:
  Backend& backend_;
  FdkFilter filter_;
  std::vector<float> work_;  // keeps its memory from batch to batch
};

}  // namespace

std::unique_ptr<ProjectionFilter> Backend::make_filter(const Scan& scan, const FilterOptions& options) {
  return std::make_unique<HostFilter>(*this, scan, options);
}

}  // namespace backlit
