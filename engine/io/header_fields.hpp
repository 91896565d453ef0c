// The fields of a scan's or an image's header. Readers take fields by name; the fields taken are listed for the user.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <backlit/io/scans/scan_file.hpp>
#include "io/binary_fields.hpp"

namespace backlit {

/// A field whose meaning is known, and the unit of its numbers times `scale`.
struct KnownField {
  std::string_view name, meaning{}, unit{};
  double scale = 1;
};

/// A field at a known byte of a binary header. Without a meaning it is listed as not used.
struct BinaryField {
  enum class Type { u16, i16, i32, u32, f32, f64, text };
  std::size_t at;
  Type type;
  KnownField known;
  std::size_t count = 1;  ///< numbers, or characters of a text
};

class HeaderFields {
 public:
  /// "[section]" and "key=value" lines; names are "section.key". Other lines are kept as unused text.
  static HeaderFields of_ini(const std::filesystem::path&);
  /// Elements that hold text, and attributes, by names such as "Element.Inner", without the root's name.
  static HeaderFields of_xml(const std::filesystem::path&);
  /// Fields of a binary header, in this order. Those with a meaning are noted. Throws InputError where the header ends
  /// before one of them.
  static HeaderFields of_binary(const BinaryFields&, std::span<const BinaryField>);
  /// For readers of binary files, which add() fields.
  explicit HeaderFields(std::string file) : file_(std::move(file)) {}

  /// `where` names the place within the file; empty: the field's name. Line ends in values become blanks.
  void add(std::string name, std::string value, std::string where = {});

  // `name` is a field's whole name, or its part after a dot, in upper or lower case. The first such field is taken and
  // counts as used. With a `meaning` it becomes a fact.

  bool has(std::string_view name) const;
  /// Empty fields count as absent.
  std::optional<std::string> text(std::string_view name, std::string_view meaning = {});
  /// The field's number times `scale`, in `unit`. Throws InputError at the field when it is no finite number.
  std::optional<double> number(std::string_view name, std::string_view meaning = {}, std::string_view unit = {},
                               double scale = 1);
  /// The same; throws InputError naming the field when there is none.
  double require(std::string_view name, std::string_view meaning, std::string_view unit = {}, double scale = 1);
  /// The same, and more than 0.
  double require_positive(std::string_view name, std::string_view meaning, std::string_view unit = {},
                          double scale = 1);
  /// A whole number from 1 to `most`.
  std::int64_t require_count(std::string_view name, std::string_view meaning, std::int64_t most,
                             std::string_view unit = {});

  /// Notes every field of this list that is there. Numbers get their unit; other text stays as it is.
  void note_known(std::span<const KnownField>);
  /// Adds a fact that follows from several fields, or that is an assumption.
  void note_fact(std::string meaning, std::string value, std::string source);
  /// Throws InputError at the field.
  [[noreturn]] void fail(std::string_view name, const std::string& problem, const std::string& remedy = {}) const;

  const std::string& file() const { return file_; }
  /// The place of a field, for facts: "scan.xtekct line 12, XTekCT.SrcToObject".
  std::string source(std::string_view name) const;
  /// Adds the facts, in the order in which they were read, and the unused fields to a ScanFile or a FileInfo, in front
  /// of those it has.
  template <class File>
  void add_to(File& file) const {
    add_to(file.facts, file.unused);
  }

 private:
  struct Field {
    std::string name, value, where;
    bool used = false;
  };
  void add_to(std::vector<ScanFact>& facts, std::vector<std::string>& unused) const;
  const Field* find(std::string_view name) const;
  Field* take(std::string_view name);

  std::string file_;
  std::vector<Field> fields_;
  std::vector<ScanFact> facts_;
};

/// The text of a file that is no larger than `most` bytes. Throws InputError.
std::string read_small_text(const std::filesystem::path&, std::size_t most = std::size_t{16} << 20);

/// "1.5 mm", with as many digits as a float holds.
std::string with_unit(double value, std::string_view unit);

}  // namespace backlit
