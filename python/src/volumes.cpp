// Volumes: phantoms, files, comparison.
#include <backlit/core/error.hpp>
#include <backlit/data/metrics.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/io/volumes/scaled_tiff.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include "bindings.hpp"
#include "volume_of.hpp"

namespace backlit::python {

Volume volume_of(const VolumeGrid& grid, const FloatArray& values, const char* what) {
  const auto n = [&](std::size_t axis) { return static_cast<std::int64_t>(values.shape(axis)); };
  if (values.ndim() != 3 || Size3{n(2), n(1), n(0)} != grid.size)
    throw InputError(what, "does not have the grid's shape",
                     "give (" + std::to_string(grid.size[2]) + ", " + std::to_string(grid.size[1]) + ", " +
                         std::to_string(grid.size[0]) + "): z, y, x");
  return {grid, from_numpy(values)};
}

nb::ndarray<nb::numpy, float> values_of(Volume volume) {
  const auto n = [&](int axis) { return static_cast<std::size_t>(volume.grid.size[static_cast<std::size_t>(axis)]); };
  return to_numpy(std::move(volume.values), {n(2), n(1), n(0)});
}

namespace {

nb::tuple loaded(const std::string& path) {
  Volume volume;
  {
    const nb::gil_scoped_release released;
    SignalProgress progress;
    volume = load_volume(path, progress.watch());
  }
  const VolumeGrid grid = volume.grid;
  return nb::make_tuple(values_of(std::move(volume)), grid);
}

void save(const VolumeGrid& grid, const FloatArray& values, const std::string& path) {
  const Volume volume = volume_of(grid, values, "volume");
  const nb::gil_scoped_release released;
  SignalProgress progress;
  save_volume(volume, path, progress.watch());
}

void save_counts(const VolumeGrid& grid, const FloatArray& values, const std::string& path, double low, double high) {
  const Volume volume = volume_of(grid, values, "volume");
  const nb::gil_scoped_release released;
  const auto writer = create_scaled_tiff(path, grid, {low, high});
  writer->write(volume.values.span());
  writer->commit();
}

nb::ndarray<nb::numpy, float> voxels(const Phantom& phantom, const VolumeGrid& grid, int supersampling) {
  Volume volume;
  {
    const nb::gil_scoped_release released;
    SignalProgress progress;
    volume = voxelize(phantom, grid, supersampling, progress.watch());
  }
  return values_of(std::move(volume));
}

std::map<std::string, double> compared(const FloatArray& a, const FloatArray& b) {
  if (a.ndim() > 3 || a.ndim() != b.ndim())
    throw InputError("compare", "takes two arrays of equal shape, up to 3 axes");
  Size3 size{1, 1, 1};
  for (std::size_t i = 0; i < a.ndim(); ++i) {
    if (a.shape(i) != b.shape(i)) throw InputError("compare", "the arrays have different shapes");
    size[a.ndim() - 1 - i] = static_cast<std::int64_t>(a.shape(i));
  }
  const nb::gil_scoped_release released;
  const Metrics m = compare({a.data(), a.size()}, {b.data(), b.size()}, size);
  return {{"rmse", m.rmse},
          {"mean_abs", m.mean_abs},
          {"max_abs", m.max_abs},
          {"psnr_db", m.psnr_db},
          {"relative_l2", m.relative_l2},
          {"ssim", m.ssim},
          {"relative_max", m.relative_max}};
}

}  // namespace

void add_volumes(nb::module_& m) {
  nb::class_<Phantom>(m, "Phantom")
      .def(nb::init<>())
      .def_ro("name", &Phantom::name)
      .def("__len__", [](const Phantom& p) { return p.bodies.size(); })
      .def("scaled", [](const Phantom& p, double length, double value) { return scaled(p, length, value); });
  m.def("load_phantom", &load_phantom);
  m.def("shipped_phantoms", &shipped_phantoms);
  m.def("voxelize", &voxels);
  m.def("load_volume", &loaded);
  m.def("save_volume", &save);
  m.def("save_counts", &save_counts);
  m.def("volume_extensions", &volume_extensions);
  m.def("holds_hounsfield", [](const std::string& path) { return holds_hounsfield(path); });
  m.def("keeps_grid", [](const std::string& path) { return keeps_grid(path); });
  m.def("compare", &compared);
}

}  // namespace backlit::python
