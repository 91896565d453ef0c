#include <backlit/recon/checkpoint.hpp>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include <backlit/core/parameter.hpp>
#include "device/shared_arrays.hpp"

namespace backlit {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view magic = "backlit checkpoint 1\n";
constexpr std::int64_t most_header = std::int64_t{64} << 20;  // bytes
constexpr std::size_t piece = std::size_t{4} << 20;           // bytes read or checked at once

std::uint32_t crc_of(std::uint32_t crc, std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

/// A stream that keeps the check sum of what went through it.
struct CheckedOutput {
  std::ofstream out;
  std::uint32_t crc = 0;
  void write(std::span<const std::byte> bytes) {
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    crc = crc_of(crc, bytes);
  }
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
};

std::string read_line(std::istream& in, std::size_t most) {
  std::string line;
  for (char c = 0; line.size() < most && in.get(c);) {
    line += c;
    if (c == '\n') return line;
  }
  return {};
}

InputError damaged(const std::filesystem::path& path, const std::string& how) {
  return {path.string(), "is damaged: " + how, "go on from an earlier checkpoint or start again"};
}

/// What one backend stores as floats and another as doubles; false where it is neither of this many values.
bool restore_converted(Backend& backend, std::span<const std::byte> bytes, DeviceArray& array) {
  std::vector<float> values(static_cast<std::size_t>(array.count()));
  if (bytes.size() == values.size() * sizeof(float)) {
    std::memcpy(values.data(), bytes.data(), bytes.size());
  } else if (bytes.size() == values.size() * sizeof(double)) {
    std::vector<double> wide(values.size());
    std::memcpy(wide.data(), bytes.data(), bytes.size());
    std::ranges::transform(wide, values.begin(), [](double v) { return static_cast<float>(v); });
  } else {
    return false;
  }
  backend.upload(values, array);
  return true;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const RunFacts& facts, Backend& backend,
                     const RunState& state) {
  if (Ranks* const ranks = ranks_of(backend); ranks && ranks->rank() > 0) {  // rank 0 writes
    for (const auto& [name, array] : state.arrays) store_pieces(backend, *array, {});
    return;
  }
  Json header{{"facts", Json::array()},
              {"block_views", state.block_views},
              {"residuals", state.residuals},
              {"numbers", Json::array()},
              {"arrays", Json::array()}};
  for (const auto& [name, value] : facts) header["facts"].push_back({name, value});
  for (const auto& [name, value] : state.numbers) header["numbers"].push_back({name, *value});
  for (const auto& [name, array] : state.arrays) header["arrays"].push_back({name, backend.stored_bytes(*array)});
  const std::string text = header.dump();

  AtomicFile file(path);
  CheckedOutput to{std::ofstream(file.path(), std::ios::binary)};
  to.write(magic);
  to.write(fmt::format("{}\n", text.size()));
  to.write(text);
  for (const auto& [name, array] : state.arrays)
    store_pieces(backend, *array, [&](std::span<const std::byte> bytes) { to.write(bytes); });
  std::array<std::byte, 4> sum;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = static_cast<std::byte>(to.crc >> (8 * i));
  to.write(sum);
  to.out.close();
  if (!to.out) throw Failure(path.string(), "could not be written", "is the disk full?");
  file.commit();
}

struct Checkpoint::Contents {
  RunFacts facts;
  std::int64_t block_views = 0;
  std::vector<double> residuals;
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::pair<std::string, std::int64_t>> arrays;  ///< bytes
  std::int64_t first_byte = 0;                               ///< of the arrays

  /// Throws nlohmann's exceptions for what does not fit.
  explicit Contents(const Json& header)
      : facts(header.at("facts").get<RunFacts>()),
        block_views(header.at("block_views")),
        residuals(header.at("residuals").get<std::vector<double>>()),
        numbers(header.at("numbers").get<decltype(numbers)>()),
        arrays(header.at("arrays").get<decltype(arrays)>()) {}
};

namespace {

void check_sum(std::istream& in, const std::filesystem::path& path, std::int64_t size) {
  in.clear();
  in.seekg(0);
  std::vector<std::byte> bytes(piece);
  std::uint32_t crc = 0;
  for (std::int64_t left = size - 4; left > 0;) {
    const auto part = static_cast<std::size_t>(std::min<std::int64_t>(left, static_cast<std::int64_t>(piece)));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(part));
    if (!in) throw damaged(path, "it cannot be read to its end");
    crc = crc_of(crc, std::span(bytes).first(part));
    left -= static_cast<std::int64_t>(part);
  }
  std::array<unsigned char, 4> sum{};
  in.read(reinterpret_cast<char*>(sum.data()), sum.size());
  std::uint32_t stored = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) stored |= static_cast<std::uint32_t>(sum[i]) << (8 * i);
  if (!in || stored != crc) throw damaged(path, "its check sum is wrong");
}

}  // namespace

