#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "study/report/format.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

using Json = nlohmann::ordered_json;

/// JSON cannot express values that are not finite, such as the error of a diverged reconstruction.
Json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json number(const std::optional<double>& value) { return value ? number(*value) : Json(); }

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json named(const Facts& facts) {
  Json object = Json::object();
  for (const auto& [name, value] : facts) object[name] = value;
  return object;
}

Json named(const Counts& counts) {
  Json object = Json::object();
  for (const auto& [name, value] : counts) object[name] = number(value);
  return object;
}

Json as_json(const Ceiling& c) {
  return {{"name", c.name},
          {"architecture", c.architecture},
          {"rate", number(c.rate)},
          {"spread", number(c.spread)},
          {"unit", c.unit}};
}

Json as_json(const StudyCell& c) {
  return {{"operation", c.operation},
          {"workload", c.workload},
          {"architecture", c.architecture},
          {"options", named(c.options)},
          {"status", report::name(c.status)},
          {"note", c.note},
          {"seconds", numbers(c.seconds)},
          {"passes", c.passes},
          {"median", number(c.median)},
          {"repeat_spread", number(c.repeat_spread)},
          {"spread", number(c.spread)},
          {"noisy", c.noisy},
          {"device_seconds", number(c.device_seconds)},
          {"work", number(c.work)},
          {"rate", number(c.rate)},
          {"unit", c.unit},
          {"counts", named(c.counts)},
          {"rmse", number(c.rmse)},
          {"rmse_bound", number(c.rmse_bound)},
          {"error_unit", c.error_unit},
          {"limit", c.limit},
          {"share", number(c.share)}};
}

Json as_json(const PassSpread& p) { return {{"through", p.through}, {"spread", number(p.spread)}, {"pairs", p.pairs}}; }

Json as_json(const StudyProfile& p) {
  return {{"title", p.title},
          {"architecture", p.architecture},
          {"position_mm", numbers(p.position_mm)},
          {"value", numbers(p.value)},
          {"truth", numbers(p.truth)}};
}

template <typename T>
Json list(const std::vector<T>& items) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(as_json(item));
  return array;
}

}  // namespace

std::string StudyCell::key() const {
  Facts sorted = options;
  std::ranges::sort(sorted);
  std::string key = operation + " | " + workload + " | " + architecture;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    key += (i == 0 ? " | " : ", ") + sorted[i].first + "=" + sorted[i].second;
  return key;
}

std::string study_json(const StudyResult& r) {
  const Json json{{"format", StudyResult::format},
                  {"version", r.version},
                  {"date", r.date},
                  {"extent", r.extent},
                  {"environment", named(r.environment)},
                  {"ceilings", list(r.ceilings)},
                  {"pass_spreads", list(r.pass_spreads)},
                  {"cells", list(r.cells)},
                  {"profiles", list(r.profiles)}};
  // Names of drivers and cards may be invalid UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace backlit
