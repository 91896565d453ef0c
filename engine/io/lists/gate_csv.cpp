// GATE's coincidences as a table: the columns of its ROOT tree by their names, as uproot and pandas write them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include "io/byte_source.hpp"
#include "io/header_fields.hpp"
#include "io/lists/crystal_finder.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// What is taken of each of the two photons.
enum Quantity { x, y, z, time, event, compton, rayleigh, quantities };
constexpr std::array<const char*, quantities> names{"globalPosX", "globalPosY",     "globalPosZ",     "time",
                                                    "eventID",    "comptonPhantom", "RayleighPhantom"};
constexpr std::array<const char*, quantities> meanings{
    "x", "y", "z", "time", "decay", "Compton scatters", "Rayleigh scatters"};
constexpr std::array<const char*, quantities> units{", mm", ", mm", ", mm", ", s", "", "", ""};
constexpr std::size_t most_line = 1 << 16;

/// Lines of a file, some MiB at a time.
class Lines {
 public:
  explicit Lines(const fs::path& path) : where_(path.string()), source_(open_bytes(path)) {}

  /// The next line, without its end; false at the end of the file. It stays until the next call.
  bool next(std::string_view& line) {
    while (true) {
      const std::size_t end = buffer_.find('\n', at_);
      if (end != std::string::npos || (offset_ == source_->size() && at_ < buffer_.size())) {
        const std::size_t stop = std::min(end, buffer_.size());
        line = trimmed(std::string_view(buffer_).substr(at_, stop - at_));
        at_ = std::min(stop + 1, buffer_.size());
        ++number_;
        return true;
      }
      if (offset_ == source_->size()) return false;
      fill();
    }
  }
  std::int64_t number() const { return number_; }
  const std::string& where() const { return where_; }
  void rewind() {
    buffer_.clear();
    at_ = 0;
    offset_ = number_ = 0;
  }

 private:
  void fill() {
    constexpr std::int64_t chunk = 1 << 22;
    buffer_.erase(0, at_);
    at_ = 0;
    if (buffer_.size() > most_line)
      throw InputError(where_, fmt::format("line {} is longer than {} bytes", number_ + 1, most_line),
                       "the file is no table, or damaged");
    const std::int64_t count = std::min(chunk, source_->size() - offset_);
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + static_cast<std::size_t>(count));
    source_->read(offset_, std::as_writable_bytes(std::span(buffer_).subspan(kept)));
    offset_ += count;
  }

  std::string where_;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::int64_t offset_ = 0, number_ = 0;
};

/// Which column holds what; -1: none.
struct Columns {
  std::array<std::array<int, quantities>, 2> of{};
  char separator = ',';

  bool has(Quantity q) const { return of[0][q] >= 0 && of[1][q] >= 0; }
};

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> all;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::string_view word = trimmed(line.substr(begin, end - begin));
    if (word.size() > 1 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
    all.push_back(word);
    begin = end + 1;
  }
  return all;
}

/// Times and decays of one photon alone are not used, nor are scatters where decays are not known: the kind of an event
/// follows from both.
void drop_halves(Columns& columns) {
  const auto drop = [&](Quantity q) { columns.of[0][q] = columns.of[1][q] = -1; };
  for (const Quantity q : {time, event})
    if (!columns.has(q)) drop(q);
  if (columns.has(event)) return;
  drop(compton);
  drop(rayleigh);
}

Columns columns_of(std::string_view heading) {
  Columns columns;
  for (const char separator : {';', '\t'})
    if (heading.find(separator) != std::string_view::npos) columns.separator = separator;
  for (auto& side : columns.of) side.fill(-1);
  const auto words = split(heading, columns.separator);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t q = 0; q < quantities; ++q)
        if (words[i] == fmt::format("{}{}", names[q], side + 1)) columns.of[side][q] = static_cast<int>(i);
  drop_halves(columns);
  return columns;
}

/// Columns that are used, with their units, and the others. GATE writes mm and s; its tables do not say so.
void note_columns(std::string_view heading, const std::string& line, HeaderFields& fields) {
  const Columns columns = columns_of(heading);
  const auto words = split(heading, columns.separator);
  for (std::size_t i = 0; i < words.size(); ++i) fields.add(std::string(words[i]), "(a column)", line);
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t q = 0; q < quantities; ++q)
      if (const int column = columns.of[side][q]; column >= 0) {
        const std::string name = fmt::format("{}{}", names[q], side + 1);
        fields.text(name);
        fields.note_fact(fmt::format("{} of photon {}", meanings[q], side + 1),
                         fmt::format("column {}{}", column + 1, units[q]), fields.source(name));
      }
}

