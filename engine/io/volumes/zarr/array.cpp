#include "io/volumes/zarr/array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "io/byte_source.hpp"
#include "io/header_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::zarr {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

SampleType type_of(const std::string& name, const std::string& where) {
  constexpr std::pair<const char*, SampleType> types[] = {
      {"u1", SampleType::u8},      {"i1", SampleType::i8},       {"u2", SampleType::u16},
      {"i2", SampleType::i16},     {"u4", SampleType::u32},      {"i4", SampleType::i32},
      {"u8", SampleType::u64},     {"i8", SampleType::i64},      {"f2", SampleType::f16},
      {"f4", SampleType::f32},     {"f8", SampleType::f64},      {"uint8", SampleType::u8},
      {"int8", SampleType::i8},    {"uint16", SampleType::u16},  {"int16", SampleType::i16},
      {"uint32", SampleType::u32}, {"int32", SampleType::i32},   {"uint64", SampleType::u64},
      {"int64", SampleType::i64},  {"float16", SampleType::f16}, {"float32", SampleType::f32},
      {"float64", SampleType::f64}};
  for (const auto& [known, type] : types)
    if (name == known) return type;
  throw InputError(where, fmt::format("its values are of type '{}'", name), "integers and floats are read");
}

float fill_of(const json& value) {
  if (value.is_number()) return value.get<float>();
  return 0;  // null, and NaN as text: what is missing shall not spoil the rest
}

}  // namespace

json read_json(const fs::path& path) {
  const std::string text = read_small_text(path);
  const json parsed = json::parse(text, nullptr, false);
  if (parsed.is_discarded() || !parsed.is_object())
    throw InputError(path.string(), "is no proper JSON", "the file is damaged");
  return parsed;
}

bool Array::is_array(const fs::path& folder) {
  std::error_code error;
  if (fs::is_regular_file(folder / ".zarray", error)) return true;
  if (!fs::is_regular_file(folder / "zarr.json", error)) return false;
  try {
    return read_json(folder / "zarr.json").value("node_type", "") == "array";
  } catch (const InputError&) {
    return false;
  } catch (const json::exception&) {
    return false;
  }
}

Array::Array(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  const bool second = fs::is_regular_file(folder_ / ".zarray", error);
  const fs::path file = folder_ / (second ? ".zarray" : "zarr.json");
  where_ = file.string();
  const json metadata = read_json(file);
  try {
    if (second)
      parse_2(metadata);
    else
      parse_3(metadata);
  } catch (const json::exception& e) {
    throw InputError(where_, fmt::format("is no description of an array: {}", e.what()), "the file is damaged");
  }
  check_size();
}

void Array::parse_2(const json& m) {
  set_shape(m.at("shape"), m.at("chunks"));
  const std::string type = m.at("dtype").get<std::string>();
  if (type.size() < 3) throw InputError(where_, fmt::format("its values are of type '{}'", type));
  samples_ = {type_of(type.substr(1), where_), type.front() == '>'};
  if (m.value("order", "C") != "C")
    throw InputError(where_, "its chunks are in Fortran's order", "write it again with order='C'");
  if (const auto filters = m.find("filters"); filters != m.end() && !filters->is_null() && !filters->empty())
    throw InputError(where_, "its chunks are filtered", "write it again without filters");
  if (const auto c = m.find("compressor"); c != m.end() && !c->is_null())
    codec_ = codec_named(c->at("id").get<std::string>(), where_);
  fill_ = fill_of(m.value("fill_value", json()));
  separator_ = m.value("dimension_separator", ".") == "/" ? "/" : ".";
}

void Array::parse_3(const json& m) {
  const json& grid = m.at("chunk_grid");
  if (grid.at("name") != "regular") throw InputError(where_, "its chunks are not a regular grid");
  set_shape(m.at("shape"), grid.at("configuration").at("chunk_shape"));
  samples_.type = type_of(m.at("data_type").get<std::string>(), where_);
  for (const json& codec : m.at("codecs")) {
    const std::string name = codec.at("name").get<std::string>();
    const json configuration = codec.value("configuration", json::object());
    if (name == "bytes")
      samples_.big_endian = configuration.value("endian", "little") == "big";
    else if (name == "sharding_indexed")
      throw InputError(where_, "its chunks lie together in shards, which are not read",
                       "write it again without shards");
    else if (codec_ != Codec::none)
      throw InputError(where_, "its chunks are packed twice", "write it again with one codec");
    else
      codec_ = codec_named(name, where_);
  }
  fill_ = fill_of(m.value("fill_value", json()));
  const json keys = m.value("chunk_key_encoding", json::object());
  const bool plain = keys.value("name", "default") == "v2";
  prefix_ = plain ? "" : "c";
  separator_ = keys.value("configuration", json::object()).value("separator", plain ? "." : "/") == "/" ? "/" : ".";
}

