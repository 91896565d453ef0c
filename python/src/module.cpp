// backlit._core: the engine for the Python files beside it. People use those files.
#include <omp.h>

#include "bindings.hpp"

#include <backlit/core/assets.hpp>
#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/version.hpp>
#if defined(BACKLIT_HAVE_CUDA)
#include <backlit/cuda.hpp>
#endif

namespace backlit::python {

nb::ndarray<nb::numpy, float> to_numpy(HostArray<float> values, std::initializer_list<std::size_t> shape) {
  auto* const kept = new HostArray<float>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<HostArray<float>*>(p); });
  return nb::ndarray<nb::numpy, float>(kept->data(), shape, owner);
}

HostArray<float> from_numpy(const FloatArray& array) {
  // The engine may release the array in a thread that does not hold the GIL.
  const std::shared_ptr<void> owner(new FloatArray(array), [](void* p) {
    const nb::gil_scoped_acquire gil;
    delete static_cast<FloatArray*>(p);
  });
  return HostArray<float>(const_cast<float*>(array.data()), static_cast<std::int64_t>(array.size()), owner);
}

void check_signals() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void add_errors(nb::module_& m) {
  // nanobind tries the last registered exception first, so register the base class first.
  static const nb::exception<Error> error(m, "Error");
  const auto with = [&](PyObject* base) { return nb::make_tuple(error, nb::handle(base)); };
  static const nb::exception<Failure> failure(m, "Failure", with(PyExc_RuntimeError));
  static const nb::exception<InputError> input(m, "InputError", with(PyExc_ValueError));
  static const nb::exception<Unsupported> unsupported(m, "Unsupported", input);
  error.attr("__doc__") = "What Backlit throws: one line that says where, what is wrong and what to do.";
  failure.attr("__doc__") = "The machine cannot go on: no memory, no device, or a full disk.";
  input.attr("__doc__") = "A file, an argument or a geometry that cannot be used. Also a ValueError.";
  unsupported.attr("__doc__") = "A valid request that this device, model or precision does not offer.";
}

}  // namespace backlit::python

NB_MODULE(_core, m) {
  using namespace backlit;
  namespace py = backlit::python;
  m.doc() = "The engine beneath the package backlit. Use the package; this module may change.";
#if defined(BACKLIT_HAVE_CUDA)
  register_cuda_backend();
#endif
  nb::set_leak_warnings(false);  // objects still alive at the program's end are no leaks
  m.attr("version") = version();
  m.def("set_asset_folder", [](const std::string& folder) { set_asset_folder(folder); });
  m.def(
      "end_threads", [] { omp_pause_resource_all(omp_pause_hard); },
      "Ends OpenMP's waiting threads; the next work starts new ones. A forked process would wait for them for ever.");
  m.def("backend_names", &backend_names, "The devices that this build knows.");
  py::add_errors(m);
  py::add_geometry(m);
  py::add_operators(m);
  py::add_scans(m);
  py::add_calibration(m);
  py::add_volumes(m);
  py::add_measures(m);
  py::add_runs(m);
  py::add_methods(m);
  py::add_pet(m);
  py::add_pictures(m);
}
