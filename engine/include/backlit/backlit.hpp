// All that a program needs to load a scan, reconstruct it and save the volume.
#pragma once

#include <backlit/core/error.hpp>
#include <backlit/core/progress.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/correction.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include <backlit/recon/reconstruction.hpp>
