// RTK's ThreeDCircularProjectionGeometry (openrtk.org, documentation/docs/Geometry.md): nine parameters a view.
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/io/scans/geometry_format.hpp>
#include "io/text_fields.hpp"

namespace backlit {
namespace {

using tinyxml2::XMLElement;

/// RTK's parameters, in the order of `names`; mm and degrees. RTK turns the scanner by gantry about its y, then by
/// out-of-plane about x, then by in-plane about z. The other parameters are coordinates in the turned frame.
enum Parameter { sid, sdd, source_x, source_y, projection_x, projection_y, out_of_plane, in_plane, gantry, parameters };
constexpr const char* names[parameters] = {
    "SourceToIsocenterDistance", "SourceToDetectorDistance", "SourceOffsetX", "SourceOffsetY", "ProjectionOffsetX",
    "ProjectionOffsetY",         "OutOfPlaneAngle",          "InPlaneAngle",  "GantryAngle"};
using RtkView = std::array<double, parameters>;

/// The turned frame's axes in our world.
struct Frame {
  Vec3 x, y, z;
};

Vec3 from_rtk(const Vec3& a) { return {a.z, a.x, a.y}; }
Vec3 to_rtk(const Vec3& a) { return {a.y, a.z, a.x}; }

Frame frame_of(const RtkView& r) {
  const double g = r[gantry] * radians_per_degree, o = r[out_of_plane] * radians_per_degree,
               i = r[in_plane] * radians_per_degree;
  // Columns of Ry(g) Rx(o) Rz(i).
  const auto turn = [&](const Vec3& a) {
    const Vec3 b(std::cos(i) * a.x - std::sin(i) * a.y, std::sin(i) * a.x + std::cos(i) * a.y, a.z);
    const Vec3 c(b.x, std::cos(o) * b.y - std::sin(o) * b.z, std::sin(o) * b.y + std::cos(o) * b.z);
    return from_rtk({std::cos(g) * c.x + std::sin(g) * c.z, c.y, -std::sin(g) * c.x + std::cos(g) * c.z});
  };
  return {turn({1, 0, 0}), turn({0, 1, 0}), turn({0, 0, 1})};
}

/// The inverse of frame_of().
void set_angles(RtkView& r, const Frame& frame) {
  const Vec3 x = to_rtk(frame.x), y = to_rtk(frame.y), z = to_rtk(frame.z);
  const bool upright = std::hypot(z.x, z.z) > 1e-12;  // otherwise gantry and in-plane are rotations about the same axis
  const double g = upright ? std::atan2(z.x, z.z) : std::atan2(-x.z, x.x);
  const double o = std::atan2(-z.y, std::hypot(z.x, z.z)), i = upright ? std::atan2(x.y, y.y) : 0;
  const auto degrees = [](double radians) {
    const double angle = radians / radians_per_degree;
    return angle < -1e-12 ? 360 + angle : angle;
  };
  r[gantry] = degrees(g);
  r[out_of_plane] = degrees(o);
  r[in_plane] = degrees(i);
}

/// The view with a flat detector and pixels of 1 mm.
View flat_view(const RtkView& r) {
  const Frame f = frame_of(r);
  View view;
  view.u = f.x;
  view.v = f.y;
  view.center = r[projection_x] * f.x + r[projection_y] * f.y;
  if (r[sdd] == 0) {
    view.beam = Beam::parallel;
    view.direction = -f.z;
  } else {
    view.source = r[source_x] * f.x + r[source_y] * f.y + r[sid] * f.z;
    view.center += (r[sid] - r[sdd]) * f.z;
  }
  return view;
}

/// RTK bends the detector about a line parallel to the turned frame's y, in the plane x = 0 for any offsets.
/// ProjectionOffsetX counts along the arc.
View view_of(const RtkView& r, const Detector& d) {
  View view = flat_view(r);
  if (d.shape == Detector::Shape::curved) {
    const Frame f = frame_of(r);
    const double radius = d.radius > 0 ? d.radius : r[sdd];
    const double angle = r[projection_x] / radius;
    view.center = radius * std::sin(angle) * f.x + r[projection_y] * f.y +
                  (r[sid] - r[sdd] + radius * (1 - std::cos(angle))) * f.z;
    view.u = std::cos(angle) * f.x + std::sin(angle) * f.z;
  }
  view.u *= d.pixel_u;
  view.v *= d.pixel_v;
  return view;
}

/// RTK's matrix of a view: RTK's (x, y, z, 1) -> mm on the detector, its third row minus the depth.
std::array<double, 12> matrix_of(const RtkView& r) {
  Detector point;
  point.columns = point.rows = 1;
  const ProjectionMatrix p = projection_matrix(point, flat_view(r));
  const double sign = r[sdd] > 0 ? -1 : 1;
  std::array<double, 12> m{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 4; ++column)
      m[4 * row + column] = sign * p[column == 3 ? 3 : (static_cast<int>(column) + 1) % 3][static_cast<int>(row)];
  return m;
}

class Reader {
 public:
  Reader(const GeometryText& source, Detector& detector)
      : name_(source.name), middle_(source.image_middle), detector_(detector) {
    if (document_.Parse(source.text.data(), source.text.size()) != tinyxml2::XML_SUCCESS)
      throw InputError(fmt::format("{}:{}", name_, document_.ErrorLineNum()),
                       fmt::format("broken XML ({})", document_.ErrorName()), "is the file complete?");
  }

