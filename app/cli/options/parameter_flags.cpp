// Command-line flags from the engine's own declarations of its options.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <backlit/io/volumes/volume_file.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include <backlit/projectors/model.hpp>
#include "command.hpp"

namespace backlit::cli {

std::string flag_name(const std::string& parameter) {
  std::string name = "--" + parameter;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string in_flags(std::string text) {
  for (auto open = text.find('`'); open != std::string::npos; open = text.find('`', open)) {
    const auto close = text.find('`', open + 1);
    if (close == std::string::npos) break;
    const std::string flag = flag_name(text.substr(open + 1, close - open - 1));
    text.replace(open, close + 1 - open, flag);
    open += flag.size();
  }
  return text;
}

std::string type_name(const Parameter& p) {
  if (!p.choices.empty()) return "NAME";
  if (!p.unit.empty()) return p.unit;
  if (std::holds_alternative<std::string*>(p.target)) return "TEXT";
  return std::holds_alternative<double*>(p.target) ? "NUMBER" : "COUNT";
}

std::string help_text(const Parameter& p) {
  std::string facts;
  if (!p.choices.empty()) facts += fmt::format("{}; ", fmt::join(p.choices, "|"));
  const bool number = std::holds_alternative<double*>(p.target) || std::holds_alternative<std::int64_t*>(p.target);
  if (number && std::isfinite(p.min) && std::isfinite(p.max)) facts += fmt::format("{:g} to {:g}; ", p.min, p.max);
  if (!p.text().empty() && !std::holds_alternative<bool*>(p.target)) facts += fmt::format("default {}; ", p.text());
  if (!p.needs.empty()) facts += fmt::format("needs {}; ", in_flags(p.needs));
  if (facts.ends_with("; ")) facts.resize(facts.size() - 2);
  return facts.empty() ? p.help : fmt::format("{} ({})", p.help, facts);
}

std::string present_name(const std::string& value) {
  for (const Model model : Model::all()) {
    const char* old = model.facts().old_name;
    if (!old || value != old) continue;
    fmt::print(stderr, "backlit: --model {} is called {} now\n", old, name(model));
    return name(model);
  }
  return value;
}

void add_parameter_flags(CLI::App& app, Parameters parameters, const std::string& group,
                         std::vector<std::string>* given) {
  for (Parameter& p : parameters) {
    const auto note = [given, name = p.name] {
      if (given) given->push_back(name);
    };
    const std::string flag = flag_name(p.name), help = help_text(p), type = type_name(p);
    const bool is_flag = std::holds_alternative<bool*>(p.target);
    p.name = flag;
    if (is_flag) {
      const auto set = [p, note](std::int64_t) mutable {
        *std::get<bool*>(p.target) = true;
        note();
      };
      app.add_flag_function(flag, set, help)->group(group);
      continue;
    }
    const auto set = [p, note](const std::string& value) mutable {
      p.set(p.name == "--model" ? present_name(value) : value);
      note();
    };
    app.add_option_function<std::string>(flag, set, help)->type_name(type)->group(group);
  }
}

std::vector<std::string> add_correction_flags(CLI::App& app, PreparationOptions& preparation) {
  const Parameters own = describe(preparation.corrections);
  add_parameter_flags(app, {correct_parameter(preparation.correct)}, "Preparation");
  add_parameter_flags(app, own, "Corrections");
  std::vector<std::string> flags;
  for (const Parameter& p : own) flags.push_back(flag_name(p.name));
  return flags;
}

void add_volume_outputs(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("-o,--output", files,
                 fmt::format("volume to write: {}; may be repeated", fmt::join(volume_extensions(), " ")))
      ->option_text("VOLUME REQUIRED")
      ->required()
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace backlit::cli
