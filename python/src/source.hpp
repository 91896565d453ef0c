// Projections for methods: views that may still lie in a file.
#pragma once

#include <memory>

#include <backlit/data/projections.hpp>

namespace backlit::python {

struct Source {
  std::shared_ptr<ProjectionSource> views;
};

}  // namespace backlit::python
