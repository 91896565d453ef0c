#include <backlit/io/toml_reader.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include "core/parse_toml.hpp"

namespace backlit {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j + 1] + 1, row[j] + 1, substituted});
    }
  }
  return row.back();
}

const char* kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

std::optional<double> finite_number(const toml::node& node) {
  if (!node.is_number()) return {};
  const double value = *node.value<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

struct TomlTable::Impl {
  struct Document {
    std::string file;
    toml::table root;
  };

  std::shared_ptr<const Document> document;
  const toml::table* table = nullptr;
  std::string name;

  const toml::node* find(std::string_view key) const { return table->get(key); }
  [[noreturn]] void wrong(std::string_view key, const toml::node& node, std::string_view wanted,
                          std::string_view remedy) const {
    fail_at(node.source().begin.line, key, fmt::format("{} where {} is wanted", kind_of(node), wanted), remedy);
  }
  [[noreturn]] void fail_at(std::uint32_t line, std::string_view key, std::string_view problem,
                            std::string_view remedy) const {
    const std::string where = line > 0 ? fmt::format("{}:{}", document->file, line) : document->file;
    std::string subject = name;
    if (!key.empty()) subject += fmt::format("{}{}", subject.empty() ? "" : " ", key);
    throw InputError(where, subject.empty() ? std::string(problem) : fmt::format("{}: {}", subject, problem), remedy);
  }
};

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t least = word.size() / 2 + 2;  // beyond this distance it is another word
  for (std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return std::string(best);
}

TomlTable TomlTable::parse_file(const std::filesystem::path& path) {
  std::ifstream in = open_input(path);
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  constexpr std::uintmax_t largest = 64 << 20;
  if (!error && size > largest)
    throw InputError(path.string(), fmt::format("{} bytes are too many for a text file like this", size),
                     "is it an image or a volume?");
  return parse(std::string(std::istreambuf_iterator<char>(in), {}), path.string());
}

TomlTable TomlTable::parse(const std::string& text, const std::string& name) {
  auto document = std::make_shared<Impl::Document>();
  document->file = name;
  document->root = parse_toml(text, name);
  auto impl = std::make_shared<Impl>();
  impl->table = &document->root;
  impl->document = std::move(document);
  return TomlTable(std::move(impl));
}

const std::string& TomlTable::name() const { return impl_->name; }

bool TomlTable::has(std::string_view key) const { return impl_->find(key) != nullptr; }

void TomlTable::allow_only(const std::vector<std::string_view>& known) const {
  for (const auto& [key, node] : *impl_->table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    const std::string nearest = nearest_word(key.str(), known);
    const std::string place = impl_->name.empty() ? "" : fmt::format(" in {}", impl_->name);
    throw InputError(fmt::format("{}:{}", impl_->document->file, key.source().begin.line),
                     fmt::format("{}: unknown {}{}", key.str(), node.is_table() ? "table" : "key", place),
                     nearest.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                                     : fmt::format("did you mean {}?", nearest));
  }
}

std::optional<std::int64_t> TomlTable::integer(std::string_view key) const {
  const toml::node* node = impl_->find(key);
  if (!node) return {};
  if (!node->is_integer()) impl_->wrong(key, *node, "a whole number", fmt::format("write for example {} = 1", key));
  return *node->value<std::int64_t>();
}

std::optional<double> TomlTable::number(std::string_view key) const {
  const toml::node* node = impl_->find(key);
  if (!node) return {};
  const auto value = finite_number(*node);
  if (!value) impl_->wrong(key, *node, "a finite number", fmt::format("write for example {} = 1.0", key));
  return value;
}

std::optional<bool> TomlTable::boolean(std::string_view key) const {
  const toml::node* node = impl_->find(key);
  if (!node) return {};
  if (!node->is_boolean()) impl_->wrong(key, *node, "true or false", fmt::format("write {} = true", key));
  return *node->value<bool>();
}

std::optional<std::string> TomlTable::text(std::string_view key) const {
  const toml::node* node = impl_->find(key);
  if (!node) return {};
  if (!node->is_string()) impl_->wrong(key, *node, "a text", fmt::format("write {} = \"...\"", key));
  return *node->value<std::string>();
}

std::optional<std::vector<double>> TomlTable::numbers(std::string_view key) const {
  const toml::node* node = impl_->find(key);
  if (!node) return {};
  const toml::array* list = node->as_array();
  if (!list) impl_->wrong(key, *node, "a list of numbers", fmt::format("write for example {} = [0.0, 1.0]", key));
  std::vector<double> values;
  values.reserve(list->size());
  for (const toml::node& entry : *list) {
    const auto value = finite_number(entry);
    if (!value) impl_->wrong(key, entry, "a finite number", fmt::format("it is entry {} of the list", values.size()));
    values.push_back(*value);
  }
  return values;
}

std::optional<std::vector<double>> TomlTable::numbers(std::string_view key, std::size_t count, bool repeat) const {
  const toml::node* node = impl_->find(key);
  if (!node) return {};
  if (repeat && node->is_number()) return std::vector<double>(count, *number(key));
  auto values = numbers(key);
  if (values->size() != count) fail(key, fmt::format("{} numbers where {} are wanted", values->size(), count));
  return values;
}

std::optional<TomlTable> TomlTable::table(std::string_view key) const {
  const toml::node* node = impl_->find(key);
  if (!node) return {};
  if (!node->is_table()) impl_->wrong(key, *node, "a table", fmt::format("write [{}] on a line of its own", key));
  return TomlTable(std::make_shared<const Impl>(Impl{impl_->document, node->as_table(), fmt::format("[{}]", key)}));
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const toml::node* node = impl_->find(key);
  std::vector<TomlTable> tables;
  if (!node) return tables;
  const toml::array* list = node->as_array();
  if (!list) impl_->wrong(key, *node, "a list of tables", fmt::format("write [[{}]] above each", key));
  for (const toml::node& entry : *list) {
    if (!entry.is_table()) impl_->wrong(key, entry, "a table", fmt::format("write [[{}]] above each", key));
    tables.push_back(TomlTable(std::make_shared<const Impl>(
        Impl{impl_->document, entry.as_table(), fmt::format("[[{}]] {}", key, tables.size())})));
  }
  return tables;
}

void TomlTable::fail(std::string_view key, std::string_view problem, std::string_view remedy) const {
  const toml::node* node = key.empty() ? nullptr : impl_->find(key);
  const toml::node& place = node ? *node : static_cast<const toml::node&>(*impl_->table);
  impl_->fail_at(place.source().begin.line, key, problem, remedy);
}

}  // namespace backlit
