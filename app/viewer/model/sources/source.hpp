// Opens a scan, a volume, a list, or an example of the program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/data/list_mode.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/recon/session.hpp>
#include "model/engine/events.hpp"
#include "model/state.hpp"

namespace backlit::viewer {

struct ListSource {
  Scanner scanner;
  std::shared_ptr<ListModeSource> events;
};

/// The open source, for the worker.
struct Source {
  std::shared_ptr<const SourceInfo> info;
  std::shared_ptr<Session> session;        ///< scans only; else null
  std::shared_ptr<const Volume> volume;    ///< volumes only; else null
  std::shared_ptr<const ListSource> list;  ///< list mode only; else null

  /// Line integrals of the scan; null if there are none.
  std::shared_ptr<ProjectionSource> views() const { return session ? session->measured() : nullptr; }
};

/// A source from a session.
Source source_of(std::shared_ptr<Session>);

/// Opens an example "demo:NAME" of demo_names(), which is simulated, or a file, whose format is found from its content.
/// Counts become line integrals; lists are read once to count events. Throws InputError, and Cancelled.
/// `pixel_mm`: side of the pixels or voxels of a file that gives none; 0: lengths stay in pixels. `slices_mm`: of a
/// volume without a size, from one slice to the next; 0: as the pixels.
Source open_source(const std::string& path, const PetState&, const Watch&, double pixel_mm = 0, double slices_mm = 0);

/// Examples that need no data: "demo:head", ...
const std::vector<std::string>& demo_names();

}  // namespace backlit::viewer
