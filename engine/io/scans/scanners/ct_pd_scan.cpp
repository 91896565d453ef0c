// DICOM-CT-PD: the projections of a clinical scanner, a file a view: curved detector, helix, flying focal spot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/stack_source.hpp>
#include "io/dicom/ct_pd.hpp"
#include "io/header_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;
namespace ct_pd = dicom::ct_pd;
namespace tags = dicom::tags;

/// What the file of a view says.
struct Frame {
  fs::path file;
  std::int64_t offset = 0;  ///< of the pixels
  dicom::PixelFormat pixels;
  double angle = 0, z = 0, radius = 0, distance = 0;   ///< of the detector's focal centre: rad, mm
  double spot_angle = 0, spot_z = 0, spot_radius = 0;  ///< by which the focal spot leaves it: rad, mm
  double central_column = 0, central_row = 0;          ///< counted from 1
  std::int64_t instance = 0;
  std::vector<float> photons;  ///< of each column, without an object; moved to the ScanFile
};

Frame read_frame(const fs::path& path, const dicom::DataSet& set) {
  Frame f;
  f.file = path;
  f.pixels = dicom::pixel_format(set);
  f.offset = set.pixel_offset();
  f.angle = set.require(ct_pd::angle, 'f', "angle of the detector's focal centre");
  f.z = set.require(ct_pd::z, 'f', "axial position of the detector's focal centre");
  f.radius = set.require(ct_pd::radius, 'f', "distance of the detector's focal centre from the axis");
  f.distance = set.require(ct_pd::distance, 'f', "distance of the detector");
  const auto central = set.require_many(ct_pd::central_element, 'f', 2, "central element of the detector");
  f.central_column = central[0];
  f.central_row = central[1];
  f.spot_angle = set.number(ct_pd::spot_angle, 'f').value_or(0);
  f.spot_z = set.number(ct_pd::spot_z, 'f').value_or(0);
  f.spot_radius = set.number(ct_pd::spot_radius, 'f').value_or(0);
  for (const double n : set.numbers(ct_pd::photons, 'f')) f.photons.push_back(static_cast<float>(n));
  f.instance = set.integer(tags::instance_number, 't', 0);
  if (!(f.radius > 0) || !(f.distance > f.radius))
    throw InputError(set.file(),
                     fmt::format("the axis is {} mm from the focal centre, the detector {}", f.radius, f.distance),
                     "the file is damaged");
  return f;
}

std::vector<Frame> read_frames(const std::vector<fs::path>& files) {
  std::vector<Frame> frames(files.size());
  parallel_for(static_cast<std::int64_t>(files.size()), [&](std::int64_t i) {
    const auto index = static_cast<std::size_t>(i);
    frames[index] = read_frame(files[index], dicom::DataSet(files[index]));
  });
  std::ranges::stable_sort(frames, {}, &Frame::instance);
  return frames;
}

/// Where the columns and rows of the images are.
struct Layout {
  Detector detector;
  bool transposed = false;  ///< a column of the detector is a row of the image
  bool mirrored_columns = false, mirrored_rows = false;
};

/// The frame is the patient's (LPS): the source of angle 0 in front of the body, angles growing to its left, columns
/// running the other way, rows to the head. So ODL's reader has it for Siemens's scanners, whose images it compares.
View view_of(const Frame& f, const Layout& layout) {
  const Detector& d = layout.detector;
  const double phi = f.angle - 0.5 * pi;
  const auto out = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 0); };
  const Vec3 to_source = out(phi);
  const Vec3 along_u = Vec3(std::sin(phi), -std::cos(phi), 0) * (layout.mirrored_columns ? -1.0 : 1.0);
  const double up = layout.mirrored_rows ? -1 : 1;
  const Vec3 focal_center = f.radius * to_source + Vec3(0, 0, f.z);
  const double column = d.middle_column() - (f.central_column - 1), row = d.middle_row() - (f.central_row - 1);
  View view;
  view.source = (f.radius + f.spot_radius) * out(phi + f.spot_angle) + Vec3(0, 0, f.z + f.spot_z);
  view.v = Vec3(0, 0, up * d.pixel_v);
  if (d.shape == Detector::Shape::curved) {
    const double alpha = column * d.pixel_u / f.distance;
    view.center = focal_center + f.distance * (std::sin(alpha) * along_u - std::cos(alpha) * to_source);
    view.u = d.pixel_u * (std::cos(alpha) * along_u + std::sin(alpha) * to_source);
  } else {
    view.center = focal_center - f.distance * to_source + column * d.pixel_u * along_u;
    view.u = d.pixel_u * along_u;
  }
  view.center += row * view.v;
  return view;
}