  std::vector<View> read() {
    const XMLElement* root = document_.RootElement();
    if (!root || std::strcmp(root->Name(), "RTKThreeDCircularGeometry") != 0)
      throw InputError(name_, "it holds no <RTKThreeDCircularGeometry>", "give a geometry written by RTK");
    const char* version = root->Attribute("version");
    if (!version || (std::strcmp(version, "2") != 0 && std::strcmp(version, "3") != 0))
      throw InputError(at(root), fmt::format("version '{}' of RTK's geometry", version ? version : ""),
                       "versions 2 and 3 are known");
    if (const XMLElement* e = root->FirstChildElement("RadiusCylindricalDetector")) read_radius(e);
    std::vector<View> views;
    for (const XMLElement* e = root->FirstChildElement(); e; e = e->NextSiblingElement()) {
      if (std::strcmp(e->Name(), "Projection") == 0)
        views.push_back(read_projection(e, views.size()));
      else if (std::strcmp(e->Name(), "RadiusCylindricalDetector") != 0)
        read_parameter(e);
    }
    return views;
  }

 private:
  std::string at(const XMLElement* e) const { return fmt::format("{}:{}", name_, e->GetLineNum()); }

  std::vector<double> numbers(const XMLElement* e, std::size_t count) const {
    return parse_numbers(e->GetText() ? e->GetText() : "", count, at(e), e->Name());
  }

  void read_radius(const XMLElement* e) {
    const double radius = numbers(e, 1)[0];
    if (radius < 0) throw InputError(at(e), fmt::format("RadiusCylindricalDetector of {} mm", radius));
    detector_.shape = radius > 0 ? Detector::Shape::curved : Detector::Shape::flat;
    detector_.radius = radius;
  }

  /// As in RTK, a parameter keeps its value until it is given again. Collimation does not change rays and is ignored.
  void read_parameter(const XMLElement* e) {
    const std::string key = std::strcmp(e->Name(), "Angle") == 0 ? names[gantry] : e->Name();
    for (std::size_t i = 0; i < parameters; ++i)
      if (key == names[i]) {
        value_[i] = numbers(e, 1)[0];
        given_[i] = true;
        return;
      }
    if (!key.starts_with("Collimation"))
      throw InputError(at(e), fmt::format("<{}> is not known", key.substr(0, 40)), "give a geometry written by RTK");
  }

