// Reads TOML files. Errors name file, line, table, key, fault and remedy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backlit {

/// A table of a TOML file. Cheap to copy; keeps its document alive. Getters return nothing for a key that is absent and
/// throw InputError("file:line", "[table] key: problem", remedy) for one that holds something else.
class TomlTable {
 public:
  /// The root table of a file (at most 64 MiB) or of `text` (`name` stands for the file in errors).
  static TomlTable parse_file(const std::filesystem::path&);
  static TomlTable parse(const std::string& text, const std::string& name);

  /// "[detector]", "[[view]] 3"; empty for the root.
  const std::string& name() const;
  bool has(std::string_view key) const;

  /// Throws for a key that is not listed, naming the one nearest to it.
  void allow_only(const std::vector<std::string_view>& known) const;

  std::optional<std::int64_t> integer(std::string_view key) const;
  /// A finite number; whole numbers are accepted too.
  std::optional<double> number(std::string_view key) const;
  std::optional<bool> boolean(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  /// A list of finite numbers.
  std::optional<std::vector<double>> numbers(std::string_view key) const;
  /// A list of exactly `count` finite numbers; with `repeat` one number means `count` equal ones.
  std::optional<std::vector<double>> numbers(std::string_view key, std::size_t count, bool repeat = false) const;
  std::optional<TomlTable> table(std::string_view key) const;
  /// An array of tables ([[key]]); empty when absent.
  std::vector<TomlTable> tables(std::string_view key) const;

  /// Throws InputError at this key's line; at the table's line when the key is absent.
  [[noreturn]] void fail(std::string_view key, std::string_view problem, std::string_view remedy = {}) const;

 private:
  struct Impl;
  explicit TomlTable(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// The candidate that differs from `word` in the fewest letters; empty when none is close.
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace backlit
