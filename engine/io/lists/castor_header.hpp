// The text files of CASToR (.cdh, .hscan): one "key: value" a line, # for comments.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <backlit/io/lists/list_mode_file.hpp>

namespace backlit {

class CastorHeader {
 public:
  /// Reads at most 1 MiB. Throws InputError naming the line that is not "key: value", or repeats a key.
  explicit CastorHeader(const std::filesystem::path&);

  /// Keys are compared without regard to case.
  bool has(const std::string& key) const { return find(key) != nullptr; }
  std::optional<std::string> text(const std::string& key) const;
  /// These throw InputError(file) naming the key when its value is of another type, or is missing and has no default.
  std::string required_text(const std::string& key) const;
  double number(const std::string& key, std::optional<double> otherwise = {}) const;
  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> otherwise = {}) const;
  /// 0 or 1; absent is 0.
  bool flag(const std::string& key) const { return integer(key, 0, 1, 0) == 1; }
  const std::string& where() const { return where_; }
  /// Lists the fields that were read as facts, and the others. Units are in the keys: "Duration (s)".
  void add_to(ListModeFile&) const;

 private:
  struct Field {
    std::string value, key;
    std::int64_t line = 0;
    mutable bool used = false;
  };
  const std::string* find(const std::string& key) const;
  [[noreturn]] void missing(const std::string& key) const;

  std::string where_;
  std::map<std::string, Field> fields_;  ///< by the key in lower case
};

}  // namespace backlit
