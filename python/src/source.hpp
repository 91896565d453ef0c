// Projections for methods: views that may still lie in a file.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <backlit/data/projections.hpp>

namespace backlit::python {

struct Source {
  std::shared_ptr<ProjectionSource> views;
  std::vector<float> photons{};   ///< of each view and column without an object; empty: unknown
  std::optional<double> water{};  ///< its attenuation, 1/mm, where the file says
  bool counted = false;           ///< see ScanFile

  /// The same with other views.
  Source with(std::shared_ptr<ProjectionSource> other) const { return {std::move(other), photons, water, counted}; }
  /// Views first, first + step, ... before `end`.
  Source some(std::int64_t first, std::int64_t end, std::int64_t step) const;
};

}  // namespace backlit::python