void Array::set_shape(const json& shape, const json& chunks) {
  dimensions_ = shape.size();
  if (dimensions_ < 2 || dimensions_ > 8 || chunks.size() != dimensions_)
    throw InputError(where_, fmt::format("has {} axes", dimensions_), "2 or 3 axes of space are read");
  for (std::size_t i = 0; i < dimensions_; ++i) {
    if (!shape[i].is_number_integer() || !chunks[i].is_number_integer())
      throw InputError(where_, fmt::format("axis {} has no whole number of values", i), "the file is damaged");
    const auto size = shape[i].get<std::int64_t>(), chunk = chunks[i].get<std::int64_t>();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (size < 1 || chunk < 1 || size > most || chunk > most)
      throw InputError(where_, fmt::format("axis {} has {} values in chunks of {}", i, size, chunk),
                       "the file is damaged");
    const std::size_t from_end = dimensions_ - 1 - i;
    if (from_end < 3) {
      shape_[2 - from_end] = size;
      chunk_[2 - from_end] = chunk;
    } else if (size != 1 || chunk != 1) {
      throw InputError(where_, fmt::format("has {} volumes (channels or times)", size),
                       "save the one that you want on its own");
    }
  }
}

/// No honest array is very much larger than its chunks on the disk.
void Array::check_size() const {
  constexpr std::int64_t small = std::int64_t{1} << 26, expansion = 4096, largest_chunk = std::int64_t{1} << 30;
  StackInfo info;
  info.columns = shape_[2];
  info.rows = shape_[1];
  info.images = shape_[0];
  const std::int64_t bytes = packed_bytes(info, samples_.type, where_);
  StackInfo one;
  one.columns = chunk_[2];
  one.rows = chunk_[1];
  one.images = chunk_[0];
  if (packed_bytes(one, samples_.type, where_) > largest_chunk)
    throw InputError(where_, fmt::format("its chunks are larger than {} bytes", largest_chunk), "use smaller chunks");
  if (bytes <= small) return;
  std::int64_t stored = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder_, error), last; !error && entry != last; entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) stored += static_cast<std::int64_t>(entry->file_size(ignored));
    if (stored > bytes / expansion) return;
  }
  throw InputError(
      where_,
      fmt::format("{} bytes on the disk cannot hold {} x {} x {} values", stored, shape_[2], shape_[1], shape_[0]),
      "the file is damaged, or nearly all of it is empty");
}

fs::path Array::chunk_file(const std::array<std::int64_t, 3>& index) const {
  std::vector<std::string> parts;
  if (!prefix_.empty()) parts.emplace_back(prefix_);
  for (std::size_t axis = dimensions_; axis-- > 0;) parts.push_back(std::to_string(axis < 3 ? index[2 - axis] : 0));
  return folder_ / fmt::format("{}", fmt::join(parts, separator_));
}

void Array::read_chunk(const std::array<std::int64_t, 3>& index, std::span<float> layer) const {
  const std::int64_t z0 = index[0] * chunk_[0], y0 = index[1] * chunk_[1], x0 = index[2] * chunk_[2];
  const std::int64_t depth = std::min(chunk_[0], shape_[0] - z0), height = std::min(chunk_[1], shape_[1] - y0);
  const auto width = static_cast<std::size_t>(std::min(chunk_[2], shape_[2] - x0));
  const auto row_of = [&](std::int64_t z, std::int64_t y) {
    return layer.subspan(static_cast<std::size_t>((z * shape_[1] + y0 + y) * shape_[2] + x0), width);
  };
  const fs::path file = chunk_file(index);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    for (std::int64_t z = 0; z < depth; ++z)
      for (std::int64_t y = 0; y < height; ++y) std::ranges::fill(row_of(z, y), fill_);
    return;
  }
  const auto source = open_bytes(file);
  std::vector<std::byte> packed(static_cast<std::size_t>(source->size()));
  source->read(0, packed);
  const std::int64_t value = sample_bytes(samples_.type);
  std::vector<std::byte> bytes(static_cast<std::size_t>(chunk_[0] * chunk_[1] * chunk_[2] * value));
  unpack(codec_, packed, bytes, file.string());
  for (std::int64_t z = 0; z < depth; ++z)
    for (std::int64_t y = 0; y < height; ++y) {
      const std::int64_t at = (z * chunk_[1] + y) * chunk_[2] * value;
      convert_samples(std::span<const std::byte>(bytes).subspan(static_cast<std::size_t>(at)), samples_, row_of(z, y));
    }
}

void Array::read_layer(std::int64_t layer, std::span<float> out) const {
  const std::int64_t across = (shape_[2] + chunk_[2] - 1) / chunk_[2], down = (shape_[1] + chunk_[1] - 1) / chunk_[1];
  parallel_for(across * down, [&](std::int64_t i) { read_chunk({layer, i / across, i % across}, out); });
}

}  // namespace backlit::zarr