class GateSource final : public ListModeSource {
 public:
  GateSource(const fs::path& path, std::shared_ptr<const Scanner> scanner, bool flip_tof)
      : lines_(path), scanner_(std::move(scanner)), finder_(*scanner_), sign_(flip_tof ? -1 : 1) {
    info_.format = "gate csv";
    info_.tof_fwhm_ps = scanner_->tof_fwhm_ps;
    read_heading();
    for (const Quantity q : {x, y, z})
      if (!columns_.has(q))
        throw InputError(path.string(), fmt::format("has no columns {0}1 and {0}2", names[q]),
                         "export the tree Coincidences with them");
    if (info_.has_tof() && !columns_.has(time))
      throw InputError(path.string(), "has no columns time1 and time2, which the scanner's time of flight needs",
                       "export them, or take a scanner without time of flight");
  }
  const ListModeInfo& info() const override { return info_; }
  ListModeCounts counts() const override { return counts_; }
  const std::string& heading() const { return heading_; }
  std::int64_t heading_line() const { return heading_line_; }
  void rewind() override {
    lines_.rewind();
    read_heading();
    counts_ = {};
  }

  bool read(std::int64_t most, EventList& out) override {
    out.clear();
    std::string_view line;
    while (out.size() < most && lines_.next(line))
      if (!line.empty() && line.front() != '#') take(line, out);
    return !out.empty();
  }

 private:
  void read_heading() {
    std::string_view line;
    while (lines_.next(line))
      if (!line.empty() && line.front() != '#') break;
    heading_ = std::string(line);
    heading_line_ = lines_.number();
    columns_ = columns_of(line);
  }

  void take(std::string_view line, EventList& out) {
    std::array<std::array<double, quantities>, 2> values{};
    const auto words = split(line, columns_.separator);
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t q = 0; q < quantities; ++q)
        if (columns_.of[side][q] >= 0) values[side][q] = number(words, columns_.of[side][q]);
    out.crystal1.push_back(crystal(values[0]));
    out.crystal2.push_back(crystal(values[1]));
    if (columns_.has(time)) {
      out.time_ms.push_back(static_cast<std::uint32_t>(std::clamp(1e3 * values[0][time], 0.0, 4294967295.0)));
      if (info_.has_tof()) out.dt_ps.push_back(static_cast<float>(sign_ * 1e12 * (values[0][time] - values[1][time])));
    }
    if (columns_.has(event)) out.kind.push_back(kind_of(values));
    ++counts_.prompts;
  }

  double number(const std::vector<std::string_view>& words, int column) const {
    const auto index = static_cast<std::size_t>(column);
    double value = 0;
    if (index < words.size()) {
      const std::string_view word = words[index];
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error == std::errc() && end == word.data() + word.size() && std::isfinite(value)) return value;
    }
    throw InputError(fmt::format("{}:{}", lines_.where(), lines_.number()),
                     fmt::format("column {} is no number", column + 1), "the file is damaged");
  }

  std::uint32_t crystal(const std::array<double, quantities>& v) const {
    const Vec3 point(v[x], v[y], v[z]);
    const CrystalFinder::Found found = finder_.nearest(point);
    if (!(found.distance <= finder_.reach()))
      throw InputError(fmt::format("{}:{}", lines_.where(), lines_.number()),
                       fmt::format("a photon at ({:.5g}, {:.5g}, {:.5g}) mm, where {} has no crystal", point.x, point.y,
                                   point.z, scanner_->name),
                       "is it the list of another scanner, or in other axes?");
    return found.crystal;
  }

  EventKind kind_of(const std::array<std::array<double, quantities>, 2>& v) const {
    if (v[0][event] != v[1][event]) return EventKind::random;
    const double scattered = v[0][compton] + v[1][compton] + v[0][rayleigh] + v[1][rayleigh];
    return scattered > 1 ? EventKind::multiple_scatter : scattered > 0 ? EventKind::scatter : EventKind::true_;
  }

  Lines lines_;
  std::shared_ptr<const Scanner> scanner_;
  CrystalFinder finder_;
  double sign_;
  std::string heading_;
  std::int64_t heading_line_ = 0;
  Columns columns_;
  ListModeInfo info_;
  ListModeCounts counts_;
};

ListModeFile open_gate(const fs::path& path, const ListModeOptions& options) {
  if (options.scanner.empty())
    throw InputError(path.string(), "GATE's tables do not hold their scanner", "give `scanner`");
  ListModeFile file{load_scanner(options.scanner), nullptr};
  auto events = std::make_unique<GateSource>(path, std::make_shared<const Scanner>(file.scanner), options.flip_tof);
  HeaderFields fields(path.string());
  note_columns(events->heading(), fmt::format("line {}", events->heading_line()), fields);
  fields.note_fact("scanner", file.scanner.name, options.scanner);
  if (events->info().has_tof())
    fields.note_fact("time resolution (FWHM)", with_unit(events->info().tof_fwhm_ps, "ps"), options.scanner);
  fields.add_to(file);
  file.events = std::move(events);
  return file;
}

}  // namespace

ListFormat gate_csv_format() {
  ListFormat f;
  f.name = "gate csv";
  f.title = "GATE coincidences";
  f.extensions = {".csv"};
  f.recognizes = [](const FileFront& front) {
    return front.bytes.find("globalPosX1") != std::string::npos && front.bytes.find("globalPosX2") != std::string::npos;
  };
  f.open = open_gate;
  f.notes =
      "a table with the tree's names of columns (`globalPosX1`, `time1`, `eventID1`, ...); photons go to the nearest "
      "crystal of `--scanner`";
  return f;
}

}  // namespace backlit::formats
