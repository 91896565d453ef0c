// The stacks of a scan: projections, flats and darks, checked against its geometry and opened as sources.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <backlit/data/projections.hpp>
#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// Throws with the caller's file and key.
using Complain = std::function<void(const std::string& problem, const std::string& remedy)>;

/// The views of `scan`, times `scale`; complains when the images are of another size or number.
std::shared_ptr<ProjectionSource> open_projections(std::unique_ptr<StackReader>, const std::string& spec, const Scan&,
                                                   const Complain&, double scale = 1);
/// Frames without a trajectory (flats, darks) on the detector of `scan`, any number of them.
std::shared_ptr<ProjectionSource> open_frames(const std::string& spec, const Scan&, const Complain&);

}  // namespace backlit
