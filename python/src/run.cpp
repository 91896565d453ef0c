#include "run.hpp"

#include <backlit/recon/list_mode_em.hpp>
#include "volume_of.hpp"

namespace backlit::python {

std::string Run::step() {
  const nb::gil_scoped_release released;
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

nb::ndarray<nb::numpy, float> Run::volume() {
  Volume volume;
  {
    const nb::gil_scoped_release released;
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
