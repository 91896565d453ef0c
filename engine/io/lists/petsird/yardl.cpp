#include "io/lists/petsird/yardl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include <backlit/core/error.hpp>

namespace backlit::formats {
namespace {

using nlohmann::json;

constexpr int deepest = 64;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 31;
constexpr std::int64_t most_idle = 100'000;
constexpr std::size_t most_schema = 16u << 20;

bool is_varint(const std::string& name) {
  static const std::set<std::string> names{"uint16", "uint32", "uint64", "size",     "int16",
                                           "int32",  "int64",  "date",   "datetime", "time"};
  return names.contains(name);
}

/// Bytes of primitives of one size; 0 for others.
std::size_t fixed_bytes(const std::string& name) {
  static const std::map<std::string, std::size_t> sizes{{"bool", 1},           {"int8", 1},    {"uint8", 1},
                                                        {"float32", 4},        {"float64", 8}, {"complexfloat32", 8},
                                                        {"complexfloat64", 16}};
  const auto found = sizes.find(name);
  return found == sizes.end() ? 0 : found->second;
}

bool is_number(const YardlType& t) {
  if (!t.type->is_string()) return false;
  const auto& name = t.type->get_ref<const std::string&>();
  return is_varint(name) || fixed_bytes(name) > 0;
}

bool is_primitive(const std::string& name) { return name == "string" || is_varint(name) || fixed_bytes(name) > 0; }

}  // namespace

ByteCursor::ByteCursor(const std::filesystem::path& path)
    : where_(path.string()), source_(open_bytes(path)), buffer_(1 << 20) {}

void ByteCursor::fail(const std::string& problem) const {
  throw InputError(where_, fmt::format("{} before byte {}", problem, position()), "the file is damaged or cut off");
}

void ByteCursor::fill(std::size_t wanted) {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
            buffer_.begin());
  first_ += static_cast<std::int64_t>(at_);
  end_ -= at_;
  at_ = 0;
  const std::int64_t from = first_ + static_cast<std::int64_t>(end_);
  const auto more = static_cast<std::size_t>(
      std::min<std::int64_t>(source_->size() - from, static_cast<std::int64_t>(buffer_.size() - end_)));
  source_->read(from, std::as_writable_bytes(std::span(buffer_).subspan(end_, more)));
  end_ += more;
  if (end_ < wanted) fail("the stream ends");
}

std::pair<const std::uint8_t*, const std::uint8_t*> ByteCursor::ahead(std::size_t wanted) {
  if (end_ - at_ < wanted && left() > static_cast<std::int64_t>(end_ - at_)) fill(0);
  return {buffer_.data() + at_, buffer_.data() + end_};
}

void ByteCursor::bytes(void* out, std::size_t size) {
  auto* to = static_cast<std::uint8_t*>(out);
  while (size > 0) {
    if (at_ == end_) fill(1);
    const std::size_t n = std::min(size, end_ - at_);
    std::memcpy(to, buffer_.data() + at_, n);
    to += n;
    at_ += n;
    size -= n;
  }
}

void ByteCursor::skip(std::uint64_t size) {
  if (size > static_cast<std::uint64_t>(left())) fail("the stream ends");
  seek(position() + static_cast<std::int64_t>(size));
}

void ByteCursor::seek(std::int64_t position) {
  if (position >= first_ && position <= first_ + static_cast<std::int64_t>(end_)) {
    at_ = static_cast<std::size_t>(position - first_);
    return;
  }
  first_ = position;
  at_ = end_ = 0;
}

void ByteCursor::skip_varints(std::uint64_t count) {
  while (count > 0) {
    if (at_ == end_) fill(1);
    std::size_t at = at_;
    for (std::uint64_t bytes; count > sizeof bytes && end_ - at >= sizeof bytes; at += sizeof bytes) {
      std::memcpy(&bytes, buffer_.data() + at, sizeof bytes);
      const std::uint64_t ends = (~bytes & 0x8080808080808080u) >> 7;  // the top bit of a varint's last byte is clear
      count -= ends * 0x0101010101010101u >> 56;
    }
    for (; count > 0 && at < end_; ++at) count -= buffer_[at] < 128;
    at_ = at;
  }
}

