// Pictures of volumes as arrays.
#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/render/animated_png.hpp>
#include <backlit/render/colormap.hpp>
#include <backlit/render/plane.hpp>
#include <backlit/render/png.hpp>
#include <backlit/render/renderer.hpp>
#include <backlit/render/transfer_function.hpp>
#include <backlit/render/value_classes.hpp>
#include <backlit/render/volume_rendering.hpp>
#include "bindings.hpp"
#include "source.hpp"
#include "volume_of.hpp"

namespace backlit::python {
namespace {

nb::ndarray<nb::numpy, std::uint8_t> pixels_of(const Image& image) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(3 * image.pixels.size());
  for (const Rgb& p : image.pixels) bytes.insert(bytes.end(), {p.r, p.g, p.b});
  return to_numpy(std::move(bytes), {static_cast<std::size_t>(image.height), static_cast<std::size_t>(image.width), 3});
}

using Pixels = nb::ndarray<const std::uint8_t, nb::c_contig, nb::device::cpu>;

/// The picture whose pixels begin at `p`, which moves on behind them.
Image image_at(const std::uint8_t*& p, std::size_t rows, std::size_t columns) {
  Image image(static_cast<std::int64_t>(columns), static_cast<std::int64_t>(rows));
  for (Rgb& pixel : image.pixels) {
    pixel = {p[0], p[1], p[2]};
    p += 3;
  }
  return image;
}

void save_picture(const Pixels& pixels, const std::string& path, double frames_per_second) {
  const bool moves = pixels.ndim() == 4;
  if ((pixels.ndim() != 3 && !moves) || pixels.shape(pixels.ndim() - 1) != 3)
    throw InputError("picture", "is no array of shape (rows, columns, 3), nor (frames, rows, columns, 3)",
                     "make it with bl.render() or bl.colorize()");
  const std::size_t rows = pixels.shape(pixels.ndim() - 3), columns = pixels.shape(pixels.ndim() - 2);
  const std::uint8_t* p = pixels.data();
  if (!moves) return save_png(image_at(p, rows, columns), path);
  AnimatedPng file(path, static_cast<std::int64_t>(pixels.shape(0)), frames_per_second);
  for (std::size_t frame = 0; frame < pixels.shape(0); ++frame) file.add(image_at(p, rows, columns));
  file.commit();
}

nb::ndarray<nb::numpy, std::uint8_t> load_picture(const std::string& path) { return pixels_of(load_png(path)); }

/// A slice, or the maximum along an axis. The first row of the picture is its top.
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

using Color = std::array<std::uint8_t, 3>;

struct Look {
  std::string mode, window, transfer, map;
  std::optional<double> iso;
  Turntable camera;
  std::int64_t width, height, antialias;
  double step;
  std::array<double, 3> light;  ///< gradient opacity, shadows, occlusion
  bool shaded, jitter;
  double water;                              ///< its value, to which transfer functions in HU refer
  std::optional<std::array<Point, 2>> crop;  ///< corners
  std::vector<std::array<Point, 2>> clips;   ///< a point and the normal
  Color background, surface;
};

nb::ndarray<nb::numpy, std::uint8_t> picture(Renderer& renderer, const Look& look) {
  Image image;
  {
    const nb::gil_scoped_release released;
    const VolumeGrid& grid = renderer.grid();
    const Vec3 extent = grid.upper() - grid.lower();
    const ValueScale scale{window_from(look.window, renderer.values(), "window"), look.water,
                           std::max({extent.x, extent.y, extent.z})};
    VolumeRenderOptions o;
    o.mode = volume_mode_from(look.mode);
    o.step = look.step;
    o.gradient_opacity = look.light[0];
    o.shadows = look.light[1];
    o.occlusion = look.light[2];
    o.shaded = look.shaded;
    o.jitter = look.jitter;
    if (look.crop) {
      o.crop_low = vec((*look.crop)[0]);
      o.crop_high = vec((*look.crop)[1]);
    }
    for (const auto& [at, normal] : look.clips) o.clips.push_back({vec(at), vec(normal)});
    const ValueClasses classes = classes_of(renderer.values());
    o.iso = look.iso ? *look.iso : fitting_iso(classes);
    o.check();
    const Classifier classifier(
        look.transfer == "auto" ? fitting_transfer_function(classes, grid) : load_transfer_function(look.transfer),
        scale);
    const CameraRays rays = supersampled(camera_rays(look.camera, grid, look.width, look.height), look.antialias);
    const std::vector<double> found = renderer.render(rays, o, classifier);
    Finish finish;
    finish.map = look.map;
    const auto rgb = [](const Color& c) { return Rgb{c[0], c[1], c[2]}; };
    finish.background = rgb(look.background);
    finish.surface = rgb(look.surface);
    const PictureKind kind = picture_kind(o.mode);
    if (kind == PictureKind::values) finish.window = found_window(found, look.window, "window");
    image = shrunk(finish_picture(found, kind, rays, finish), look.antialias);
  }
  return pixels_of(image);
}

/// gl where it starts, else null: software. `needs_gl`: nothing else will do.
std::unique_ptr<Backend> picture_backend(const DeviceChoice& device, bool needs_gl) {
  if (device.name != "auto" && device.name != "gl" && (needs_gl || device.name != "cpu"))
    throw Unsupported("device", device.name + " makes no such pictures", needs_gl ? "choose gl" : "choose gl or cpu");
  if (device.name == "cpu") return nullptr;
  try {
    return make_backend("gl", device.options());
  } catch (const Failure&) {
    if (needs_gl || device.name == "gl") throw;
    return nullptr;
  }
}

std::unique_ptr<Renderer> volume_renderer(const VolumeGrid& grid, const FloatArray& values,
                                          const DeviceChoice& device) {
  auto volume = std::make_shared<const Volume>(volume_of(grid, values, "volume"));
  const nb::gil_scoped_release released;
  return make_renderer(std::move(volume), picture_backend(device, false));
}

FilterOptions filter_named(const std::string& name) {
  FilterOptions options;
  for (Parameter& p : describe(options))
    if (p.name == "filter") p.set(name, "filter");
  return options;
}

std::unique_ptr<Renderer> scan_renderer(const Source& source, const VolumeGrid& region, const std::string& filter,
                                        const DeviceChoice& device) {
  const FilterOptions options = filter_named(filter);
  const nb::gil_scoped_release released;
  SignalProgress progress;
  return make_renderer(*source.views, region, options, picture_backend(device, true), progress.watch());
}

/// A plane anywhere, as CutPlane: its middle, its normal and what is up in the picture; pixels as of divided_plane().
struct PlaneChoice {
  Point center, normal, up;
  double pixel;
  std::int64_t size;

