#include "run.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <backlit/core/error.hpp>
#include <backlit/recon/list_mode_em.hpp>
#include "volume_of.hpp"

namespace backlit::python {

std::string Run::step() {
  const nb::gil_scoped_release released;
  const std::lock_guard lock(mutex_);
  backend_->activate();
  switch (reconstruction_->step()) {
    case Reconstruction::Status::more:
      return "more";
    case Reconstruction::Status::iteration_done:
      return "iteration";
    case Reconstruction::Status::finished:
      return "finished";
  }
  return "";
}

std::vector<std::string> Run::steers() const { return method_ ? steering_names(*method_) : std::vector<std::string>{}; }

void Run::steer(const Options& changes) {
  if (!method_) throw Unsupported("steer", "events of PET are reconstructed without it", "start another run");
  Method next = *method_;
  const std::vector<std::string> known = steers();
  if (known.empty())
    throw Unsupported("steer", fmt::format("{} keeps its parameters to the end", next.name()), "start another run");
  std::vector<std::string> given;
  for (const auto& [name, value] : changes) {
    if (!next.has(name)) refuse_parameter(next.name(), name);
    if (std::ranges::find(known, name) == known.end())
      throw InputError(name, "does not change while a method iterates",
                       fmt::format("start another run; {} takes {}", next.name(), fmt::join(known, ", ")));
    next.set(name, value);
    given.push_back(name);
  }
  check(next, given);
  const nb::gil_scoped_release released;
  const std::lock_guard lock(mutex_);
  backend_->activate();
  if (!reconstruction_->steer(next))
    throw Failure("steer", fmt::format("{} does not take other values here", next.name()), "start another run");
  method_ = next;
}

nb::ndarray<nb::numpy, float> Run::volume() {
  Volume volume;
  {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(mutex_);
    backend_->activate();
    volume = reconstruction_->download();
  }
  return values_of(std::move(volume));
}

nb::tuple Run::progress() const {
  const ReconProgress p = reconstruction_->progress();
  return nb::make_tuple(p.stage, p.done, p.total, p.unit, p.iteration);
}

std::vector<double> Run::residuals() const {
  const auto r = reconstruction_->residuals();
  return {r.begin(), r.end()};
}

std::vector<double> Run::likelihoods() const {
  const auto* const em = dynamic_cast<const ListModeEm*>(reconstruction_);
  if (!em) return {};
  const auto l = em->likelihoods();
  return {l.begin(), l.end()};
}

void add_runs(nb::module_& m) {
  nb::class_<Run>(m, "Run")
      .def("step", &Run::step)
      .def("steer", &Run::steer)
      .def_prop_ro("steers", &Run::steers)
      .def("volume", &Run::volume)
      .def_prop_ro("progress", &Run::progress)
      .def_prop_ro("residuals", &Run::residuals)
      .def_prop_ro("likelihoods", &Run::likelihoods)
      .def_prop_ro("grid", &Run::grid)
      .def_prop_ro("advice", &Run::advice)
      .def_prop_ro("stopped_by", &Run::stopped_by)
      .def_prop_ro("variant", &Run::variant)
      .def_prop_ro("device", &Run::device)
      .def_prop_ro("seconds", &Run::seconds);
}

}  // namespace backlit::python