std::uint64_t ByteCursor::count(const char* of) {
  const std::uint64_t n = varint();
  if (n > static_cast<std::uint64_t>(left())) fail(fmt::format("{} {} in {} bytes", n, of, left()));
  return n;
}

std::string ByteCursor::text() {
  std::string text(count("letters"), '\0');
  bytes(text.data(), text.size());
  return text;
}

const YardlValue* YardlValue::find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &std::pair<std::string, YardlValue>::first);
  if (found == fields.end() || !found->second.present) return nullptr;
  found->second.asked = true;
  return &found->second;
}

YardlReader::YardlReader(const std::filesystem::path& path) : cursor_(path) {
  char magic[9];
  cursor_.bytes(magic, sizeof magic);
  if (std::memcmp(magic, "yardl\1\0\0\0", sizeof magic) != 0)
    throw InputError(path.string(), "is no binary stream of yardl, version 1", "write it in binary form");
  const std::string text = cursor_.text();
  if (text.size() > most_schema) throw InputError(path.string(), "its schema is larger than 16 MiB", "it is damaged");
  try {
    schema_ = std::make_unique<const json>(json::parse(text));
    protocol_ = schema_->at("protocol").at("name").get<std::string>();
    for (const json& step : schema_->at("protocol").at("sequence"))
      steps_.emplace_back(step.at("name").get<std::string>(), YardlType{&step.at("type")});
    for (const json& type : schema_->at("types")) type.at("name").get_ref<const std::string&>();
  } catch (const json::exception&) {
    throw InputError(path.string(), "its schema cannot be read", "the file is damaged");
  }
}

YardlReader::~YardlReader() = default;

void YardlReader::account(std::uint64_t count, std::uint64_t bytes_each) {
  bytes_ += count * bytes_each;
  if (bytes_ > most_bytes) cursor_.fail("a header that takes more than 2 GiB");
}

void YardlReader::enter(int depth) {
  if (depth > deepest) cursor_.fail("values within values without end");
  idle_ = cursor_.position() == last_ ? idle_ + 1 : 0;
  last_ = cursor_.position();
  if (idle_ > most_idle) cursor_.fail("values without end that take no room");
}

const json* YardlReader::definition(const std::string& name) const {
  const std::size_t dot = name.find('.');
  const std::string bare = dot == std::string::npos ? name : name.substr(dot + 1);
  for (const json& type : schema_->at("types"))
    if (type["name"].get_ref<const std::string&>() == bare) return &type;
  return nullptr;
}

YardlType YardlReader::resolved(YardlType t, int depth) const {
  const auto fail = [&](const std::string& what) {
    throw InputError(cursor_.where(), fmt::format("its schema {}", what), "the file is damaged, or of a newer kind");
  };
  if (depth > deepest) fail("has types within types without end");
  if (!t.type) fail("leaves a type out");
  if (t.type->is_string()) {
    const std::string& name = t.type->get_ref<const std::string&>();
    if (t.arguments)
      for (const auto& [parameter, argument] : *t.arguments)
        if (parameter == name) return resolved(argument, depth + 1);
    if (is_primitive(name)) return t;
    const json* found = definition(name);
    if (!found) fail(fmt::format("does not define {}", name.substr(0, 60)));
    return resolved({found}, depth + 1);
  }
  if (!t.type->is_object()) return t;
  if (t.type->contains("typeArguments")) {
    const json* generic = definition(t.type->value("name", ""));
    if (!generic || !generic->contains("typeParameters")) fail("uses a generic that it does not define");
    auto arguments = std::make_shared<std::vector<std::pair<std::string, YardlType>>>();
    const json &given = (*t.type)["typeArguments"], &wanted = (*generic)["typeParameters"];
    if (!given.is_array() || !wanted.is_array() || given.size() != wanted.size())
      fail("gives a generic other arguments");
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (!wanted[i].is_string()) fail("names a parameter by no word");
      arguments->emplace_back(wanted[i].get<std::string>(), YardlType{&given[i], t.arguments});
    }
    return resolved({generic, std::move(arguments)}, depth + 1);
  }
  // An alias: {"name", "type"}. Records, enums, vectors and arrays are resolved already.
  if (t.type->contains("type") && !t.type->contains("fields") && !t.type->contains("values"))
    return resolved({&(*t.type)["type"], t.arguments}, depth + 1);
  return t;
}