class FrameStack final : public StackReader {
 public:
  FrameStack(std::vector<Frame> frames, const Layout& layout, std::string where)
      : frames_(std::move(frames)), transposed_(layout.transposed), where_(std::move(where)) {
    info_.columns = layout.detector.columns;
    info_.rows = layout.detector.rows;
    info_.images = static_cast<std::int64_t>(frames_.size());
    info_.type = fmt::format("u{}", frames_.front().pixels.bits_allocated);
    info_.format = "ct-pd";
  }
  const StackInfo& info() const override { return info_; }
  /// Values are rescaled line integrals, and no counts.
  bool read_counts(std::int64_t, std::int64_t, std::span<std::uint16_t>) override { return false; }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), where_);
    const auto pixels = static_cast<std::size_t>(info_.pixels());
    parallel_for(count, [&](std::int64_t i) {
      const Frame& f = frames_[static_cast<std::size_t>(first + i)];
      const auto image = out.subspan(static_cast<std::size_t>(i) * pixels, pixels);
      if (!transposed_) return dicom::read_pixels(f.file, f.offset, f.pixels, image);
      std::vector<float> stored(pixels);
      dicom::read_pixels(f.file, f.offset, f.pixels, stored);
      for (std::int64_t row = 0; row < info_.rows; ++row)
        for (std::int64_t column = 0; column < info_.columns; ++column)
          image[static_cast<std::size_t>(row * info_.columns + column)] =
              stored[static_cast<std::size_t>(column * info_.rows + row)];
    });
  }

 private:
  std::vector<Frame> frames_;
  bool transposed_;
  std::string where_;
  StackInfo info_;
};

/// The place of an element in the first view's file, for facts.
std::string source_of(const dicom::DataSet& set, dicom::Tag tag) {
  return fmt::format("{}, {}", fs::path(set.file()).filename().string(), dicom::tag_text(tag));
}

Layout read_layout(const dicom::DataSet& set, const std::vector<Frame>& frames, HeaderFields& fields) {
  Layout layout;
  Detector& d = layout.detector;
  const auto positive = [&](dicom::Tag tag, const char* meaning) {
    const double value = set.require(tag, 'f', meaning);
    if (!(value > 0)) throw InputError(set.file(), fmt::format("{} is not positive: {}", meaning, value));
    fields.note_fact(meaning, with_unit(value, "mm"), source_of(set, tag));
    return value;
  };
  const dicom::PixelFormat& image = frames.front().pixels;
  d.rows = set.integer(ct_pd::rows, 'u', 0);
  d.columns = set.integer(ct_pd::columns, 'u', 0);
  layout.transposed = image.rows == d.columns && image.columns == d.rows;
  if (!layout.transposed && (image.rows != d.rows || image.columns != d.columns))
    throw InputError(
        set.file(),
        fmt::format("its image is {} x {}, its detector {} x {}", image.columns, image.rows, d.columns, d.rows),
        "the file is damaged");
  fields.note_fact("columns, rows", fmt::format("{} x {} px", d.columns, d.rows), source_of(set, ct_pd::columns));
  d.pixel_u = positive(ct_pd::spacing_u, "width of a column");
  d.pixel_v = positive(ct_pd::spacing_v, "height of a row");
  const std::string shape = set.text(ct_pd::shape);
  if (shape == "SPHERICAL")
    throw InputError(set.file(), "its detector is spherical", "flat and cylindrical ones are read");
  d.shape = shape == "FLAT" ? Detector::Shape::flat : Detector::Shape::curved;
  fields.note_fact("shape of the detector", shape.empty() ? "CYLINDRICAL (assumed)" : shape,
                   source_of(set, ct_pd::shape));
  const bool jumps = std::ranges::any_of(
      frames, [](const Frame& f) { return f.spot_angle != 0 || f.spot_z != 0 || f.spot_radius != 0; });
  if (d.shape == Detector::Shape::curved && jumps) d.radius = frames.front().distance;  // not about the focal spot
  for (const Frame& f : frames) {
    if (f.pixels.rows != image.rows || f.pixels.columns != image.columns)
      throw InputError(f.file.string(), "is of another size than the first view", "are these views of one scan?");
    if (std::abs(f.distance - frames.front().distance) > 1e-3 * f.distance)
      throw InputError(f.file.string(), "its detector is at another distance than in the first view",
                       "are these views of one scan?");
  }
  return layout;
}

