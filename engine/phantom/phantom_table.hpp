// Reads the keys of one TOML table. Errors name place and fault: "file: body 3 (skull): radius: must be positive".
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <backlit/geometry/types.hpp>
#include "core/parse_toml.hpp"

namespace backlit {

class PhantomTable {
 public:
  /// `place` names the table within the file ("body 3"); may be empty.
  PhantomTable(const toml::table& table, std::string file, std::string place)
      : table_(table), file_(std::move(file)), place_(std::move(place)) {}

  bool has(std::string_view key) const { return table_.contains(key); }
  void rename(std::string place) { place_ = std::move(place); }

  std::string text(std::string_view key, const std::string& otherwise);
  double number(std::string_view key, std::optional<double> otherwise = {});
  double positive(std::string_view key, std::optional<double> otherwise = {});
  std::int64_t whole(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t otherwise);
  Vec3 vector(std::string_view key, std::optional<Vec3> otherwise = {});
  /// One number for all, or `count` numbers; all positive.
  std::vector<double> sizes(std::string_view key, std::size_t count);
  /// A list of points.
  std::vector<Vec3> points(std::string_view key);
  /// A list of names.
  std::vector<std::string> names(std::string_view key);
  /// The tables of a list of tables.
  std::vector<PhantomTable> tables(std::string_view key);

  /// Throws if the table holds a key that was not read.
  void refuse_unknown() const;
  [[noreturn]] void fail(std::string_view key, std::string_view problem, std::string_view remedy = {}) const;

 private:
  const toml::node* find(std::string_view key);
  double as_number(const toml::node& node, std::string_view key) const;
  Vec3 as_vector(const toml::node& node, std::string_view key) const;

  const toml::table& table_;
  std::string file_, place_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace backlit
