// The text files of assets/ that renderers read: lines of words and numbers, '#' begins a comment.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace backlit {

/// A line that is not empty.
struct TextLine {
  std::string where;  ///< "file:12"
  std::string word;   ///< the first word
  std::string rest;   ///< the rest of the line, without blanks at both ends
  std::string all;

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;
  /// A finite number; throws InputError.
  double number(const std::string& text) const;
  /// The whole line as `count` numbers; errors call them `what`.
  std::vector<double> numbers(std::size_t count, const std::string& what) const;
};

std::vector<TextLine> text_lines(const std::string& text, const std::string& where);
std::vector<std::string> split_fields(const std::string& text);

/// A text file: assets/FOLDER/NAME.txt or any other.
struct NamedText {
  std::string name, path, text;
};
/// Throws InputError: an unknown name lists the known, a file larger than 1 MiB is refused. `kind` is for errors.
NamedText read_named_text(const char* folder, const std::string& name_or_path, const std::string& kind);

/// Names of the files assets/FOLDER/NAME.txt, sorted.
std::vector<std::string> asset_names(const char* folder);

}  // namespace backlit