std::vector<std::pair<std::string, YardlType>> YardlReader::fields(const YardlType& given) const {
  const YardlType t = resolved(given);
  std::vector<std::pair<std::string, YardlType>> all;
  if (!t.type->is_object() || !t.type->contains("fields")) return all;
  for (const json& field : (*t.type)["fields"])
    if (field.is_object() && field.contains("type"))
      all.emplace_back(field.value("name", ""), YardlType{&field["type"], t.arguments});
  return all;
}

bool YardlReader::is_optional(const YardlType& given) const {
  const YardlType t = resolved(given);
  return t.type->is_array() && t.type->size() == 2 && (*t.type)[0].is_null();
}

YardlType YardlReader::items(const YardlType& given) const {
  const YardlType t = resolved(given);
  if (is_optional(t)) return {&(*t.type)[1], t.arguments};
  if (!t.type->is_object()) return {};
  for (const char* kind : {"vector", "stream"})
    if (t.type->contains(kind)) {
      const json& inner = (*t.type)[kind];
      if (inner.is_object() && inner.contains("items") && !inner.contains("length"))
        return {&inner["items"], t.arguments};
    }
  return {};
}

std::vector<std::pair<std::string, YardlType>> YardlReader::choices(const YardlType& given) const {
  const YardlType t = resolved(given);
  std::vector<std::pair<std::string, YardlType>> all;
  if (!t.type->is_array()) return all;
  for (const json& choice : *t.type)
    if (choice.is_object() && choice.contains("tag") && choice.contains("type"))
      all.emplace_back(choice["tag"].is_string() ? choice["tag"].get<std::string>() : "",
                       YardlType{&choice["type"], t.arguments});
    else
      all.emplace_back("", choice.is_null() ? YardlType{} : YardlType{&choice, t.arguments});
  return all;
}

double YardlReader::primitive(const std::string& name) {
  if (is_varint(name))
    return name[0] == 'u' || name == "size" ? static_cast<double>(cursor_.varint())
                                            : static_cast<double>(cursor_.zigzag());
  if (name == "float32") {
    float value;
    cursor_.bytes(&value, sizeof value);
    return static_cast<double>(value);
  }
  if (name == "float64") {
    double value;
    cursor_.bytes(&value, sizeof value);
    return value;
  }
  if (name == "int8") return static_cast<std::int8_t>(cursor_.byte());
  if (fixed_bytes(name) == 1) return cursor_.byte();
  cursor_.skip(fixed_bytes(name));  // complex numbers are not used
  return 0;
}

std::vector<std::int64_t> YardlReader::array_shape(const json& array) {
  std::vector<std::int64_t> shape;
  std::uint64_t values = 1;
  const auto add = [&](std::uint64_t length) {
    if (__builtin_mul_overflow(values, length, &values) || values > static_cast<std::uint64_t>(cursor_.left()))
      cursor_.fail("an array that is larger than its file");
    shape.push_back(static_cast<std::int64_t>(length));
  };
  const json* const dimensions = array.contains("dimensions") ? &array["dimensions"] : nullptr;
  if (!dimensions || dimensions->is_null() || dimensions->is_number()) {
    const std::uint64_t rank =
        dimensions && dimensions->is_number_unsigned() ? dimensions->get<std::uint64_t>() : cursor_.count("dimensions");
    if (rank > 16) cursor_.fail("an array of more than 16 dimensions");
    for (std::uint64_t i = 0; i < rank; ++i) add(cursor_.varint());
    return shape;
  }
  if (!dimensions->is_array() || dimensions->size() > 16) cursor_.fail("an array without proper dimensions");
  bool fixed = true;
  for (const json& d : *dimensions)
    fixed = fixed && d.is_object() && d.contains("length") && d["length"].is_number_unsigned();
  for (const json& d : *dimensions) add(fixed ? d["length"].get<std::uint64_t>() : cursor_.varint());
  return shape;
}

YardlValue YardlReader::list(const YardlType& given, std::uint64_t count, int depth) {
  YardlValue v;
  const YardlType item = resolved(given);
  if (is_number(item)) {
    account(count, sizeof(double));
    const std::string& name = item.type->get_ref<const std::string&>();
    v.numbers.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) v.numbers.push_back(primitive(name));
    return v;
  }
  for (std::uint64_t i = 0; i < count; ++i) v.items.push_back(value(item, depth + 1));
  return v;
}

