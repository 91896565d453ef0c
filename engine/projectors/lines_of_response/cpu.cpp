#include "projectors/lines_of_response/cpu.hpp"

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include "projectors/list.hpp"

namespace backlit {
namespace {

constexpr std::int64_t lines_at_once = 1024;
constexpr std::int64_t most_values = std::int64_t{1} << 25;  // in all partial images together
constexpr std::int64_t most_images = 16;

}  // namespace

CpuListMode::CpuListMode(const VolumeGrid& grid, const LineList& lines, const LineOptions& options)
    : grid_(grid), lor_grid_(lor_grid(grid)), options_(options), with_tof_(!lines.tof_mm.empty()) {
  require_sound(grid, lines, options);
  lines_.resize(lines.first.size());
  parallel_chunks(lines.count(), [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const glm::vec3 from = lines.points[lines.first[i]], to = lines.points[lines.second[i]];
      const double p[3] = {from.x, from.y, from.z}, q[3] = {to.x, to.y, to.z};
      lines_[i] = {make_lor<double>(p, q, with_tof_ ? lines.tof_mm[i] : 0, lor_grid_),
                   lines.kernel.empty() ? std::uint8_t{0} : lines.kernel[i]};
    }
  });
}

ArrayPtr CpuListMode::make_domain() { return std::make_unique<CpuArray>(domain()); }
ArrayPtr CpuListMode::make_range(std::int64_t rows) { return std::make_unique<CpuArray>(ArrayShape{1, 1, rows}); }

LineShape CpuListMode::shape(const Line& line) const {
  if (options_.line == LineOptions::Line::joseph) return {};
  const TubeKernel& k = options_.kernels[line.kernel];
  return {k.table.data(), k.radius_mm, k.entry_per_mm2()};
}

void CpuListMode::forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) {
  if (x.shape() != domain()) throw Failure("cpu backend", "the image's array does not have the operator's shape");
  const SubsetRows rows(range(), subset, y.shape());
  const double* image = cpu_values(x);
  double* values = cpu_values(y);
  parallel_chunks(
      rows.count(),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const Line& line = lines_[static_cast<std::size_t>(rows.row(i))];
          double sum = 0;
          each_weight(line.lor, lor_grid_, shape(line), tof(),
                      [&](std::int64_t voxel, double weight) { sum += weight * image[voxel]; });
          double& out = values[rows.slot(i)];
          out = write == Write::overwrite ? sum : out + sum;
        }
      },
      lines_at_once);
}

/// Each part of the list sums into its own image; then the images are added in order. The number of parts is fixed.
template <class Value>
void CpuListMode::add_back(double* x, const SubsetRows& rows, Value&& value) const {
  const std::int64_t voxels = grid_.voxels();
  const std::int64_t fitting = std::clamp<std::int64_t>(most_values / voxels, 2, most_images);
  const std::int64_t parts = std::clamp<std::int64_t>(rows.count() / lines_at_once, 1, fitting);
  std::vector<std::vector<double>> images(static_cast<std::size_t>(parts));
  parallel_for(parts, [&](std::int64_t part) {
    auto& image = images[static_cast<std::size_t>(part)];
    image.resize(static_cast<std::size_t>(voxels));
    for (std::int64_t i = rows.count() * part / parts; i < rows.count() * (part + 1) / parts; ++i) {
      const Line& line = lines_[static_cast<std::size_t>(rows.row(i))];
      const double amount = value(i);
      if (amount == 0) continue;
      each_weight(line.lor, lor_grid_, shape(line), tof(), [&](std::int64_t voxel, double weight) {
        image[static_cast<std::size_t>(voxel)] += weight * amount;
      });
    }
  });
  parallel_chunks(voxels, [&](std::int64_t begin, std::int64_t end) {
    for (const auto& image : images)
      for (std::int64_t i = begin; i < end; ++i) x[i] += image[static_cast<std::size_t>(i)];
  });
}

void CpuListMode::back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) {
  if (x.shape() != domain()) throw Failure("cpu backend", "the image's array does not have the operator's shape");
  const SubsetRows rows(range(), subset, y.shape());
  const double* values = cpu_values(y);
  if (write == Write::overwrite) std::fill_n(cpu_values(x), x.count(), 0.0);
  add_back(cpu_values(x), rows, [&](std::int64_t i) { return values[rows.slot(i)]; });
}

void CpuListMode::sensitivity(DeviceArray& x, const Subset& subset) {
  if (x.shape() != domain()) throw Failure("cpu backend", "the image's array does not have the operator's shape");
  std::fill_n(cpu_values(x), x.count(), 0.0);
  add_back(cpu_values(x), SubsetRows(range(), subset, {1, 1, subset.count}), [](std::int64_t) { return 1.0; });
}

ProjectorInfo lines_of_response_cpu() {
  ProjectorInfo info;
  info.model = Model::lines_of_response;
  info.device = "cpu";
  info.make_lines = [](Backend&, const VolumeGrid& grid, const LineList& lines, const LineOptions& options) {
    return std::make_unique<CpuListMode>(grid, lines, options);
  };
  return info;
}

}  // namespace backlit
