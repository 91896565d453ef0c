#include "model/state_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/io/toml_reader.hpp>
#include "core/find_name.hpp"

namespace backlit::viewer {
namespace fs = std::filesystem;
namespace {

std::string toml_value(const Parameter& p) {
  struct Writer {
    std::string operator()(const bool* v) const { return *v ? "true" : "false"; }
    std::string operator()(const std::int64_t* v) const { return fmt::format("{}", *v); }
    std::string operator()(const double* v) const { return toml_number(*v); }
    std::string operator()(const std::string* v) const { return toml_text(*v); }
    std::string operator()(const Choice&) const { return toml_text(p.text()); }
    std::string operator()(const Written&) const { return toml_text(p.text()); }
    const Parameter& p;
  };
  return std::visit(Writer{p}, p.target);
}

std::string toml_vector(const Vec3& v) { return toml_numbers({v.x, v.y, v.z}); }

Parameters describe(Turntable& c) {
  return {{"azimuth", &c.azimuth, ""}, {"elevation", &c.elevation, ""}, {"fov", &c.fov, ""}, {"zoom", &c.zoom, ""}};
}

Parameters describe(IsoSurface& s) {
  return {{"value", &s.value, ""}, {"opacity", &s.opacity, ""}, {"color", &s.color, ""}};
}

Parameters describe(Material& m) {
  return {{"name", &m.name, ""},
          {"low", &m.low, ""},
          {"high", &m.high, ""},
          {"opacity", &m.opacity, ""},
          {"color", &m.color, ""}};
}

Parameters describe(NamedLayout& l) {
  return {{"name", &l.name, ""},
          {"panes", &l.panes, ""},
          {"large", &l.large, ""},
          {"strip", &l.strip, ""},
          {"oblique", &l.oblique, ""},
          {"show_panels", &l.show_panels, ""},
          {"column_share", &l.column_share, ""},
          {"row_share", &l.row_share, ""},
          {"left_width", &l.left_width, ""},
          {"right_width", &l.right_width, ""}};
}

/// One of an array of tables.
template <class T>
std::string toml_table(const char* name, T item) {
  return fmt::format("\n[[{}]]\n{}", name, toml_lines(describe(item)));
}

template <class T>
T read_table(const TomlTable& table) {
  T item;
  read_parameters(table, describe(item));
  return item;
}

std::string measurement_toml(const Measurement& m) {
  std::vector<double> numbers;
  for (const Vec3& p : m.points) numbers.insert(numbers.end(), {p.x, p.y, p.z});
  const std::string text = m.text.empty() ? "" : fmt::format("text = {}\n", toml_text(m.text));
  return fmt::format("\n[[measurement]]\nkind = {}\npoints = {}\n{}",
                     toml_text(measurement_names()[static_cast<std::size_t>(m.kind)]), toml_numbers(numbers), text);
}

/// Balls follow each other, five numbers each: x y z radius, and 1 where it was added, else 0.
std::string brush_toml(const std::vector<BrushBall>& balls) {
  std::vector<double> numbers;
  for (const BrushBall& b : balls)
    numbers.insert(numbers.end(), {b.center.x, b.center.y, b.center.z, b.radius, b.added ? 1.0 : 0.0});
  return fmt::format("\n[brush]\nballs = {}\n", toml_numbers(numbers));
}

void read_value(const TomlTable& table, Parameter& p) {
  const auto take = [&](auto* target, const auto& value) {
    if (value) *target = *value;
  };
  struct Reader {
    const TomlTable& table;
    const std::string& name;
    decltype(take)& put;
    void operator()(bool* t) const { put(t, table.boolean(name)); }
    void operator()(std::int64_t* t) const { put(t, table.integer(name)); }
    void operator()(double* t) const { put(t, table.number(name)); }
    void operator()(std::string* t) const { put(t, table.text(name)); }
    void operator()(const Choice&) const {}
    void operator()(const Written&) const {}
  };
  std::visit(Reader{table, p.name, take}, p.target);
  try {
    if (std::holds_alternative<Choice>(p.target) || std::holds_alternative<Written>(p.target))
      if (const auto value = table.text(p.name)) p.set(*value);
    p.check();
  } catch (const InputError& error) {
    table.fail(p.name, error.what());
  }
}

Vec3 read_vector(const TomlTable& table, const char* key, const Vec3& otherwise) {
  const auto numbers = table.numbers(key, 3);
  return numbers ? Vec3((*numbers)[0], (*numbers)[1], (*numbers)[2]) : otherwise;
}

RenderPlane read_clip(const TomlTable& table) {
  table.allow_only({"point", "normal"});
  return {read_vector(table, "point", Vec3(0)), read_vector(table, "normal", Vec3(0, 0, 1))};
}

Turntable read_camera(const TomlTable& table) {
  Turntable c;
  read_parameters(table, describe(c), {"offset"});
  c.offset = read_vector(table, "offset", c.offset);
  return c;
}

Measurement read_measurement(const TomlTable& table) {
  table.allow_only({"kind", "points", "text"});
  const auto kind = table.text("kind");
  const auto& names = measurement_names();
  const auto found = kind ? std::find(names.begin(), names.end(), *kind) : names.end();
  if (found == names.end()) table.fail("kind", "must be distance, angle, profile, region or note");
  Measurement m;
  m.kind = static_cast<Measurement::Kind>(found - names.begin());
  m.text = table.text("text").value_or("");
  const auto numbers = table.numbers("points", 3 * point_count(m.kind));
  if (!numbers) table.fail("points", "is missing");
  for (std::size_t i = 0; i < numbers->size(); i += 3)
    m.points.emplace_back((*numbers)[i], (*numbers)[i + 1], (*numbers)[i + 2]);
  return m;
}

std::vector<BrushBall> read_brush(const TomlTable& table) {
  table.allow_only({"balls"});
  const std::vector<double> n = table.numbers("balls").value_or(std::vector<double>{});
  if (n.size() % 5 != 0) table.fail("balls", "must be five numbers each: x, y, z, radius, and 1 or 0");
  std::vector<BrushBall> balls;
  for (std::size_t i = 0; i < n.size(); i += 5) {
    if (!(n[i + 3] > 0)) table.fail("balls", fmt::format("a radius of {}", n[i + 3]));
    balls.push_back({Vec3(n[i], n[i + 1], n[i + 2]), n[i + 3], n[i + 4] != 0});
  }
  return balls;
}

/// Files near the session are named from where it lies; those far away keep their full names: a chain of ".." would
/// break with the first move.
std::string named_from(const std::string& file, const fs::path& folder) {
  if (file.empty() || file.starts_with("demo:")) return file;
  std::error_code error;
  const fs::path near = fs::relative(fs::absolute(file), folder, error);
  return !error && !near.empty() && *near.begin() != ".." ? near.string() : fs::absolute(file).string();
}

std::string found_from(const std::string& file, const fs::path& session) {
  if (file.empty() || file.starts_with("demo:") || !fs::path(file).is_relative()) return file;
  return (fs::absolute(session).parent_path() / file).lexically_normal().string();
}

}  // namespace

std::string toml_lines(const Parameters& list) {
  std::string text;
  for (const Parameter& p : list) text += fmt::format("{} = {}\n", p.name, toml_value(p));
  return text;
}

void read_parameters(const TomlTable& table, Parameters list, std::vector<std::string_view> others) {
  for (const Parameter& p : list) others.push_back(p.name);
  table.allow_only(others);
  for (Parameter& p : list) read_value(table, p);
}

std::string layout_toml(const NamedLayout& l) { return toml_table("named_layout", l); }
NamedLayout read_layout(const TomlTable& table) { return read_table<NamedLayout>(table); }

std::string to_toml(const ViewState& state) {
  ViewState copy = state, plain, fresh;
  fresh.recon.method = Method(state.recon.method.name());
  const auto sections = describe(copy), usual = describe(plain), defaults = describe(fresh);
  std::string text = "# A session of backlit-view.\n";
  for (std::size_t s = 0; s < sections.size(); ++s) {
    std::string lines;
    for (std::size_t i = 0; i < sections[s].parameters.size(); ++i) {
      const Parameter& p = sections[s].parameters[i];
      const Parameter& unset = (p.name == "method" ? usual : defaults)[s].parameters[i];
      if (const std::string value = toml_value(p); value != toml_value(unset))
        lines += fmt::format("{} = {}\n", p.name, value);
    }
    if (!lines.empty()) text += fmt::format("\n[{}]\n{}", sections[s].name, lines);
  }
  for (const RenderPlane& c : state.clips)
    text += fmt::format("\n[[clip]]\npoint = {}\nnormal = {}\n", toml_vector(c.point), toml_vector(c.normal));
  for (const IsoSurface& s : state.surfaces) text += toml_table("surface", s);
  for (const Material& m : state.materials) text += toml_table("material", m);
  for (const NamedLayout& l : state.layouts) text += layout_toml(l);
  for (const Turntable& c : state.keyframes)
    text += toml_table("keyframe", c) + fmt::format("offset = {}\n", toml_vector(c.offset));
  for (const Measurement& m : state.measurements) text += measurement_toml(m);
  if (!state.segment.balls.empty()) text += brush_toml(state.segment.balls);
  return text;
}

ViewState state_from_toml(const std::string& text, const std::string& name) {
  const TomlTable root = TomlTable::parse(text, name);
  ViewState state;
  if (const auto table = root.table("reconstruction"))
    if (const auto method = table->text("method")) try {
        state.recon.method = Method(*method);  // it determines which parameters can be read
      } catch (const InputError& error) {
        table->fail("method", error.what());
      }
  auto sections = describe(state);
  std::vector<std::string_view> known{"clip",        "surface", "material",    "keyframe",
                                      "measurement", "brush",   "named_layout"};
  for (const StateSection& s : sections) known.push_back(s.name);
  root.allow_only(known);
  for (const StateSection& section : sections)
    if (const auto table = root.table(section.name)) read_parameters(*table, section.parameters);
  for (const TomlTable& t : root.tables("clip")) state.clips.push_back(read_clip(t));
  for (const TomlTable& t : root.tables("surface")) state.surfaces.push_back(read_table<IsoSurface>(t));
  for (const TomlTable& t : root.tables("material")) state.materials.push_back(read_table<Material>(t));
  for (const TomlTable& t : root.tables("named_layout")) state.layouts.push_back(read_layout(t));
  for (const TomlTable& t : root.tables("keyframe")) state.keyframes.push_back(read_camera(t));
  for (const TomlTable& t : root.tables("measurement")) state.measurements.push_back(read_measurement(t));
  if (const auto brush = root.table("brush")) state.segment.balls = read_brush(*brush);
  try {
    check(state);
  } catch (const InputError& error) {
    throw InputError(name, error.what());
  }
  return state;
}

void save_state(const ViewState& state, const fs::path& path) {
  ViewState saved = state;
  const fs::path folder = fs::absolute(path).parent_path();
  saved.path = named_from(saved.path, folder);
  saved.pinned.file = named_from(saved.pinned.file, folder);
  write_text(path, to_toml(saved));
}

ViewState load_state(const fs::path& path) {
  std::ifstream in = open_input(path);
  std::error_code error;
  if (const auto size = fs::file_size(path, error); !error && size > (4 << 20))
    throw InputError(path.string(), "too large for a session", "is it an image or a volume?");
  ViewState state = state_from_toml(std::string(std::istreambuf_iterator<char>(in), {}), path.string());
  state.path = found_from(state.path, path);
  state.pinned.file = found_from(state.pinned.file, path);
  return state;
}

RecentFiles::RecentFiles(fs::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  for (std::string line; files_.size() < most && std::getline(in, line);)
    if (!line.empty()) files_.push_back(line);
}

void RecentFiles::add(const std::string& path) {
  std::error_code error;
  const std::string full = fs::absolute(path, error).lexically_normal().string();
  if (error || full.find('\n') != std::string::npos) return;
  std::erase(files_, full);
  files_.insert(files_.begin(), full);
  if (files_.size() > most) files_.resize(most);
  fs::create_directories(file_.parent_path(), error);
  std::string text;
  for (const std::string& line : files_) text += line + "\n";
  try {
    write_text(file_, text);
  } catch (const Error&) {  // the list then lasts for this run only
  }
}

}  // namespace backlit::viewer
