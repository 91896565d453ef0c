// Projections: from files, from arrays, from phantoms; corrections.
#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/data/selected_views.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/corrections.hpp>
#include <backlit/preprocess/preparation.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include <backlit/recon/session.hpp>
#include "bindings.hpp"
#include "parameters.hpp"
#include "source.hpp"

namespace backlit::python {
namespace {

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

nb::ndarray<nb::numpy, float> all_values(const Source& s) {
  Projections all;
  {
    const nb::gil_scoped_release released;
    SignalProgress progress;
    all = read_all(*s.views, progress.watch());
  }
  const Scan& scan = all.scan;
  const std::size_t views = scan.views.size();
  const Detector d = scan.detector;
  return to_numpy(std::move(all.values), {views, size(d.rows), size(d.columns)});
}

Source source_of(const Scan& scan, const FloatArray& values) {
  const Detector& d = scan.detector;
  if (values.ndim() != 3 || values.shape(0) != scan.views.size() || values.shape(1) != size(d.rows) ||
      values.shape(2) != size(d.columns))
    throw InputError("projections", "do not have the geometry's shape",
                     "give (" + std::to_string(scan.view_count()) + ", " + std::to_string(d.rows) + ", " +
                         std::to_string(d.columns) + "): views, rows, columns");
  return {std::make_shared<MemorySource>(Projections(scan, from_numpy(values)))};
}

}  // namespace

Source Source::some(std::int64_t first, std::int64_t end, std::int64_t step) const {
  Source chosen = with(std::make_shared<SelectedViews>(views, first, end, step));
  if (photons.empty()) return chosen;
  const std::int64_t columns = views->scan().detector.columns;
  chosen.photons.clear();
  for (std::int64_t view = first; view < end; view += step) {
    const auto from = photons.begin() + view * columns;
    chosen.photons.insert(chosen.photons.end(), from, from + columns);
  }
  return chosen;
}

namespace {

/// Frames without a trajectory, any number of them.
std::shared_ptr<ProjectionSource> frames_of(const Scan& scan, const std::optional<FloatArray>& values,
                                            const char* what) {
  if (!values) return nullptr;
  const Detector& d = scan.detector;
  const bool single = values->ndim() == 2;
  if ((!single && values->ndim() != 3) || values->shape(single ? 0 : 1) != size(d.rows) ||
      values->shape(single ? 1 : 2) != size(d.columns))
    throw InputError(what, "are not frames of the detector's rows and columns",
                     "give (" + std::to_string(d.rows) + ", " + std::to_string(d.columns) + "), or a stack of such");
  Scan frames{d, {}};
  frames.views.resize(single ? 1 : values->shape(0), scan.views.at(0));
  return std::make_shared<MemorySource>(Projections(std::move(frames), from_numpy(*values)));
}

/// Line integrals, prepared, and what else their file holds.
struct LoadedScan {
  Source source;
  std::optional<VolumeGrid> volume;
  std::vector<std::string> notes;
  std::vector<std::string> corrections;  ///< "zingers: 12 readings"
  std::vector<ScanFact> facts;           ///< this and what follows: as of ScanFile
  std::vector<std::string> unused, directions;
};

/// `center`: a column, "find", or empty as the file says. `correct`: "file", "none" or "auto". `options`: of
/// corrections that are made in any case. `device`: where corrections run.
LoadedScan prepared(ScanFile file, const std::string& center, const std::string& correct, const Options& options,
                    const DeviceChoice& device) {
  SessionOptions choices;
  choices.device = device.for_session();
  PreparationOptions& wanted = choices.preparation;
  from_text(wanted.center, center, "center");
  correct_parameter(wanted.correct).set(correct);
  Parameters parameters = describe(wanted.corrections);
  set(parameters, options);
  check_idle(wanted, file.corrections);
  SignalProgress progress;
  const Session session(std::move(file), choices, progress.watch());
  SessionReport report = session.report();
  report.warnings.insert(report.warnings.end(), report.faults.begin(), report.faults.end());
  const ScanFile& whole = session.file();
  const bool counted = whole.counted || whole.kind == ScanFile::Kind::counts;
  return {{session.require_projections(), whole.photons, whole.water, counted},
          whole.volume,
          report.warnings,
          report.corrections,
          whole.facts,
          whole.unused,
          whole.directions};
}

LoadedScan load(const std::string& path, const std::string& center, const std::string& correct, const Options& options,
                const DeviceChoice& device) {
  const nb::gil_scoped_release released;
  return prepared(load_scan(path), center, correct, options, device);
}

LoadedScan corrected(const Source& lines, const std::string& correct, const Options& options,
                     const DeviceChoice& device) {
  ScanFile file;
  file.scan = lines.views->scan();
  file.projections = lines.views;
  file.photons = lines.photons;
  file.water = lines.water;
  file.counted = lines.counted;
  const nb::gil_scoped_release released;
  return prepared(std::move(file), "", correct, options, device);
}

LoadedScan from_counts(const Source& counts, const std::optional<FloatArray>& flats,
                       const std::optional<FloatArray>& darks, const std::string& correct, const Options& options,
                       const DeviceChoice& device) {
  ScanFile file;
  file.scan = counts.views->scan();
  file.kind = ScanFile::Kind::counts;
  file.projections = counts.views;
  file.flats = frames_of(file.scan, flats, "flats");
  file.darks = frames_of(file.scan, darks, "darks");
  const nb::gil_scoped_release released;
  return prepared(std::move(file), "", correct, options, device);
}

nb::list known_corrections() {
  nb::list all;
  CorrectionOptions options;
  for (const Correction& c : corrections()) {
    Parameters own;
    for (const std::string_view name : c.parameters) {
      Parameters every = describe(options);
      own.push_back(find_parameter(every, std::string(name)));
    }
    nb::dict d;
    d["title"] = std::string(c.title);
    d["paper"] = std::string(c.paper);
    d["parameters"] = described(own);
    all.append(d);
  }
  return all;
}

double found_center(const Source& s) {
  const nb::gil_scoped_release released;
  SignalProgress progress;
  return find_center(*s.views, progress.watch()).center_px;
}

nb::ndarray<nb::numpy, float> simulated(const Phantom& phantom, const Scan& scan, int supersampling, double photons,
                                        double electronic, std::uint64_t seed) {
  std::vector<float> values(size(scan.view_count() * scan.detector.pixels()));
  {
    const nb::gil_scoped_release released;
    SignalProgress progress;
    const std::int64_t pixels = scan.detector.pixels();
    const NoiseOptions noise{photons, electronic, seed};
    in_batches(progress.watch(), "simulate", scan.view_count(), 8 * pixels, "views",
               [&](std::int64_t first, std::int64_t count) {
                 const auto views = std::span(values).subspan(size(first * pixels), size(count * pixels));
                 project_phantom(phantom, scan, first, count, supersampling, views);
                 for (std::int64_t i = 0; i < count; ++i)
                   add_noise(noise, first + i, views.subspan(size(i * pixels), size(pixels)));
               });
  }
  const Detector& d = scan.detector;
  return to_numpy(std::move(values), {scan.views.size(), size(d.rows), size(d.columns)});
}

nb::ndarray<nb::numpy, float> noisy(const FloatArray& values, double photons, double electronic, std::uint64_t seed) {
  if (values.ndim() != 3) throw InputError("projections", "are not (views, rows, columns)");
  std::vector<float> result(values.data(), values.data() + values.size());
  const std::size_t pixels = values.shape(1) * values.shape(2);
  {
    const nb::gil_scoped_release released;
    for (std::size_t i = 0; i < values.shape(0); ++i)
      add_noise({photons, electronic, seed}, static_cast<std::int64_t>(i),
                std::span(result).subspan(i * pixels, pixels));
  }
  return to_numpy(std::move(result), {values.shape(0), values.shape(1), values.shape(2)});
}

}  // namespace

void add_scans(nb::module_& m) {
  nb::class_<Source>(m, "Source")
      .def("__init__",
           [](Source* self, const Scan& scan, const FloatArray& v) { new (self) Source(source_of(scan, v)); })
      .def_prop_ro("views", [](const Source& s) { return s.views->scan(); })
      .def("values", &all_values)
      .def_ro("water", &Source::water)
      .def("some", &Source::some)
      .def("placed",
           [](const Source& s, const Scan& scan) { return s.with(std::make_shared<PlacedViews>(s.views, scan)); })
      .def("corrected", &corrected)
      .def("from_counts", &from_counts, nb::arg("flats").none(), nb::arg("darks").none(), nb::arg(), nb::arg(),
           nb::arg())
      .def("find_center", &found_center)
      .def("save", [](const Source& s, const std::string& path) {
        const nb::gil_scoped_release released;
        SignalProgress progress;
        save_projections(read_all(*s.views, progress.watch()), path, progress.watch());
      });
  nb::class_<ScanFact>(m, "ScanFact", "A value taken from a scanner's file, for the user to check.")
      .def_ro("meaning", &ScanFact::meaning, "\"source to axis\"")
      .def_ro("value", &ScanFact::value, "with its unit: \"165.3 mm\"")
      .def_ro("source", &ScanFact::source, "its place in the file: \"scan.xtekct line 12, XTekCT.SrcToObject\"")
      .def("__repr__", [](const ScanFact& f) { return f.meaning + ": " + f.value + " (" + f.source + ")"; });
  nb::class_<LoadedScan>(m, "LoadedScan")
      .def_ro("source", &LoadedScan::source)
      .def_ro("volume", &LoadedScan::volume)
      .def_ro("notes", &LoadedScan::notes)
      .def_ro("facts", &LoadedScan::facts)
      .def_ro("unused", &LoadedScan::unused)
      .def_ro("directions", &LoadedScan::directions)
      .def_ro("corrections", &LoadedScan::corrections);
  m.def("load_scan", &load);
  m.def("corrections", &known_corrections, "Every correction of line integrals, with its parameters.");
  m.def("is_scan", [](const std::string& path) { return is_scan(path); });
  m.def("simulate", &simulated);
  m.def("add_noise", &noisy);
  m.def(
      "save_scan",
      [](const Scan& scan, const std::string& projections, const std::optional<VolumeGrid>& volume,
         const std::string& path) {
        ScanWriteOptions options;
        options.projections = projections;
        options.volume = volume;
        save_scan(scan, options, path);
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
}

}  // namespace backlit::python
