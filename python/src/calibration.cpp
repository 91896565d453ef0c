// The geometry that projections show.
#include <backlit/calibration/calibrate_moving_views.hpp>
#include <backlit/calibration/calibrated_number.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/recon/volume_tools.hpp>
#include "bindings.hpp"
#include "parameters.hpp"
#include "source.hpp"

namespace backlit::python {
namespace {

struct Found {
  Calibration geometry;
  std::optional<Alignment> alignment;  ///< of views that moved
  std::vector<CalibratedNumber> numbers;
  Source source;
};

Parameters parameters_of(CalibrationOptions& search, AlignOptions& alignment) {
  Parameters all = search.parameters();
  for (Parameter& p : alignment.parameters()) all.push_back(std::move(p));
  return all;
}

/// `align`: also finds a shift for each view, on `device`.
Found calibrated(const Source& source, const Options& options, bool curves, bool align, const DeviceChoice& device) {
  CalibrationOptions search;
  AlignOptions alignment;
  Parameters parameters = parameters_of(search, alignment);
  set(parameters, options);
  search.curves = curves;
  const nb::gil_scoped_release released;
  SignalProgress progress;
  const Watch watch = progress.watch();
  Found found;
  if (align) {
    const DeviceOptions chosen = device.for_session();
    const VolumeTools tools =
        make_volume_tools(make_backend(chosen.backend, backend_options(chosen)), watch, 2 * alignment.columns);
    MovingViews moved = calibrate_moving_views(source.views, tools, search, alignment, watch);
    found.geometry = std::move(moved.geometry);
    found.alignment = std::move(moved.alignment);
  } else {
    found.geometry = calibrate(*source.views, search, watch);
  }
  found.numbers = calibrated_numbers(found.geometry, source.views->scan());
  found.source.views = std::make_shared<PlacedViews>(source.views, found.geometry.scan);
  return found;
}

/// With the criterion along the parameter behind the number, where it was computed.
nb::dict described_number(const CalibratedNumber& n, const CalibratedParameter* p) {
  nb::dict d;
  d["name"] = n.name;
  d["unit"] = n.unit;
  d["value"] = n.value;
  d["change"] = n.change;
  d["uncertainty"] = n.uncertainty;
  d["determined"] = n.determined;
  d["reason"] = n.reason;
  d["correction"] = p ? p->value : 0.0;
  d["at"] = p ? p->at : std::vector<double>();
  d["criterion"] = p ? p->criterion : std::vector<double>();
  return d;
}

nb::list numbers_of(const Found& found) {
  const auto& parameters = found.geometry.parameters;
  nb::list all;
  for (std::size_t i = 0; i < found.numbers.size(); ++i)
    all.append(described_number(found.numbers[i], i < parameters.size() ? &parameters[i] : nullptr));
  return all;
}

nb::object shifts_of(const Found& found) {
  if (!found.alignment) return nb::none();
  std::vector<double> numbers;
  for (const ViewShift& shift : found.alignment->shifts) numbers.insert(numbers.end(), {shift.u, shift.v});
  return nb::cast(to_numpy(std::move(numbers), {found.alignment->shifts.size(), 2}));
}

}  // namespace

void add_calibration(nb::module_& m) {
  nb::class_<Found>(m, "FoundGeometry")
      .def_ro("source", &Found::source)
      .def_prop_ro("numbers", &numbers_of)
      .def_prop_ro("compared", [](const Found& f) { return f.geometry.criterion; })
      .def_prop_ro("before", [](const Found& f) { return f.geometry.before; })
      .def_prop_ro("after", [](const Found& f) { return f.geometry.after; })
      .def_prop_ro("notes", [](const Found& f) { return f.geometry.notes; })
      .def_prop_ro("reversed", [](const Found& f) { return f.geometry.correction.reversed; })
      .def_prop_ro("direction_determined", [](const Found& f) { return f.geometry.direction_determined; })
      .def_prop_ro("shifts", &shifts_of)
      .def_prop_ro("changes", [](const Found& f) { return f.alignment ? f.alignment->change : std::vector<double>(); });
  m.def("calibrate", &calibrated);
  m.def(
      "calibration_parameters",
      [] {
        CalibrationOptions search;
        AlignOptions alignment;
        return described(parameters_of(search, alignment));
      },
      "Parameters of the search, and of the alignment of views.");
}

}  // namespace backlit::python
