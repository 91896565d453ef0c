// PET: events from arrays or files, operators on their lines, list-mode reconstruction.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/normalisation_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/pet/default_grid.hpp>
#include <backlit/pet/reconstruction.hpp>
#include <backlit/pet/simulate.hpp>
#include <backlit/recon/list_mode_em.hpp>
#include "bindings.hpp"
#include "operator.hpp"
#include "parameters.hpp"
#include "run.hpp"
#include "volume_of.hpp"

namespace backlit::python {
namespace {

/// Events in memory and the scanner that measured them.
struct Events {
  std::shared_ptr<const Scanner> scanner;
  ListModeInfo info;
  std::shared_ptr<const EventList> list;

  std::shared_ptr<ListModeSource> source() const { return std::make_shared<MemoryListMode>(info, *list); }
};

std::vector<Vec3f> points_of(const FloatArray& xyz, const char* what) {
  if (xyz.ndim() != 2 || xyz.shape(1) != 3) throw InputError(what, "are not points of shape (events, 3)", "give mm");
  const auto* const p = reinterpret_cast<const Vec3f*>(xyz.data());
  return {p, p + xyz.shape(0)};
}

std::vector<float> numbers_of(const std::optional<FloatArray>& values, std::size_t count, const char* what) {
  if (!values) return {};
  if (values->ndim() != 1 || values->shape(0) != count)
    throw InputError(what, "does not have one number an event", "give shape (" + std::to_string(count) + ",)");
  return {values->data(), values->data() + count};
}

std::shared_ptr<const Scanner> scanner_of(const std::string& name) {
  return name.empty() ? nullptr : std::make_shared<const Scanner>(load_scanner(name));
}

struct EventArrays {
  std::optional<FloatArray> dt_ps, acf, norm, scatter_rate, random_rate;
};

Events from_arrays(const FloatArray& xyz1, const FloatArray& xyz2, const EventArrays& more, double tof_fwhm_ps,
                   double tof_range_ps, double duration_s, const std::string& scanner) {
  EventList list;
  list.end1 = points_of(xyz1, "xyz1");
  list.end2 = points_of(xyz2, "xyz2");
  if (list.end1.size() != list.end2.size()) throw InputError("xyz2", "has another number of events than xyz1");
  const std::size_t n = list.end1.size();
  if (n == 0) throw InputError("xyz1", "has no events");
  list.dt_ps = numbers_of(more.dt_ps, n, "tof");
  list.acf = numbers_of(more.acf, n, "acf");
  list.norm = numbers_of(more.norm, n, "norm");
  list.scatter_rate = numbers_of(more.scatter_rate, n, "scatter_rate");
  list.random_rate = numbers_of(more.random_rate, n, "random_rate");
  if (!list.dt_ps.empty() && !(tof_fwhm_ps > 0))
    throw InputError("tof", "is given without its resolution", "give tof_fwhm_ps=");
  ListModeInfo info;
  info.format = "memory";
  info.events = static_cast<std::int64_t>(n);
  info.duration_s = duration_s;
  info.tof_fwhm_ps = list.dt_ps.empty() ? 0 : tof_fwhm_ps;
  info.tof_range_ps = tof_range_ps;
  return {scanner_of(scanner), info, std::make_shared<const EventList>(std::move(list))};
}

Events loaded_events(const std::string& path, const std::string& scanner, bool flip_tof, bool delayeds) {
  const nb::gil_scoped_release released;
  ListModeFile file = load_list_mode(path, {.scanner = scanner, .flip_tof = flip_tof, .delayeds = delayeds});
  const ListModeInfo info = file.events->info();
  return {std::make_shared<const Scanner>(std::move(file.scanner)), info,
          std::make_shared<const EventList>(read_all(*file.events))};
}

void save_list(const std::string& path, const Events& events) {
  const nb::gil_scoped_release released;
  if (!events.scanner)
    throw InputError("scanner", "is not known, and a list names the crystals of one", "give scanner= to bl.listmode()");
  const auto writer = create_list_mode(path, *events.scanner, events.info);
  writer->write(*events.list);
  writer->commit();
}

/// `options`: of ListModeSimulation.
Events simulated_events(const Phantom& activity, const std::optional<Phantom>& attenuation, const std::string& scanner,
                        const Options& options, std::uint64_t seed) {
  const nb::gil_scoped_release released;
  SignalProgress progress;
  const auto ring = scanner_of(scanner);
  ListModeSimulation o;
  o.seed = seed;
  Parameters parameters = describe(o);
  set(parameters, options);
  EventList all;
  simulate_list_mode(
      *ring, activity, attenuation ? &*attenuation : nullptr, o,
      [&](const EventList& some) { all.empty() ? void(all = some) : all.append(some, 0, some.size()); },
      progress.watch());
  ListModeInfo info = simulated_info(*ring, o);
  info.events = all.size();
  return {ring, info, std::make_shared<const EventList>(std::move(all))};
}

std::array<nb::ndarray<nb::numpy, float>, 2> ends_of(const Events& e) {
  static const Scanner none;
  std::array<std::vector<float>, 6> ends;
  end_points(*e.list, e.scanner ? *e.scanner : none, 0, e.list->size(), ends);
  const auto n = static_cast<std::size_t>(e.list->size());
  std::array<std::vector<float>, 2> xyz;
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t a = 0; a < 3; ++a) xyz[side].push_back(ends[3 * side + a][i]);
  return {to_numpy(std::move(xyz[0]), {n, 3}), to_numpy(std::move(xyz[1]), {n, 3})};
}

/// An operator on lines, with their points, kernels and time of flight. It keeps the events alive for plans that are
/// made later.
std::shared_ptr<Operator> lines_operator(const Events& events, const VolumeGrid& grid, const std::string& line,
                                         double tube_width, double tof_cut, const DeviceChoice& device) {
  static const Scanner none;
  LineOptions o;
  if (line != "tube" && line != "joseph")
    throw InputError("line", "'" + line + "' is no kind of line", "choose tube or joseph");
  o.line = line == "tube" ? LineOptions::Line::tube : LineOptions::Line::joseph;
  const double spacing = std::max({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  const double width = tube_width > 0 ? tube_width : 2 * spacing;
  o.kernels = {gaussian_tube(width, tube_width > 0 ? width : 1.5 * spacing)};
  EventModel model;
  model.tof = events.info.has_tof();
  if (model.tof) {
    o.tof.sigma_mm = tof_sigma_mm(events.info.tof_fwhm_ps);
    o.tof.cut_sigmas = tof_cut;
  }
  model.scatter = model.randoms = false;
  const auto scanner = events.scanner ? events.scanner : std::make_shared<const Scanner>();
  const auto list = events.list;
  const auto make = [list, scanner, model, grid, o](Backend& backend, const Scan&) {
    const EventLines lines(*list, *scanner, model);
    return backend.innermost().make_listmode(grid, lines.list(), o);
  };
  return std::make_shared<Operator>(grid, std::vector{list->size()}, make, device);
}

PetOptions options_of(const std::map<std::string, std::string>& given) {
  PetOptions o;
  Parameters parameters = describe(o);
  for (const auto& [name, value] : given) find_parameter(parameters, name).set(value, name);
  check(o);
  read_files(o);
  return o;
}

std::string words_of(const Events& e) {
  std::string words = fmt::format("{} PET events", e.list->size());
  if (e.scanner && !e.scanner->name.empty()) words += " of " + e.scanner->name;
  if (e.info.tof_fwhm_ps > 0) words += fmt::format(", time of flight {:g} ps", e.info.tof_fwhm_ps);
  if (e.info.duration_s > 0) words += fmt::format(", {:g} s", e.info.duration_s);
  return words;
}

/// List-mode EM and the objects that it refers to.
struct EmRun {
  std::shared_ptr<const Scanner> scanner;
  std::unique_ptr<Backend> backend{};
  std::unique_ptr<PetProblem> problem{};
  std::unique_ptr<ListModeEm> em{};
};

/// The problem on its device; with the sensitivity, which is made where none is given.
std::shared_ptr<EmRun> problem_of(const Events& events, const VolumeGrid& grid, const Options& given,
                                  const std::optional<FloatArray>& attenuation,
                                  const std::optional<FloatArray>& sensitivity, const std::string& normalisation,
                                  const DeviceChoice& device) {
  const PetOptions options = options_of(given);
  std::shared_ptr<const Volume> mu;
  if (attenuation) mu = std::make_shared<const Volume>(volume_of(grid, *attenuation, "attenuation"));
  std::optional<Sensitivity> known;
  if (sensitivity) {
    const Volume s = volume_of(grid, *sensitivity, "sensitivity");
    known.emplace();
    known->values.assign(s.values.begin(), s.values.end());
  } else if (!events.scanner) {
    throw InputError("sensitivity", "is not known: the events have no scanner",
                     "give sensitivity=, an array on the volume, or scanner= to bl.listmode()");
  }
  if (sensitivity && !normalisation.empty())
    throw InputError("normalisation", "is what a sensitivity is made of, and sensitivity= is given", "leave one out");
  const auto run = std::make_shared<EmRun>(EmRun{events.scanner ? events.scanner : std::make_shared<const Scanner>()});
  const nb::gil_scoped_release released;
  SignalProgress progress;
  run->backend = make_backend(device.name, device.options(),
                              [&](Backend& candidate) { require_list_mode(candidate.innermost(), grid); });
  run->problem =
      std::make_unique<PetProblem>(run->backend->innermost(), events.source(), *run->scanner, grid, options, mu);
  if (!normalisation.empty()) run->problem->set_normalisation(load_normalisation(normalisation, *run->scanner));
  if (known) run->problem->set_sensitivity(std::move(*known));
  run->problem->sensitivity(progress.watch());
  return run;
}

std::unique_ptr<Run> started_em(const Events& events, const VolumeGrid& grid, const Options& given,
                                const std::optional<FloatArray>& attenuation,
                                const std::optional<FloatArray>& sensitivity, const std::string& normalisation,
                                const DeviceChoice& device) {
  const auto run = problem_of(events, grid, given, attenuation, sensitivity, normalisation, device);
  const nb::gil_scoped_release released;
  SignalProgress progress;
  run->em = run->problem->reconstruction(progress.watch());
  return std::make_unique<Run>(grid, run, *run->backend, *run->em);
}

nb::ndarray<nb::numpy, float> sensitivity_of(const Events& events, const VolumeGrid& grid, const Options& given,
                                             const std::optional<FloatArray>& attenuation,
                                             const std::string& normalisation, const DeviceChoice& device) {
  const auto run = problem_of(events, grid, given, attenuation, {}, normalisation, device);
  Volume volume(grid);
  std::ranges::copy(run->problem->sensitivity().values, volume.values.begin());
  return values_of(std::move(volume));
}

nb::list parameters() {
  nb::list all;
  PetOptions o;
  for (const Parameter& p : describe(o)) {
    nb::dict d;
    d["name"] = p.name;
    d["default"] = p.text();
    d["help"] = p.help;
    d["unit"] = p.unit;
    d["choices"] = p.choices;
    all.append(d);
  }
  return all;
}

}  // namespace

void add_pet(nb::module_& m) {
  nb::class_<Events>(m, "Events",
                     "Coincidences of a PET scanner: bl.listmode(), bl.load_events() or bl.simulate_events().")
      .def("__len__", [](const Events& e) { return e.list->size(); })
      .def_prop_ro("tof_fwhm_ps", [](const Events& e) { return e.info.tof_fwhm_ps; })
      .def_prop_ro("duration_s", [](const Events& e) { return e.info.duration_s; })
      .def_prop_ro("scanner", [](const Events& e) { return e.scanner ? e.scanner->name : std::string(); })
      .def("__repr__", &words_of)
      .def("ends", &ends_of)
      .def("default_grid", [](const Events& e) {
        if (!e.scanner) throw InputError("volume", "is not known: the events have no scanner", "give volume=");
        return default_pet_grid(*e.scanner, e.info.places);
      });
  m.def(
      "events_from_arrays",
      [](const FloatArray& xyz1, const FloatArray& xyz2, std::optional<FloatArray> dt, std::optional<FloatArray> acf,
         std::optional<FloatArray> norm, std::optional<FloatArray> scatter, std::optional<FloatArray> randoms,
         double fwhm, double range, double duration, const std::string& scanner) {
        return from_arrays(xyz1, xyz2, {dt, acf, norm, scatter, randoms}, fwhm, range, duration, scanner);
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg().none(),
      nb::arg(), nb::arg(), nb::arg(), nb::arg());
  m.def("load_events", &loaded_events);
  m.def("save_events", &save_list);
  m.def("simulate_events", &simulated_events, nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg());
  m.def("simulation_parameters", [] {
    ListModeSimulation o;
    return described(describe(o));
  });
  m.def("shipped_scanners", &shipped_scanners);
  m.def("lines_operator", &lines_operator);
  m.def("pet_parameters", &parameters);
  m.def("sensitivity", &sensitivity_of, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
  m.def("start_em", &started_em, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(),
        nb::arg());
}

}  // namespace backlit::python
