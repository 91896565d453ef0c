#include "image_data.hpp"

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "terminal_progress.hpp"

namespace backlit::cli {

Volume load_shown(const std::filesystem::path& path, const Console& console) {
  TerminalProgress bar(console.quiet);
  return load_volume(path, {bar, interrupt()});
}

Volume load_block(const std::filesystem::path& path, const Console& console) {
  if (!is_scan(path)) return load_shown(path, console);
  const ScanFile file = load_scan(path);
  if (!file.projections) throw InputError(path.string(), "has no [data]", "name the projections there");
  TerminalProgress bar(console.quiet);
  Projections all = read_all(*file.projections, {bar, interrupt()});
  const Detector& d = all.scan.detector;
  const VolumeGrid grid{{d.columns, d.rows, all.scan.view_count()}, {d.pixel_u, d.pixel_v, 1}, {0, 0, 0}};
  return Volume(grid, std::move(all.values));
}

}  // namespace backlit::cli