void note_geometry(const std::vector<Frame>& frames, const dicom::DataSet& set, HeaderFields& fields) {
  const Frame &first = frames.front(), &last = frames.back();
  const auto source = [&](dicom::Tag tag) { return source_of(set, tag); };
  fields.note_fact("source to axis", with_unit(first.radius, "mm"), source(ct_pd::radius));
  fields.note_fact("source to detector", with_unit(first.distance, "mm"), source(ct_pd::distance));
  fields.note_fact("central column and row, counted from 1",
                   fmt::format("{:.6g}, {:.6g}", first.central_column, first.central_row),
                   source(ct_pd::central_element));
  double turned = 0;
  for (std::size_t i = 1; i < frames.size(); ++i)
    turned += std::remainder(frames[i].angle - frames[i - 1].angle, 2 * pi);
  fields.note_fact("angles",
                   fmt::format("{:.6g} turns from {:.6g} deg", turned / (2 * pi), first.angle / radians_per_degree),
                   source(ct_pd::angle));
  fields.note_fact("axial positions", fmt::format("{:.6g} to {:.6g} mm", first.z, last.z), source(ct_pd::z));
  std::set<std::tuple<double, double, double>> spots;
  for (const Frame& f : frames) spots.insert({f.spot_angle, f.spot_z, f.spot_radius});
  double most = 0;
  for (const auto& [a, z, r] : spots) most = std::max(most, std::hypot(a * first.radius, z, r));
  const std::string mode = set.text(ct_pd::spot_mode);
  fields.note_fact("focal spot",
                   most == 0 ? "at rest" : fmt::format("{} places, up to {:.4g} mm away", spots.size(), most),
                   mode.empty() ? source(ct_pd::spot_angle) : fmt::format("{}, {}", source(ct_pd::spot_mode), mode));
}

/// 1/mm. The manual has 1/mm, and some writers 1/cm: water is between 0.015 and 0.03/mm.
std::optional<double> water_of(const dicom::DataSet& set, HeaderFields& fields) {
  auto water = set.number(ct_pd::water, 't');
  if (!water) return {};
  if (*water > 0.1 && *water < 0.5) *water *= 0.1;
  if (!(*water > 0.005 && *water < 0.1)) return {};
  fields.note_fact("attenuation of water", with_unit(*water, "1/mm"), source_of(set, ct_pd::water));
  return water;
}

