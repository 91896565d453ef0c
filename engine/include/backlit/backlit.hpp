// Includes everything that a program needs to load or simulate a scan, reconstruct it and save the volume. Link
// Backlit::engine. Pictures have headers of their own, <backlit/render/...>, and Backlit::render; CUDA has
// <backlit/cuda.hpp>.
#pragma once

// Errors, progress and stopping, shipped files, the version.
#include <backlit/core/assets.hpp>
#include <backlit/core/device_failure.hpp>
#include <backlit/core/error.hpp>
#include <backlit/core/progress.hpp>
#include <backlit/version.hpp>

// Scans, grids and the values on them.
#include <backlit/data/metrics.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/data/registration.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/helix.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/normalisation_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>

// Corrections, devices, methods.
#include <backlit/device/backend.hpp>
#include <backlit/pet/reconstruction.hpp>
#include <backlit/preprocess/choose_corrections.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include <backlit/preprocess/corrections.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include <backlit/projectors/projector.hpp>
#include <backlit/recon/default_method.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include <backlit/recon/methods/asdpocs.hpp>
#include <backlit/recon/methods/cgls.hpp>
#include <backlit/recon/methods/fdk.hpp>
#include <backlit/recon/methods/fista.hpp>
#include <backlit/recon/methods/helical_fdk.hpp>
#include <backlit/recon/methods/iterative_fdk.hpp>
#include <backlit/recon/methods/mlem.hpp>
#include <backlit/recon/methods/osem.hpp>
#include <backlit/recon/methods/ossart.hpp>
#include <backlit/recon/methods/pcg.hpp>
#include <backlit/recon/methods/pdhg.hpp>
#include <backlit/recon/methods/pwls.hpp>
#include <backlit/recon/methods/sart.hpp>
#include <backlit/recon/methods/sart_in_place.hpp>
#include <backlit/recon/methods/sirt.hpp>
#include <backlit/recon/methods/tv.hpp>
#include <backlit/recon/on_failure.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/session.hpp>
