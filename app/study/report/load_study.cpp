#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include <backlit/core/error.hpp>
#include "study/study_report.hpp"

namespace backlit {
namespace {

using Json = nlohmann::ordered_json;

const char* const remedy = "give a JSON file that `backlit study` wrote";

/// A value of the file with its place: "cells[3].rate".
class Field {
 public:
  Field(const std::string& file, std::string path, const Json& json)
      : file_(file), path_(std::move(path)), json_(json) {}

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(file_, path_.empty() ? problem : path_ + " " + problem, remedy);
  }
  [[noreturn]] void refuse_type(const char* wanted) const {
    refuse(fmt::format("is {}, not {}", json_.is_null() ? "null" : json_.type_name(), wanted));
  }

  Field operator[](const char* name) const {
    if (!json_.is_object()) refuse_type("an object");
    const auto found = json_.find(name);
    const std::string path = path_.empty() ? name : path_ + "." + name;
    if (found == json_.end()) throw InputError(file_, path + " is missing", remedy);
    return {file_, path, *found};
  }
  /// Whether a field exists: results of earlier versions lack later fields.
  bool has(const char* name) const { return json_.is_object() && json_.contains(name); }
  bool null() const { return json_.is_null(); }

  double number() const {
    if (json_.is_number()) return json_.get<double>();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (json_ == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (json_ == "inf") return infinity;
    if (json_ == "-inf") return -infinity;
    refuse_type("a number");
  }
  std::optional<double> optional_number() const { return null() ? std::nullopt : std::optional(number()); }
  std::int64_t count() const {
    if (!json_.is_number_integer()) refuse_type("a whole number");
    return json_.get<std::int64_t>();
  }
  bool truth() const {
    if (!json_.is_boolean()) refuse_type("true or false");
    return json_.get<bool>();
  }
  std::string text() const {
    if (!json_.is_string()) refuse_type("a text");
    return json_.get<std::string>();
  }

  /// Array: calls read(Field) for every element.
  template <typename Read>
  auto list(Read read) const {
    if (!json_.is_array()) refuse_type("a list");
    std::vector<decltype(read(*this))> items;
    items.reserve(json_.size());
    for (std::size_t i = 0; i < json_.size(); ++i)
      items.push_back(read(Field(file_, fmt::format("{}[{}]", path_, i), json_[i])));
    return items;
  }
  /// Object: the name and read(Field) of every entry.
  template <typename Read>
  auto named(Read read) const {
    if (!json_.is_object()) refuse_type("an object");
    std::vector<std::pair<std::string, decltype(read(*this))>> items;
    for (const auto& [name, value] : json_.items())
      items.emplace_back(name, read(Field(file_, path_ + "." + name, value)));
    return items;
  }
  Facts facts() const {
    return named([](const Field& f) { return f.text(); });
  }
  std::vector<double> numbers() const {
    return list([](const Field& f) { return f.number(); });
  }

 private:
  const std::string& file_;
  std::string path_;
  const Json& json_;
};

StudyCell::Status read_status(const Field& field) {
  const std::string text = field.text();
  if (text == "ok") return StudyCell::Status::ok;
  if (text == "failed") return StudyCell::Status::failed;
  if (text == "unsupported") return StudyCell::Status::unsupported;
  field.refuse(fmt::format("is '{}', not ok, failed or unsupported", text));
}

Ceiling read_ceiling(const Field& f) {
  return {f["name"].text(), f["architecture"].text(), f["rate"].number(), f["spread"].number(), f["unit"].text()};
}

StudyCell read_cell(const Field& f) {
  StudyCell c;
  c.operation = f["operation"].text();
  c.workload = f["workload"].text();
  c.architecture = f["architecture"].text();
  c.options = f["options"].facts();
  c.status = read_status(f["status"]);
  c.note = f["note"].text();
  c.seconds = f["seconds"].numbers();
  if (f.has("passes")) c.passes = f["passes"].list([](const Field& n) { return n.count(); });
  c.median = f["median"].number();
  c.spread = f["spread"].number();
  c.repeat_spread = f.has("repeat_spread") ? f["repeat_spread"].number() : c.spread;
  c.noisy = f["noisy"].truth();
  c.device_seconds = f["device_seconds"].number();
  c.work = f["work"].number();
  c.rate = f["rate"].number();
  c.unit = f["unit"].text();
  c.counts = f["counts"].named([](const Field& count) { return count.number(); });
  c.rmse = f["rmse"].optional_number();
  c.rmse_bound = f["rmse_bound"].optional_number();
  c.error_unit = f["error_unit"].text();
  c.limit = f["limit"].text();
  c.share = f["share"].optional_number();
  return c;
}

PassSpread read_pass_spread(const Field& f) { return {f["through"].text(), f["spread"].number(), f["pairs"].count()}; }

StudyProfile read_profile(const Field& f) {
  StudyProfile p{f["title"].text(), f["architecture"].text(), f["position_mm"].numbers(), f["value"].numbers(),
                 f["truth"].numbers()};
  if (p.value.size() != p.position_mm.size())
    f["value"].refuse(fmt::format("has {} values for {} positions", p.value.size(), p.position_mm.size()));
  if (!p.truth.empty() && p.truth.size() != p.position_mm.size())
    f["truth"].refuse(fmt::format("has {} values for {} positions", p.truth.size(), p.position_mm.size()));
  return p;
}

Json parse(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file, "cannot be opened", remedy);
  try {
    return Json::parse(in);
  } catch (const Json::parse_error& error) {
    throw InputError(file, fmt::format("is not JSON from byte {} on", error.byte), remedy);
  } catch (const Json::exception& error) {
    throw InputError(file, fmt::format("is not JSON that can be read ({})", error.what()), remedy);
  }
}

}  // namespace

StudyResult load_study(const std::string& file) {
  const Json json = parse(file);
  const Field root(file, "", json);
  if (!json.is_object()) root.refuse("is not a study's result");
  const double format = root["format"].number();
  if (format != StudyResult::format)
    throw InputError(file, fmt::format("format is {}, and this program reads {}", format, StudyResult::format),
                     "read it with the version of Backlit that wrote it");
  StudyResult r;
  r.version = root["version"].text();
  r.date = root["date"].text();
  r.extent = root["extent"].text();
  r.environment = root["environment"].facts();
  r.ceilings = root["ceilings"].list(read_ceiling);
  if (root.has("pass_spreads")) r.pass_spreads = root["pass_spreads"].list(read_pass_spread);
  r.cells = root["cells"].list(read_cell);
  r.profiles = root["profiles"].list(read_profile);
  return r;
}

}  // namespace backlit