YardlValue YardlReader::value(const YardlType& given, int depth) {
  enter(depth);
  const YardlType t = resolved(given);
  YardlValue v;
  account(1, sizeof(YardlValue));
  if (t.type->is_string()) {
    const std::string& name = t.type->get_ref<const std::string&>();
    v.scalar = name != "string";
    if (v.scalar)
      v.number = primitive(name);
    else
      v.text = cursor_.text();
    return v;
  }
  if (t.type->is_array()) {  // a union, or an optional
    const auto all = choices(t);
    const std::uint64_t index = cursor_.varint();
    if (index >= all.size()) cursor_.fail(fmt::format("choice {} of {}", index, all.size()));
    const auto& [tag, type] = all[index];
    v.present = type.type != nullptr;
    if (!v.present) return v;
    if (is_optional(t)) return value(type, depth + 1);
    v.fields.emplace_back(tag, value(type, depth + 1));
    return v;
  }
  if (t.type->contains("fields")) {
    for (const auto& [name, type] : fields(t)) v.fields.emplace_back(name, value(type, depth + 1));
    return v;
  }
  if (t.type->contains("values")) {  // an enum
    v.scalar = true;
    v.number = primitive(t.type->value("base", "int32"));
    for (const json& symbol : (*t.type)["values"])
      if (symbol.is_object() && symbol.contains("value") && symbol["value"].is_number() &&
          symbol["value"].get<double>() == v.number)
        v.text = symbol.value("symbol", "");
    return v;
  }
  if (t.type->contains("vector") && (*t.type)["vector"].is_object()) {
    const json& vector = (*t.type)["vector"];
    if (!vector.contains("items")) cursor_.fail("a vector of nothing");
    const bool fixed = vector.contains("length") && vector["length"].is_number_unsigned();
    const std::uint64_t n = fixed ? vector["length"].get<std::uint64_t>() : cursor_.count("values");
    if (n > static_cast<std::uint64_t>(cursor_.left())) cursor_.fail("a vector that is larger than its file");
    return list({&vector["items"], t.arguments}, n, depth);
  }
  if (t.type->contains("array") && (*t.type)["array"].is_object()) {
    const json& array = (*t.type)["array"];
    if (!array.contains("items")) cursor_.fail("an array of nothing");
    const auto shape = array_shape(array);
    std::uint64_t n = 1;
    for (const std::int64_t length : shape) n *= static_cast<std::uint64_t>(length);
    v = list({&array["items"], t.arguments}, n, depth);
    v.shape = shape;
    return v;
  }
  if (t.type->contains("map") && (*t.type)["map"].is_object()) {
    const json& map = (*t.type)["map"];
    if (!map.contains("keys") || !map.contains("values")) cursor_.fail("a map of nothing");
    for (std::uint64_t n = cursor_.count("entries"); n > 0; --n) {
      v.items.push_back(value({&map["keys"], t.arguments}, depth + 1));
      v.items.push_back(value({&map["values"], t.arguments}, depth + 1));
    }
    return v;
  }
  cursor_.fail("a type that is not known here");
}

void YardlReader::skip(const YardlType& given, int depth) {
  enter(depth);
  const YardlType t = resolved(given);
  if (t.type->is_string() && fixed_bytes(t.type->get_ref<const std::string&>()) > 0)
    return cursor_.skip(fixed_bytes(t.type->get_ref<const std::string&>()));
  if (t.type->is_array() || t.type->is_string() || t.type->contains("values")) {
    value(t, depth);
    bytes_ = 0;  // the value is not kept
    return;
  }
  for (const auto& [name, type] : fields(t)) skip(type, depth + 1);
  if (t.type->contains("fields")) return;
  const YardlType item = items(t);
  if (!item.type) {
    value(t, depth);
    bytes_ = 0;  // the value is not kept
    return;
  }
  const YardlType inner = resolved(item);
  const std::uint64_t n = cursor_.count("values");
  const std::size_t size = inner.type->is_string() ? fixed_bytes(inner.type->get_ref<const std::string&>()) : 0;
  if (size > 0) return cursor_.skip(n * size);
  for (std::uint64_t i = 0; i < n; ++i) skip(inner, depth + 1);
}

}  // namespace backlit::formats
