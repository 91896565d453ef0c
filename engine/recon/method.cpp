#include <backlit/recon/method.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "recon/methods/methods.hpp"

namespace backlit {
namespace {

using Names = std::vector<std::string>;

const MethodInfo& info_of(std::type_index type) {
  const auto found = std::ranges::find(all_methods(), type, &MethodInfo::type);
  if (found == all_methods().end())
    throw Failure("method", fmt::format("no method takes options of type {}", type.name()), "register it first");
  return *found;
}

/// The parameter called `name`. Throws as refuse_parameter() does.
Parameter& parameter_of(Parameters& list, const std::string& method, const std::string& name) {
  const auto found = std::ranges::find(list, name, &Parameter::name);
  if (found == list.end()) refuse_parameter(method, name);
  return *found;
}

/// Writes "a, b or c".
std::string either(const Names& names) {
  const Names head(names.begin(), names.end() - 1);
  return head.empty() ? names.back() : fmt::format("{} or {}", fmt::join(head, ", "), names.back());
}

}  // namespace

void register_method(MethodInfo info) {
  if (std::ranges::count(all_methods(), info.name, &MethodInfo::name) > 0)
    throw InputError("method", fmt::format("there is a method '{}' already", info.name), "give it another name");
  all_methods().push_back(std::move(info));
}

std::vector<std::string> method_names() {
  Names names;
  for (const MethodInfo& m : all_methods()) names.push_back(m.name);
  return names;
}

std::vector<std::string> methods_with(const std::string& parameter) {
  Names names = method_names();
  std::erase_if(names, [&](const std::string& name) { return !Method(name).has(parameter); });
  return names;
}

const MethodInfo& method_info(const std::string& name) {
  const auto found = std::ranges::find(all_methods(), name, &MethodInfo::name);
  if (found == all_methods().end())
    throw InputError("method", fmt::format("unknown value '{}'", name),
                     fmt::format("choose one of {}", fmt::join(method_names(), ", ")));
  return *found;
}

void refuse_parameter(const std::string& method, const std::string& parameter) {
  const Names others = methods_with(parameter);
  if (others.empty()) {
    Names known;
    Method asked(method);
    for (const Parameter& p : asked.parameters()) known.push_back(p.name);
    throw InputError(parameter, "no method has such a parameter",
                     fmt::format("those of {} are {}", method, fmt::join(known, ", ")));
  }
  throw InputError(parameter, fmt::format("{} does not take it", method),
                   fmt::format("use `method` {}", either(others)));
}

Method::Method(const std::string& name) : info_(&method_info(name)), options_(info_->copy(nullptr)) {}

Method::Method(std::type_index type, const MethodOptions& options)
    : info_(&info_of(type)), options_(info_->copy(&options)) {}

Method::Method(const Method& other) : info_(other.info_), options_(info_->copy(other.options_.get())) {}

Method& Method::operator=(const Method& other) { return *this = Method(other); }

bool Method::has(const std::string& parameter) const {
  return std::ranges::count(options_->parameters(), parameter, &Parameter::name) > 0;
}

std::string Method::text(const std::string& parameter) const {
  Parameters list = options_->parameters();
  return parameter_of(list, name(), parameter).text();
}

void Method::set(const std::string& parameter, const std::string& value) {
  Parameters list = parameters();
  parameter_of(list, name(), parameter).set(value);
}

void Method::reset_unused() {
  Method fresh(name());
  Parameters mine = parameters(), defaults = fresh.parameters();
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (!mine[i].needs.empty()) mine[i].set(defaults[i].text());
}

void check(const Method& method, std::span<const std::string> given) {
  Method copy = method, fresh(method.name());
  Parameters mine = copy.parameters(), defaults = fresh.parameters();
  for (const std::string& name : given) parameter_of(mine, method.name(), name);
  check(mine, defaults, given, fmt::format(" with `method` {}", method.name()));
  method.options().check();
}

}  // namespace backlit
