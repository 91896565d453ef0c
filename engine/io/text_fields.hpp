// Numbers in text headers, read strictly: "12x" is an error, not 12.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backlit {

/// The text without blanks at both ends.
std::string_view trimmed(std::string_view);
std::string lower_case(std::string_view);
/// "mha" of "a/B.MHA"; "nii.gz" counts as one extension. With the dot.
std::string file_extension(const std::string& path);

/// Numbers separated by blanks or commas. Throws InputError(where) naming the field when there are not `count` of them
/// (0 takes any number) or one is not a finite number.
std::vector<double> parse_numbers(std::string_view text, std::size_t count, const std::string& where,
                                  std::string_view field);
std::vector<std::int64_t> parse_integers(std::string_view text, std::size_t count, const std::string& where,
                                         std::string_view field);

/// The lines of a text, without blanks at both ends. The text must outlive them.
/// `for (TextLines lines(text); lines.next();) use(lines.line());`
class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text) {}

  /// Goes to the next line, at first to the first one; false after the last.
  bool next();
  std::string_view line() const { return line_; }
  std::int64_t number() const { return number_; }  ///< of the line, from 1 on

 private:
  std::string_view rest_, line_;
  std::int64_t number_ = 0;
};

/// The count of numbers in the first line that is neither empty nor a # comment; 0 when the line holds anything else.
std::size_t numbers_in_first_row(std::string_view text);

}  // namespace backlit
