// Pictures of volumes as arrays.
#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/render/colormap.hpp>
#include <backlit/render/plane.hpp>
#include <backlit/render/png.hpp>
#include <backlit/render/transfer_function.hpp>
#include <backlit/render/value_classes.hpp>
#include <backlit/render/volume_rendering.hpp>
#include "bindings.hpp"
#include "volume_of.hpp"

namespace backlit::python {
namespace {

nb::ndarray<nb::numpy, std::uint8_t> pixels_of(const Image& image) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(3 * image.pixels.size());
  for (const Rgb& p : image.pixels) bytes.insert(bytes.end(), {p.r, p.g, p.b});
  return to_numpy(std::move(bytes), {static_cast<std::size_t>(image.height), static_cast<std::size_t>(image.width), 3});
}

void save_picture(const nb::ndarray<const std::uint8_t, nb::c_contig, nb::device::cpu>& pixels,
                  const std::string& path) {
  if (pixels.ndim() != 3 || pixels.shape(2) != 3)
    throw InputError("picture", "is no array of shape (rows, columns, 3)", "make it with bl.render() or bl.colorize()");
  Image image(static_cast<std::int64_t>(pixels.shape(1)), static_cast<std::int64_t>(pixels.shape(0)));
  const std::uint8_t* p = pixels.data();
  for (Rgb& pixel : image.pixels) {
    pixel = {p[0], p[1], p[2]};
    p += 3;
  }
  save_png(image, path);
}

/// A slice, or the largest values along an axis; both against the axis, as people look at them.
nb::ndarray<nb::numpy, float> plane_of(const VolumeGrid& grid, const FloatArray& values, const std::string& axis,
                                       std::optional<double> position) {
  const Volume volume = volume_of(grid, values, "volume");
  const Axis along = axis_from(axis);
  Plane plane = position ? extract_slice(volume, along, *position) : maximum_projection(volume, along);
  return to_numpy(std::move(plane.values),
                  {static_cast<std::size_t>(plane.height), static_cast<std::size_t>(plane.width)});
}

nb::ndarray<nb::numpy, std::uint8_t> colored(const FloatArray& values, const std::string& window,
                                             const std::string& map) {
  if (values.ndim() != 2) throw InputError("values", "are no picture", "give (rows, columns)");
  Plane plane;
  plane.height = static_cast<std::int64_t>(values.shape(0));
  plane.width = static_cast<std::int64_t>(values.shape(1));
  plane.values.assign(values.data(), values.data() + values.size());
  return pixels_of(colorize(plane, window_from(window, plane.values, "window"), colormap(map)));
}

struct Look {
  std::string mode, window, transfer, map;
  std::optional<double> iso;
  Turntable camera;
  std::int64_t width, height, antialias;
  double step;
};

nb::ndarray<nb::numpy, std::uint8_t> rendered(const VolumeGrid& grid, const FloatArray& values, const Look& look) {
  const Volume volume = volume_of(grid, values, "volume");
  Image image;
  {
    const nb::gil_scoped_release released;
    const Vec3 extent = grid.upper() - grid.lower();
    const ValueScale scale{window_from(look.window, volume.values.span(), "window"), 0.02,
                           std::max({extent.x, extent.y, extent.z})};
    VolumeRenderOptions o;
    o.mode = volume_mode_from(look.mode);
    o.step = look.step;
    const ValueClasses classes = classes_of(volume.values.span());
    o.iso = look.iso ? *look.iso : fitting_iso(classes);
    o.check();
    const Classifier classifier(
        look.transfer == "auto" ? fitting_transfer_function(classes, grid) : load_transfer_function(look.transfer),
        scale);
    const CameraRays rays = supersampled(camera_rays(look.camera, grid, look.width, look.height), look.antialias);
    const std::vector<double> found = render_reference(volume, rays, o, classifier);
    Finish finish;
    finish.map = look.map;
    const PictureKind kind = picture_kind(o.mode);
    if (kind == PictureKind::values) finish.window = found_window(found, look.window, "window");
    image = shrunk(finish_picture(found, kind, rays, finish), look.antialias);
  }
  return pixels_of(image);
}

}  // namespace

void add_pictures(nb::module_& m) {
  m.def("save_png", &save_picture);
  m.def("plane", &plane_of, nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
  m.def("colorize", &colored);
  m.def("colormap_names", &colormap_names);
  m.def("volume_mode_names", &volume_mode_names);
  m.def("transfer_function_names", &transfer_function_names);
  m.def(
      "render",
      [](const VolumeGrid& grid, const FloatArray& values, const std::string& mode, const std::string& window,
         const std::string& transfer, const std::string& map, std::optional<double> iso,
         const std::array<double, 4>& camera, const Point& offset, std::array<std::int64_t, 2> size,
         std::int64_t antialias, double step) {
        const Turntable t{camera[0], camera[1], camera[2], camera[3], vec(offset)};
        return rendered(grid, values, {mode, window, transfer, map, iso, t, size[0], size[1], antialias, step});
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
      nb::arg(), nb::arg(), nb::arg());
}

}  // namespace backlit::python
