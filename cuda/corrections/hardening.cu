#include "preprocess/corrections/hardening.hpp"

#include <algorithm>

#include "cuda/corrections/list.hpp"
#include "cuda/corrections/volume/slices.hpp"
#include "cuda/device/device_speed.hpp"
#include "cuda/device/upload.hpp"
#include "cuda/device/vector_ops.hpp"
#include "cuda/shared/pool_buffer.hpp"
#include "geometry/rows_seen.hpp"

namespace backlit::cuda {
namespace {

struct Powers {
  static constexpr int most = 9;
  double c[most];
  int n;
  __device__ float operator()(float value) const {
    const auto p = static_cast<double>(value);
    double sum = 0;
    for (int i = most - 1; i >= 0; --i)
      if (i < n) sum = (sum + c[i]) * p;
    return static_cast<float>(sum);
  }
};

/// WaterCurve's table, inverted.
struct Paths {
  const double* table;
  int count;
  double scale;
  __device__ float operator()(float value) const {
    const auto p = static_cast<double>(value);
    if (p <= 0 || count < 2) return value;
    int low = 0, high = count;  // the first that is not below p
    while (low < high) {
      const int middle = (low + high) / 2;
      if (table[middle] < p)
        low = middle + 1;
      else
        high = middle;
    }
    const int above = min(max(low, 1), count - 1);
    const double a = table[above - 1], b = table[above];
    return static_cast<float>(scale * (above - 1 + (p - a) / (b - a)));
  }
};

struct Raised {
  double most;
  int power;
  __device__ float operator()(float value) const {
    return static_cast<float>(flattening_power(static_cast<double>(value), most, power));
  }
};

/// A polynomial; what is below 0 is only scaled.
struct Flattened {
  Powers powers;
  __device__ float operator()(float value) const {
    return value > 0 ? powers(value) : static_cast<float>(powers.c[0] * static_cast<double>(value));
  }
};

template <class F>
__global__ void replace(float* values, std::int64_t n, F f) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += stride)
    values[i] = f(values[i]);
}

template <class F>
void replace_values(CudaViews& views, const Watch& watch, F f) {
  const Images all = views.images();
  const std::int64_t n = all.count * all.pixels();
  watch.begin("beam hardening", 1, "scan");
  const auto grid = static_cast<unsigned>(std::min<std::int64_t>(blocks(n, 256), 32 * multiprocessors()));
  views.stream().launch("hardening", dim3(grid), dim3(256), 0, replace<F>, all.values, n, f);
  views.stream().wait();
  watch.end();
}

double largest_value(CudaViews& views) {
  const Images all = views.images();
  Reducer reducer;
  const float most = reducer.maximum(views.stream(), all.values, all.count * all.pixels());
  return most > 0 ? static_cast<double>(most) : 0;
}

}  // namespace

Done apply_polynomial(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  const std::vector<double> c = hardening_polynomial(o, largest_value(views));
  Powers powers{{}, static_cast<int>(c.size())};
  if (c.size() > Powers::most) return std::nullopt;
  std::ranges::copy(c, powers.c);
  replace_values(views, watch, powers);
  return polynomial_text(c);
}

Done correct_water(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  const WaterCurve curve(o.water_spectrum, largest_value(views));
  const std::vector<double>& host = curve.table();
  PoolBuffer<double> table(views.stream(), static_cast<std::int64_t>(host.size()));
  views.stream().wait();
  upload(table.data(), host.data(), table.bytes());
  replace_values(views, watch, Paths{table.data(), static_cast<int>(host.size()), curve.thin() * WaterCurve::step});
  return curve.text();
}

Done flatten(CudaViews& views, const CorrectionOptions&, const CorrectionInput& input, const Watch& watch) {
  const double most = largest_value(views);
  if (!(most > 0)) return nothing_to_flatten;
  const VolumeGrid slice = input.volume.grid(views.scan(), 1);
  const IndexRange rows = rows_seen(slice, views.scan(), 0);
  const auto raised = part_of(views, rows, 1);
  std::vector<Volume> slices;
  for (int power = 1; power <= flattening_powers; ++power) {
    if (power > 1) copy_part(views, rows, 1, *raised);
    replace_values(*raised, watch, Raised{most, power});
    slices.push_back(slice_of(*raised, input, slice, watch));
  }
  const std::vector<double> c = flattening(std::move(slices), most);
  if (c.empty()) return cannot_be_flatter;
  Flattened flat{{{}, static_cast<int>(c.size())}};
  std::ranges::copy(c, flat.powers.c);
  replace_values(views, watch, flat);
  return polynomial_text(c);
}

}  // namespace backlit::cuda