Checkpoint::Checkpoint(std::filesystem::path path) : path_(std::move(path)) {
  require_regular_file(path_);
  std::error_code error;
  const auto file_size = std::filesystem::file_size(path_, error);
  std::ifstream in(path_, std::ios::binary);
  if (error || !in) throw InputError(path_.string(), "cannot be read", "name a file that `checkpoint` wrote");
  const auto size = static_cast<std::int64_t>(file_size);
  if (read_line(in, magic.size()) != magic)
    throw InputError(path_.string(), "is no checkpoint", "name a file that `checkpoint` wrote");
  const std::string line = read_line(in, 20);
  std::int64_t length = 0;
  const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), length);
  const auto start = static_cast<std::int64_t>(magic.size() + line.size());
  if (failed != std::errc{} || line.empty() || end != &line.back() || length < 2 || length > most_header ||
      length > size - start - 4)
    throw damaged(path_, "its header does not fit the file");
  std::string text(static_cast<std::size_t>(length), '\0');
  in.read(text.data(), length);
  try {
    contents_ = std::make_unique<Contents>(Json::parse(text));
  } catch (const Json::exception&) {
    throw damaged(path_, "its header cannot be understood");
  }
  contents_->first_byte = start + length;
  std::int64_t left = size - contents_->first_byte - 4;
  for (const auto& [name, bytes] : contents_->arrays) {
    if (bytes < 0 || bytes > left) throw damaged(path_, "it is cut off");
    left -= bytes;
  }
  if (left != 0 || contents_->block_views < 1) throw damaged(path_, "its header does not fit the file");
  check_sum(in, path_, size);
}

Checkpoint::~Checkpoint() = default;

std::int64_t Checkpoint::iterations() const { return static_cast<std::int64_t>(contents_->residuals.size()); }
std::int64_t Checkpoint::block_views() const { return contents_->block_views; }

void Checkpoint::require(const RunFacts& facts) const {
  for (const auto& [name, value] : facts) {
    const auto theirs = std::find_if(contents_->facts.begin(), contents_->facts.end(),
                                     [&, &key = name](const auto& fact) { return fact.first == key; });
    const std::string was = theirs == contents_->facts.end() ? "nothing" : theirs->second;
    if (was != value)
      throw InputError(path_.string(),
                       fmt::format("{} was {} in the run that wrote it and is {} now", name, was, value),
                       "resume with the same scan and options");
  }
}

void Checkpoint::restore(Backend& backend, RunState& state) const {
  const auto same_names = [](const auto& mine, const auto& theirs) {
    return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                      [](const auto& a, const auto& b) { return a.first == b.first; });
  };
  if (!same_names(state.numbers, contents_->numbers) || !same_names(state.arrays, contents_->arrays))
    throw InputError(path_.string(), "holds the state of another method", "resume with the same scan and options");
  state.block_views = contents_->block_views;
  state.residuals = contents_->residuals;
  for (std::size_t i = 0; i < state.numbers.size(); ++i) *state.numbers[i].second = contents_->numbers[i].second;
  std::ifstream in(path_, std::ios::binary);
  std::int64_t first = contents_->first_byte;  // of an array
  const auto read = [&](std::int64_t offset, std::span<std::byte> bytes) {
    in.seekg(first + offset);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!in) throw Failure(path_.string(), "could not be read a second time");
  };
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < state.arrays.size(); first += contents_->arrays[i].second, ++i) {
    DeviceArray& array = *state.arrays[i].second;
    if (contents_->arrays[i].second == backend.stored_bytes(array)) {
      restore_pieces(backend, read, array);
      continue;
    }
    bytes.resize(static_cast<std::size_t>(contents_->arrays[i].second));
    read(0, bytes);
    if (!restore_converted(backend, bytes, array))
      throw InputError(path_.string(), fmt::format("its {} has another size", state.arrays[i].first),
                       "resume with the same scan and options");
  }
}

}  // namespace backlit
