// Invented results of studies with cells of all kinds, for tests of reports.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include <fmt/format.h>

#include "study/study_report.hpp"

namespace backlit::test {

namespace detail {

inline StudyCell sample_cell(std::mt19937& random, const std::string& workload, const std::string& architecture,
                             Facts options, double updates, double rate) {
  StudyCell c;
  c.operation = "backprojection";
  c.workload = workload;
  c.architecture = architecture;
  c.options = std::move(options);
  c.unit = "GUPS";
  c.work = updates / 1e9;
  std::normal_distribution<double> noise(0, 0.01);
  for (int n = 0; n < 9; ++n) c.seconds.push_back(c.work / rate * std::exp(noise(random)));
  c.error_unit = "HU";
  c.rmse_bound = 1;
  return c;
}

inline void add_limit(StudyCell& c, const std::string& limit, double ceiling, double fetches_an_update) {
  c.counts = {{"fetches", c.work * 1e9 * fetches_an_update}, {"passes", 12}, {"draw_calls", 768}};
  c.limit = limit;
  summarise(c);
  c.share = c.rate * fetches_an_update / ceiling;
}

}  // namespace detail

/// All architectures, packings, texels and numbers of views in a pass on one workload, and some of them on others.
/// Includes failed, unsupported and noisy cells, ceilings and profiles.
inline StudyResult sample_study() {
  StudyResult r;
  r.version = "0.1.0";
  r.date = "2026-11-21T13:00:00Z";
  r.extent = "quick";
  r.environment = {{"card", "Imaginary <X1> & \"Y\""}, {"driver", "1.2"}, {"CPU", "2 threads"}};
  r.ceilings = {{"bilinear r32f", "fragment", 30, 0.01, "G fetches/s"},
                {"bilinear rgba16f", "fragment", 29, 0.01, "G fetches/s"},
                {"bilinear r32f", "compute", 933, 0.02, "G fetches/s"},
                {"bilinear rgba16f", "CUDA", 1013, 0.004, "G fetches/s"},
                {"copy", "CUDA", 4270, 0.01, "GB/s"},
                {"fma", "CPU", 40, 0.08, "GFLOP/s"}};
  std::mt19937 random(3);
  const auto add = [&](const std::string& workload, double size, const std::string& architecture, bool packed,
                       const std::string& texel, int views, double speed) {
    const double updates = size * size * size * 64;
    const Facts options{{"packing", packed ? "orbit" : "none"},
                        {"texel", packed ? "rgba" + texel.substr(1) : texel},
                        {"views per pass", std::to_string(views)}};
    StudyCell c = detail::sample_cell(random, workload, architecture, options, updates, speed);
    c.rmse = texel == "r16f" ? 0.21 : 0.208 + 0.001 * views;
    detail::add_limit(c, std::string("bilinear ") + (packed ? "rgba16f" : "r32f"), architecture == "CUDA" ? 1013 : 933,
                      packed ? 0.25 : 1);
    r.cells.push_back(std::move(c));
  };
  const std::vector<std::pair<std::string, double>> speeds{{"CPU", 0.5},      {"MP-GPU", 6},   {"AG-GPU", 14},
                                                           {"AG-GPU+", 16.5}, {"compute", 90}, {"CUDA", 220}};
  for (const auto& [architecture, speed] : speeds)
    for (const int views : {1, 4, 16, 64})
      for (const bool packed : {false, true})
        for (const std::string texel : {"r32f", "r16f"})
          add("cube64", 64, architecture, packed, texel, views,
              speed * (packed ? 3.1 : 1) * (texel == "r16f" ? 1.15 : 1) * std::pow(views, 0.3));
  for (const auto& [architecture, speed] : speeds)
    for (const int size : {32, 128, 256})
      add(fmt::format("cube{}", size), size, architecture, false, "r32f", 16, speed * std::pow(size / 64.0, 0.4) * 2.3);
  for (const int views : {16, 128})
    add(fmt::format("cube64 x {} views", views), 64, "CUDA", false, "r32f", 16,
        180 * std::pow(views / 64.0, 0.2) * 2.3);

  StudyCell wrong = r.cells[20];
  wrong.options.emplace_back("interpolation", "nearest");
  wrong.rmse = 44;
  summarise(wrong);
  StudyCell missing = r.cells[40];
  missing.options[0].second = "slices";
  missing.status = StudyCell::Status::unsupported;
  missing.note = "gl: no such <packing> & no remedy";
  missing.seconds.clear();
  summarise(missing);
  missing.share.reset();
  StudyCell noisy = r.cells[41];
  noisy.options.emplace_back("interpolation", "software");
  for (std::size_t i = 0; i < noisy.seconds.size(); ++i) noisy.seconds[i] *= i % 2 ? 1.4 : 1;
  summarise(noisy);
  r.cells.insert(r.cells.end(), {wrong, missing, noisy});

  StudyCell render = r.cells[2];
  render.operation = "render";
  render.workload = "cone64";
  render.unit = "frames/s";
  render.work = 1;
  render.options = {{"mode", "average"}};
  render.rmse.reset();
  render.counts.clear();
  render.limit.clear();
  render.share.reset();
  summarise(render);
  r.cells.push_back(render);

  for (const char* architecture : {"CPU", "compute"}) {
    StudyProfile p{"through the tumours", architecture, {}, {}, {}};
    for (int i = 0; i < 101; ++i) {
      const double x = -50 + i;
      const double truth = std::abs(x - 10) < 4 ? 0.0212 : std::abs(x + 15) < 2 ? 0.0208 : 0.02;
      p.position_mm.push_back(x);
      p.truth.push_back(truth);
      p.value.push_back(truth + 0.0001 * std::sin(0.7 * x) * (architecture[0] == 'C' ? 1 : 1.6));
    }
    r.profiles.push_back(std::move(p));
  }
  return r;
}

}  // namespace backlit::test
