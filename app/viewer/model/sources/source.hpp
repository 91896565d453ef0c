// Opening anything: a scan, a volume, or one of the examples that come with the program.
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

/// What is open, as the worker holds it.
struct Source {
  std::shared_ptr<const SourceInfo> info;
  std::shared_ptr<Session> session;        ///< of a scan; null for all else
  std::shared_ptr<const Volume> volume;    ///< null but for a volume
  std::shared_ptr<const ListSource> list;  ///< null but for list mode

  /// Line integrals of the scan; null where there are none.
  std::shared_ptr<ProjectionSource> views() const { return session ? session->measured() : nullptr; }
};

/// A scan with what is known of it.
Source source_of(std::shared_ptr<Session>);

/// "demo:NAME" is an example of demo_names(), simulated on the spot; else a file, chosen by content. Counts become line
/// integrals; lists are read once, to count. Throws InputError, and Cancelled.
Source open_source(const std::string& path, const PetState&, const Watch&);

/// Examples to open with no data at hand: "demo:head", ...
const std::vector<std::string>& demo_names();

}  // namespace backlit::viewer