  CutPlane divided(const VolumeGrid& box) const {
    CutPlane plane = oriented_plane(vec(normal), vec(up), "normal");
    plane.center = vec(center);
    return divided_plane(plane, box, pixel, size, "pixel");
  }
};

nb::ndarray<nb::numpy, float> values_on(const CutPlane& plane, std::vector<float> values) {
  return to_numpy(std::move(values), {static_cast<std::size_t>(plane.height), static_cast<std::size_t>(plane.width)});
}

nb::ndarray<nb::numpy, float> cut_of_volume(const VolumeGrid& grid, const FloatArray& values,
                                            const PlaneChoice& choice) {
  const Volume volume = volume_of(grid, values, "volume");
  const CutPlane plane = choice.divided(grid);
  std::vector<float> found(static_cast<std::size_t>(plane.width * plane.height));
  cut_volume(volume, plane, found);
  return values_on(plane, std::move(found));
}

nb::ndarray<nb::numpy, float> cut_of_scan(const Source& source, const VolumeGrid& box, const std::string& filter,
                                          const PlaneChoice& choice, const DeviceChoice& device) {
  const FilterOptions options = filter_named(filter);
  const CutPlane plane = choice.divided(box);
  std::vector<float> found(static_cast<std::size_t>(plane.width * plane.height));
  {
    const nb::gil_scoped_release released;
    SignalProgress progress;
    const auto cut = [&](Backend& backend) {
      cut_projections(backend, *source.views, options, plane, found, progress.watch());
    };
    make_backend(device.name, device.options(), cut);
  }
  return values_on(plane, std::move(found));
}

}  // namespace

void add_pictures(nb::module_& m) {
  m.def("save_png", &save_picture);
  m.def("load_png", &load_picture);
  m.def("plane", &plane_of, nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
  m.def("colorize", &colored);
  m.def("colormap_names", &colormap_names);
  m.def("volume_mode_names", &volume_mode_names);
  m.def("transfer_function_names", &transfer_function_names);
  nb::class_<Renderer>(m, "Renderer")
      .def_prop_ro("device", &Renderer::device)
      .def_prop_ro("grid", &Renderer::grid)
      .def(
          "picture",
          [](Renderer& renderer, const std::string& mode, const std::string& window, const std::string& transfer,
             const std::string& map, std::optional<double> iso, const std::array<double, 4>& camera,
             const Point& offset, std::array<std::int64_t, 2> size, std::int64_t antialias, double step,
             std::array<double, 3> light, bool shaded, bool jitter, double water,
             std::optional<std::array<Point, 2>> crop, std::vector<std::array<Point, 2>> clips, Color background,
             Color surface) {
            const Turntable t{camera[0], camera[1], camera[2], camera[3], vec(offset)};
            return picture(renderer, {mode, window, transfer, map, iso, t, size[0], size[1], antialias, step, light,
                                      shaded, jitter, water, crop, std::move(clips), background, surface});
          },
          nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg());
  m.def("volume_renderer", &volume_renderer);
  m.def("scan_renderer", &scan_renderer);
  nb::class_<PlaneChoice>(m, "Plane")
      .def("__init__", [](PlaneChoice* self, const Point& center, const Point& normal, const Point& up, double pixel,
                          std::int64_t size) {
        new (self) PlaneChoice{center, normal, up, pixel, size};
      });
  m.def("cut_of_volume", &cut_of_volume);
  m.def("cut_of_scan", &cut_of_scan);
}

}  // namespace backlit::python
