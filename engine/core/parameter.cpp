#include <backlit/core/parameter.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

std::string location(const std::string& where, const std::string& name) {
  return where.empty() || where == name ? name : where + ": " + name;
}

template <class T>
T parse_number(const Parameter& p, const std::string& value, const std::string& where) {
  T number{};
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc{} || stop != end)
    throw InputError(location(where, p.name),
                     fmt::format("'{}' is not a {}number", value, std::is_integral_v<T> ? "whole " : ""),
                     p.unit.empty() ? p.help : fmt::format("{} [{}]", p.help, p.unit));
  return number;
}

bool parse_bool(const Parameter& p, const std::string& value, const std::string& where) {
  if (value == "true" || value == "yes" || value == "on" || value == "1") return true;
  if (value == "false" || value == "no" || value == "off" || value == "0") return false;
  throw InputError(location(where, p.name), fmt::format("'{}' is neither true nor false", value));
}

void check_range(const Parameter& p, double value, const std::string& where) {
  if (std::isfinite(value) && value >= p.min && value <= p.max) return;
  throw InputError(location(where, p.name),
                   fmt::format("{} is outside {} to {}{}{}", value, p.min, p.max, p.unit.empty() ? "" : " ", p.unit));
}

std::size_t find_choice(const Parameter& p, const std::string& value, const std::string& where) {
  const auto found = std::find(p.choices.begin(), p.choices.end(), value);
  if (found == p.choices.end())
    throw InputError(location(where, p.name), fmt::format("unknown value '{}'", value),
                     fmt::format("choose one of {}", fmt::join(p.choices, ", ")));
  return static_cast<std::size_t>(found - p.choices.begin());
}

}  // namespace

std::string Parameter::text() const {
  if (const auto* choice = std::get_if<Choice>(&target)) return choices.at(choice->get(choice->value));
  if (const auto* written = std::get_if<Written>(&target)) return written->text(written->value);
  const auto write = [](const auto& value) -> std::string {
    if constexpr (std::is_pointer_v<std::decay_t<decltype(value)>>) return fmt::format("{}", *value);
    return {};
  };
  return std::visit(write, target);
}

void Parameter::set(const std::string& value, const std::string& where) {
  struct Setter {
    const Parameter& p;
    const std::string &value, &where;
    void operator()(bool* t) const { *t = parse_bool(p, value, where); }
    void operator()(std::int64_t* t) const {
      const auto number = parse_number<std::int64_t>(p, value, where);
      check_range(p, static_cast<double>(number), where);
      *t = number;
    }
    void operator()(double* t) const {
      const auto number = parse_number<double>(p, value, where);
      check_range(p, number, where);
      *t = number;
    }
    void operator()(std::string* t) const {
      if (!p.choices.empty()) find_choice(p, value, where);
      *t = value;
    }
    void operator()(const Choice& t) const { t.set(t.value, find_choice(p, value, where)); }
    void operator()(const Written& t) const { t.parse(t.value, value, location(where, p.name)); }
  };
  std::visit(Setter{*this, value, where}, target);
}

void Parameter::check(const std::string& where) const {
  Parameter copy = *this;
  copy.set(text(), where);
}

Parameters steering(Parameters list) {
  for (Parameter& p : list) p.steers = true;
  return list;
}

Parameter& find_parameter(Parameters& parameters, const std::string& name) {
  for (auto& p : parameters)
    if (p.name == name) return p;
  std::vector<std::string> names;
  for (const auto& p : parameters) names.push_back(p.name);
  throw InputError(name, "no such parameter", fmt::format("known: {}", fmt::join(names, ", ")));
}

void check(const Parameters& mine, const Parameters& defaults, std::span<const std::string> given,
           const std::string& where) {
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const Parameter& p = mine[i];
    p.check();
    if (!p.needs.empty() && (p.text() != defaults[i].text() || std::ranges::count(given, p.name) > 0))
      throw InputError(p.name, fmt::format("needs {}{}", p.needs, where));
  }
}

}  // namespace backlit
