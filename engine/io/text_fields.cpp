#include "io/text_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v,";

template <class T>
std::vector<T> parse(std::string_view text, std::size_t count, const std::string& where, std::string_view field) {
  std::vector<T> numbers;
  for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    if (word.size() > 1 && word[0] == '+') word.remove_prefix(1);
    T value{};
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    bool good = error == std::errc() && stop == word.data() + word.size();
    if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
    if (!good)
      throw InputError(
          where, fmt::format("{} is '{}'", field, word.substr(0, 40)),
          std::is_floating_point_v<T> ? "a finite number must stand there" : "an integer must stand there");
    numbers.push_back(value);
    begin = text.find_first_not_of(blanks, end);
  }
  if (count > 0 && numbers.size() != count)
    throw InputError(where, fmt::format("{} holds {} numbers", field, numbers.size()), fmt::format("give {}", count));
  return numbers;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string file_extension(const std::string& path) {
  const std::filesystem::path name = lower_case(path);
  const std::string last = name.extension().string();
  return last == ".gz" ? name.stem().extension().string() + last : last;
}

std::vector<double> parse_numbers(std::string_view text, std::size_t count, const std::string& where,
                                  std::string_view field) {
  return parse<double>(text, count, where, field);
}

std::vector<std::int64_t> parse_integers(std::string_view text, std::size_t count, const std::string& where,
                                         std::string_view field) {
  return parse<std::int64_t>(text, count, where, field);
}

bool TextLines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = trimmed(rest_.substr(0, end));
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return true;
}

std::size_t numbers_in_first_row(std::string_view text) {
  for (TextLines lines(text); lines.next();) {
    const std::string_view line = lines.line();
    if (line.empty() || line.front() == '#') continue;
    try {
      return parse_numbers(line.substr(0, line.find('#')), 0, {}, {}).size();
    } catch (const InputError&) {
      return 0;
    }
  }
  return 0;
}

}  // namespace backlit
