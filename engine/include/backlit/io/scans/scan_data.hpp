// The stacks of a scan: projections, flats and darks, checked against its geometry and opened as sources.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <backlit/data/projections.hpp>
#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// Throws an error that names the caller's file and key.
using Complain = std::function<void(const std::string& problem, const std::string& remedy)>;

/// Opens the views of `scan`; values are multiplied by `scale`. Calls Complain when the images have another size or
/// number.
std::shared_ptr<ProjectionSource> open_projections(std::unique_ptr<StackReader>, const std::string& spec, const Scan&,
                                                   const Complain&, double scale = 1);
/// Opens any number of frames without a trajectory (flats, darks) of the size of `scan`'s detector.
std::shared_ptr<ProjectionSource> open_frames(const std::string& spec, const Scan&, const Complain&);
std::shared_ptr<ProjectionSource> open_frames(std::unique_ptr<StackReader>, const std::string& spec, const Scan&,
                                              const Complain&);

}  // namespace backlit