  View read_projection(const XMLElement* projection, std::size_t index) {
    std::optional<std::vector<double>> matrix;
    for (const XMLElement* e = projection->FirstChildElement(); e; e = e->NextSiblingElement()) {
      if (std::strcmp(e->Name(), "Matrix") == 0)
        matrix = numbers(e, 12);
      else
        read_parameter(e);
    }
    if (!given_[gantry] || (value_[sdd] != 0 && !given_[sid]))
      throw InputError(at(projection), fmt::format("view {} has no {}", index, names[given_[gantry] ? sid : gantry]));
    if (detector_.shape == Detector::Shape::curved && !(value_[sdd] > 0))
      throw InputError(at(projection), fmt::format("view {} is curved without a SourceToDetectorDistance", index));
    if (matrix) check_matrix(*matrix, index, at(projection));
    RtkView placed = value_;
    placed[projection_x] += middle_.x;
    placed[projection_y] += middle_.y;
    return view_of(placed, detector_);
  }

  /// Compares the stored matrix with the computed one. RTK itself allows 0.001; products of large numbers are less
  /// precise.
  void check_matrix(const std::vector<double>& stored, std::size_t index, const std::string& where) const {
    const auto computed = matrix_of(value_);
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const double difference = std::abs(stored[i] - computed[i]);
      if (!(difference <= 1e-3 + 1e-9 * std::abs(stored[i])))
        throw InputError(where,
                         fmt::format("view {}: its <Matrix> and its parameters disagree: entry {},{} is {}, "
                                     "the parameters give {}",
                                     index, i / 4, i % 4, stored[i], computed[i]),
                         "write the file again with RTK");
    }
  }

