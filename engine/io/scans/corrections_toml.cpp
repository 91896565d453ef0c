#include "io/scans/corrections_toml.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_geometry.hpp>

namespace backlit {
namespace {

bool is_number(const Parameter& p) {
  return std::holds_alternative<double*>(p.target) || std::holds_alternative<std::int64_t*>(p.target);
}

/// The text of a parameter's value.
std::string toml_value(const TomlTable& table, const Parameter& p) {
  if (std::holds_alternative<bool*>(p.target)) return *table.boolean(p.name) ? "true" : "false";
  return is_number(p) ? fmt::format("{}", *table.number(p.name)) : *table.text(p.name);
}

}  // namespace

CorrectionOptions read_corrections(const TomlTable& table) {
  CorrectionOptions options;
  Parameters list = describe(options);
  std::vector<std::string_view> names;
  for (const Parameter& p : list) names.push_back(p.name);
  table.allow_only(names);
  for (Parameter& p : list) {
    if (!table.has(p.name)) continue;
    try {
      p.set(toml_value(table, p));
    } catch (const InputError& error) {
      const std::string what = error.what();
      if (what.find(table.name()) != std::string::npos) throw;
      table.fail(p.name, what);
    }
  }
  return options;
}

std::string corrections_toml(CorrectionOptions options) {
  CorrectionOptions defaults;
  const Parameters list = describe(options), usual = describe(defaults);
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].text() == usual[i].text()) continue;
    const bool plain = is_number(list[i]) || std::holds_alternative<bool*>(list[i].target);
    text += fmt::format("{} = {}\n", list[i].name, plain ? list[i].text() : toml_text(list[i].text()));
  }
  return text.empty() ? text : "\n[corrections]\n" + text;
}

}  // namespace backlit
