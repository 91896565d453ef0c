// The reconstruction methods and their options, and stepwise runs.
#include <memory>

#include <backlit/core/error.hpp>
#include <backlit/recon/method.hpp>
#include <backlit/recon/method_options.hpp>
#include <backlit/recon/session.hpp>
#include "bindings.hpp"
#include "parameters.hpp"
#include "run.hpp"
#include "source.hpp"
#include "volume_of.hpp"

namespace backlit::python {
namespace {

nb::list methods() {
  nb::list all;
  for (const std::string& name : method_names()) {
    Method method(name);
    const MethodInfo& info = method.info();
    nb::dict d;
    d["name"] = name;
    d["title"] = info.title;
    d["paper"] = info.paper;
    d["about"] = info.about;
    d["parameters"] = described(method.parameters());
    d["steers"] = steering_names(method);
    all.append(d);
  }
  return all;
}

/// Volumes by the name of the option that takes them; options without one keep their values.
using Volumes = std::map<std::string, FloatArray>;

Method method_with(const std::string& name, const Options& options, const VolumeGrid& grid, const Volumes& volumes) {
  Method method(name);
  std::vector<std::string> given;
  for (const auto& [parameter, value] : options) {
    method.set(parameter, value);
    given.push_back(parameter);
  }
  auto* const o = method.get<IterationOptions>();
  for (const auto& [parameter, values] : volumes) {
    if (!o || !method.has(parameter)) refuse_parameter(name, parameter);
    const auto volume = std::make_shared<const Volume>(volume_of(grid, values, parameter.c_str()));
    method.set(parameter, "array");
    given.push_back(parameter);
    (parameter == "mask"      ? o->mask_volume
     : parameter == "initial" ? o->initial_volume
                              : o->attenuation_volume) = volume;
  }
  check(method, given);
  return method;
}

std::unique_ptr<Run> started(const Source& source, const VolumeGrid& grid, const std::string& name,
                             const Options& options, const Volumes& volumes, const DeviceChoice& device) {
  const Method wanted = method_with(name, options, grid, volumes);
  const nb::gil_scoped_release released;
  SignalProgress progress;
  SessionOptions choices;
  choices.device = device.for_session();
  ScanFile scan;
  scan.scan = source.views->scan();
  scan.projections = source.views;
  scan.photons = source.photons;
  scan.counted = source.counted;
  scan.volume = grid;
  Session session(std::move(scan), choices, progress.watch());
  const Method method = session.completed(wanted, progress.watch());
  const std::shared_ptr<SessionRun> run = session.start(method, progress.watch());
  return std::make_unique<Run>(grid, run, run->backend(), run->reconstruction(), session.advice(method), method);
}

}  // namespace

void add_methods(nb::module_& m) {
  m.def("methods", &methods, "Every method of the engine, with its parameters.");
  m.def("start_method", &started);
}

}  // namespace backlit::python