  std::string name_;
  glm::dvec2 middle_;  ///< middle of the images, in their headers' coordinates
  Detector& detector_;
  tinyxml2::XMLDocument document_;
  RtkView value_{};
  std::array<bool, parameters> given_{};
};

[[noreturn]] void cannot_hold(const std::string& name, std::size_t index, const char* what) {
  throw Unsupported(name, fmt::format("RTK XML cannot hold view {}: {}", index, what), "write an ASTRA table (.txt)");
}

/// The turned frame of a curved view: its z goes through the cylinder's axis, its y along v. Sets ProjectionOffsetX.
Frame curved_frame(RtkView& r, const View& view, double radius, const std::string& name, std::size_t index) {
  const Vec3 normal = detector_normal(view).normal, along_v = glm::normalize(view.v);
  if (glm::dot(glm::cross(view.u, view.v), normal) > 0) cannot_hold(name, index, "its curved detector is mirrored");
  Vec3 axis = view.center - radius * normal;
  axis -= glm::dot(axis, along_v) * along_v;
  const double distance = glm::length(axis);
  Vec3 z = distance > 1e-9 * radius ? axis / distance : -normal;
  if (glm::dot(z, normal) > 0) z = -z;
  const Vec3 x = glm::cross(along_v, z);
  r[projection_x] = radius * std::atan2(glm::dot(normal, x), -glm::dot(normal, z));
  r[sdd] = glm::dot(view.source, z) - glm::dot(axis, z) + radius;
  return {x, along_v, z};
}

RtkView rtk_view_of(const View& view, const Detector& d, const std::string& name, std::size_t index) {
  const double width = glm::length(view.u), height = glm::length(view.v);
  if (std::abs(glm::dot(view.u, view.v)) > 1e-9 * width * height)
    cannot_hold(name, index, "u and v are not orthogonal");
  if (std::abs(width - d.pixel_u) > 1e-9 * width || std::abs(height - d.pixel_v) > 1e-9 * height)
    cannot_hold(name, index, "its pixels differ from the detector's");
  RtkView r{};
  Frame f{view.u / width, view.v / height, glm::cross(view.u, view.v) / (width * height)};
  r[projection_x] = glm::dot(view.center, f.x);
  if (view.beam == Beam::parallel) {
    if (glm::length(view.direction + f.z) > 1e-9)
      cannot_hold(name, index, "its rays do not run against u x v, across the detector");
    r[sid] = 1000;  // the value that RTK writes; it has no meaning for a parallel beam
  } else {
    r[sdd] = glm::dot(view.source - view.center, f.z);
    if (d.shape == Detector::Shape::curved) f = curved_frame(r, view, cylinder_radius(d, view), name, index);
    r[sid] = glm::dot(view.source, f.z);
    r[source_x] = glm::dot(view.source, f.x);
    r[source_y] = glm::dot(view.source, f.y);
  }
  r[projection_y] = glm::dot(view.center, f.y);
  set_angles(r, f);
  return r;
}

/// Whether two values are equal except for rounding. Values common to all views are written once.
bool same(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max({1.0, std::abs(a), std::abs(b)}); }

std::string write_rtk_xml(const Scan& scan, const std::string& name) {
  std::vector<RtkView> views;
  const bool curved = scan.detector.shape == Detector::Shape::curved;
  if (curved && scan.beam() == Beam::parallel)
    throw Unsupported(name, "RTK XML holds no curved detector in a parallel beam", "use a flat detector");
  for (std::size_t i = 0; i < scan.views.size(); ++i)
    views.push_back(rtk_view_of(scan.views[i], scan.detector, name, i));
  std::string text = "<?xml version=\"1.0\"?>\n<!DOCTYPE RTKGEOMETRY>\n<RTKThreeDCircularGeometry version=\"3\">\n";
  const auto write = [&](const char* indent, const char* key, double value) {
    text += fmt::format("{0}<{1}>{2:.17g}</{1}>\n", indent, key, value);
  };
  std::array<bool, parameters> common{};
  for (std::size_t p = 0; p < gantry; ++p) {
    const double first = views[0][p];
    common[p] = std::all_of(views.begin(), views.end(), [&](const RtkView& r) { return same(r[p], first); });
    if (common[p] && !same(first, 0)) write("  ", names[p], first);
  }
  if (curved) {
    const double radius = cylinder_radius(scan.detector, scan.views[0]);
    for (std::size_t i = 0; i < scan.views.size(); ++i)
      if (std::abs(cylinder_radius(scan.detector, scan.views[i]) - radius) > 1e-9 * radius)
        cannot_hold(name, i, "its detector's radius differs from the first view's");
    write("  ", "RadiusCylindricalDetector", radius);
  }
  for (const RtkView& r : views) {
    text += "  <Projection>\n";
    for (std::size_t p = 0; p < parameters; ++p)
      if (!common[p]) write("    ", names[p], r[p]);
    const auto m = matrix_of(r);
    text += "    <Matrix>\n";
    for (std::size_t row = 0; row < 3; ++row)
      text += fmt::format("      {:.17g} {:.17g} {:.17g} {:.17g}\n", m[4 * row], m[4 * row + 1], m[4 * row + 2],
                          m[4 * row + 3]);
    text += "    </Matrix>\n  </Projection>\n";
  }
  return text + "</RTKThreeDCircularGeometry>\n";
}

bool is_xml(const FileFront& front) {
  const std::string_view text(front.bytes);
  return trimmed(text.substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0)).starts_with('<');
}

}  // namespace

namespace formats {

GeometryFormat rtk_xml_format() {
  GeometryFormat f;
  f.name = "rtk";
  f.title = "RTK XML";
  f.extensions = f.saved_as = {".xml"};
  f.recognizes = is_xml;
  f.read = [](const GeometryText& text, Detector& detector) { return Reader(text, detector).read(); };
  f.write = write_rtk_xml;
  f.image_frame_counts = true;
  f.notes = "versions 2 and 3; pixels and their position come from the projections' headers";
  return f;
}

}  // namespace formats
}  // namespace backlit