/// Takes the photons of all views; none when a view has none that make sense.
void take_photons(std::vector<Frame>& frames, ScanFile& file, HeaderFields& fields) {
  const auto columns = static_cast<std::size_t>(file.scan.detector.columns);
  const bool some = std::ranges::any_of(frames, [](const Frame& f) { return !f.photons.empty(); });
  const bool all = std::ranges::all_of(frames, [&](const Frame& f) {
    return f.photons.size() == columns && std::ranges::all_of(f.photons, [](float n) { return n > 0 && n < 1e30f; });
  });
  for (Frame& f : frames) {
    if (all) file.photons.insert(file.photons.end(), f.photons.begin(), f.photons.end());
    f.photons = {};
  }
  if (all) {
    const auto [fewest, most] = std::ranges::minmax(file.photons);
    fields.note_fact("photons of a column without an object", fmt::format("{:.4g} to {:.4g}", fewest, most),
                     dicom::tag_text(ct_pd::photons) + ", weights of pwls");
  } else if (some) {
    file.notes.push_back(fmt::format("photon statistics {} are not a positive number a column in every view: not used",
                                     dicom::tag_text(ct_pd::photons)));
  }
}

/// Contradicted columns or rows run the other way.
DirectionReversal reversal_of(const std::vector<Frame>& frames, const Layout& layout) {
  DirectionReversal r;
  r.across = {"columns", "how columns run", "the turning sense"};
  r.along = {"rows", "how rows run", "the travel of the table"};
  r.apply = [frames, layout](ScanFile& file, bool columns, bool rows) {
    Layout mirrored = layout;
    mirrored.mirrored_columns = columns;
    mirrored.mirrored_rows = rows;
    for (std::size_t i = 0; i < frames.size(); ++i) file.scan.views[i] = view_of(frames[i], mirrored);
  };
  return r;
}

ScanFile load_ct_pd(const fs::path& path, bool) {
  std::error_code error;
  const fs::path folder = fs::is_directory(path, error) ? path : path.parent_path();
  std::vector<fs::path> files = dicom::dicom_files(folder.empty() ? "." : folder);
  if (files.empty()) throw InputError(folder.string(), "holds no DICOM files");
  std::vector<Frame> frames = read_frames(files);
  const dicom::DataSet set(frames.front().file);
  read_frame(frames.front().file, set);  // so that its fields count as used
  HeaderFields fields(path.string());
  const Layout layout = read_layout(set, frames, fields);
  note_geometry(frames, set, fields);
  if (const std::string log = set.text(ct_pd::logarithm); log == "NO")
    throw InputError(set.file(), "its values are counts, not line integrals", "the flag (7039,1009) is NO");

  ScanFile file;
  file.path = path;
  file.patient_frame = true;
  file.scan.detector = layout.detector;
  for (const Frame& f : frames) {
    file.scan.views.push_back(view_of(f, layout));
    file.angles_deg.push_back((f.angle - 0.5 * pi) / radians_per_degree);
  }
  file.scan.check(path.c_str());
  file.water = water_of(set, fields);
  take_photons(frames, file, fields);
  fields.add_to(file);
  file.unused = set.unused();
  file.inputs = std::move(files);
  file.projections = std::make_shared<StackSource>(std::make_unique<FrameStack>(frames, layout, folder.string()),
                                                   folder.string(), file.scan, false);
  file.reversal = reversal_of(frames, layout);
  file.trajectory_toml = geometry_toml(file.scan);
  return file;
}

}  // namespace

ScanFormat ct_pd_format() {
  ScanFormat f;
  f.name = "ct-pd";
  f.title = "DICOM-CT-PD";
  f.extensions = {".dcm"};
  f.folders = true;
  f.recognizes = [](const FileFront& front) {
    if (!front.bytes.empty()) return dicom::is_dicom(front.bytes) && dicom::is_ct_pd(front.path);
    const auto file = dicom::a_dicom_file(front.path);
    return file && dicom::is_ct_pd(*file);
  };
  f.load = load_ct_pd;
  f.notes =
      "a folder of clinical projections (LDCT-and-Projection-data): curved detector, helix, flying focal spot; tested "
      "on "
      "files made from the description";
  return f;
}

}  // namespace backlit::formats
