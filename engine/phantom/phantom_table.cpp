#include "phantom/phantom_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {

void PhantomTable::fail(std::string_view key, std::string_view problem, std::string_view remedy) const {
  const std::string where = place_.empty() ? file_ : fmt::format("{}: {}", file_, place_);
  throw InputError(where, key.empty() ? std::string(problem) : fmt::format("{}: {}", key, problem), remedy);
}

const toml::node* PhantomTable::find(std::string_view key) {
  asked_.emplace(key);
  return table_.get(key);
}

double PhantomTable::as_number(const toml::node& node, std::string_view key) const {
  const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value) fail(key, "is not a number");
  if (!std::isfinite(*value) || std::abs(*value) > 1e12) fail(key, fmt::format("{} is out of range", *value));
  return *value;
}

Vec3 PhantomTable::as_vector(const toml::node& node, std::string_view key) const {
  const toml::array* list = node.as_array();
  if (!list || list->size() != 3) fail(key, "is not a list of three numbers", "write [x, y, z]");
  return {as_number(*list->get(0), key), as_number(*list->get(1), key), as_number(*list->get(2), key)};
}

std::string PhantomTable::text(std::string_view key, const std::string& otherwise) {
  const toml::node* node = find(key);
  if (!node) return otherwise;
  if (!node->is_string()) fail(key, "is not a text", "put it in quotes");
  return node->value<std::string>().value_or("");
}

double PhantomTable::number(std::string_view key, std::optional<double> otherwise) {
  if (const toml::node* node = find(key)) return as_number(*node, key);
  if (!otherwise) fail(key, "is missing");
  return *otherwise;
}

double PhantomTable::positive(std::string_view key, std::optional<double> otherwise) {
  const double value = number(key, otherwise);
  if (!(value > 0)) fail(key, fmt::format("{} is not positive", value));
  return value;
}

std::int64_t PhantomTable::whole(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t otherwise) {
  const toml::node* node = find(key);
  if (!node) return otherwise;
  const std::optional<std::int64_t> value = node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
  if (!value || *value < low || *value > high) fail(key, fmt::format("is not a whole number from {} to {}", low, high));
  return *value;
}

Vec3 PhantomTable::vector(std::string_view key, std::optional<Vec3> otherwise) {
  if (const toml::node* node = find(key)) return as_vector(*node, key);
  if (!otherwise) fail(key, "is missing");
  return *otherwise;
}

std::vector<double> PhantomTable::sizes(std::string_view key, std::size_t count) {
  const toml::node* node = find(key);
  if (!node) fail(key, "is missing");
  std::vector<double> values;
  if (const toml::array* list = node->as_array()) {
    if (list->size() != count) fail(key, fmt::format("has {} numbers", list->size()), fmt::format("give {}", count));
    for (const toml::node& item : *list) values.push_back(as_number(item, key));
  } else {
    values.assign(count, as_number(*node, key));
  }
  for (double value : values)
    if (!(value > 0)) fail(key, fmt::format("{} is not positive", value));
  return values;
}

std::vector<Vec3> PhantomTable::points(std::string_view key) {
  std::vector<Vec3> values;
  const toml::node* node = find(key);
  if (!node) return values;
  if (!node->is_array() || node->as_array()->empty()) fail(key, "is not a list of points", "write [[x, y, z], ...]");
  for (const toml::node& item : *node->as_array()) values.push_back(as_vector(item, key));
  return values;
}

std::vector<std::string> PhantomTable::names(std::string_view key) {
  std::vector<std::string> values;
  const toml::node* node = find(key);
  if (!node) return values;
  if (!node->is_array()) fail(key, "is not a list of names", "write [\"name\", ...]");
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_string()) fail(key, "is not a list of names", "write [\"name\", ...]");
    values.push_back(item.value<std::string>().value_or(""));
  }
  return values;
}

std::vector<PhantomTable> PhantomTable::tables(std::string_view key) {
  std::vector<PhantomTable> values;
  const toml::node* node = find(key);
  if (!node) return values;
  if (!node->is_array()) fail(key, "is not a list of tables");
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_table()) fail(key, "is not a list of tables");
    const std::string name = fmt::format("{} {}", key, values.size() + 1);
    values.emplace_back(*item.as_table(), file_, place_.empty() ? name : fmt::format("{}: {}", place_, name));
  }
  return values;
}

void PhantomTable::refuse_unknown() const {
  for (const auto& [key, node] : table_)
    if (!asked_.contains(key.str())) fail(key.str(), "is not a known key here", "see assets/phantoms/README.md");
}

}  // namespace backlit
