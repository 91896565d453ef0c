#include "stream/folder_feed.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/io/toml_reader.hpp>
#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit::stream {
namespace fs = std::filesystem;
namespace {

/// The last run of digits in a file's name without its extension.
std::optional<std::int64_t> number_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  std::size_t end = stem.size();
  while (end > 0 && !std::isdigit(static_cast<unsigned char>(stem[end - 1]))) --end;
  std::size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(stem[begin - 1]))) --begin;
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(stem.data() + begin, stem.data() + end, number);
  if (begin == end || error != std::errc{}) return {};
  return number;
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// Whether the file has parts that were never written: the writer is still at work, or these parts are zeros.
bool has_holes(const fs::path& path, std::uintmax_t size) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const off_t hole = file >= 0 ? ::lseek(file, 0, SEEK_HOLE) : -1;
  if (file >= 0) ::close(file);
  return hole >= 0 && static_cast<std::uintmax_t>(hole) < size;
}

}  // namespace

bool FolderFeed::settled(Candidate& c, const fs::path& file) const {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  const auto written = error ? fs::file_time_type{} : fs::last_write_time(file, error);
  if (error || size == 0) return false;
  if (size == c.size && written == c.written) {
    const double still = seconds_since(c.since);
    return still >= rest && (still >= rest_with_holes || !has_holes(file, size));
  }
  c.size = size;
  c.written = written;
  c.since = Clock::now();
  return false;
}

FolderFeed::FolderFeed(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  if (!fs::is_directory(folder_, error)) throw InputError(folder_.string(), "not a folder", "name one that exists");
}

void FolderFeed::look_for_scan() {
  try {
    read_scan();
    problem_.clear();
  } catch (const InputError& error) {
    if (problem_ != error.what()) note(problem_ = error.what());
  }
}

void FolderFeed::read_scan() {
  fs::path found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error))
    if (entry.path().filename().string().ends_with(".scan.toml")) {
      if (!found.empty()) throw InputError(folder_.string(), "holds several .scan.toml files", "leave one there");
      found = entry.path();
    }
  if (error) throw InputError(folder_.string(), "can no longer be read", error.message());
  if (found.empty() || !settled(scan_candidate_, found)) return;
  try {
    ScanFile scan = load_scan_geometry(found);
    const auto data = TomlTable::parse_file(found).table("data");
    const auto pattern = data ? data->text("projections") : std::nullopt;
    if (!pattern) throw InputError(found.string(), "[data] projections is missing", "write \"view_*.tif\" there, say");
    if (data->text("kind").value_or("line_integrals") != "line_integrals")
      throw InputError(found.string(), "only line integrals can be watched", "write kind = \"line_integrals\"");
    pattern_ = resolve_path(folder_, *pattern);
    scale_ = data->number("scale").value_or(1);
    scan_ = std::move(scan);
  } catch (const InputError&) {
    // The scan file may be incomplete.
    if (seconds_since(scan_candidate_.since) > patience) throw;
  }
}

std::optional<ArrivedView> FolderFeed::read(const fs::path& file, std::int64_t index) {
  const Detector& d = scan_->scan.detector;
  Candidate& candidate = candidates_[file];
  if (!settled(candidate, file)) return {};
  try {
    const auto reader = open_stack(file.string());
    const StackInfo& info = reader->info();
    if (info.columns != d.columns || info.rows != d.rows || info.images != 1)
      throw InputError(file.string(), fmt::format("{} x {} x {} values", info.columns, info.rows, info.images),
                       fmt::format("a view has {} x {}", d.columns, d.rows));
    ArrivedView view{index, std::vector<float>(static_cast<std::size_t>(d.pixels()))};
    reader->read(0, 1, view.values);
    for (float& v : view.values) v *= static_cast<float>(scale_);
    if (std::any_of(view.values.begin(), view.values.end(), [](float v) { return !std::isfinite(v); }))
      throw InputError(file.string(), "holds values that are not finite");
    return view;
  } catch (const Error& error) {
    if (!candidate.told && seconds_since(candidate.since) > patience) {
      candidate.told = true;
      note(fmt::format("waiting for view {}: {}", index, error.what()));
    }
    return {};
  }
}

std::vector<ArrivedView> FolderFeed::poll() {
  if (!scan_) look_for_scan();
  std::vector<ArrivedView> arrived;
  if (!scan_) return arrived;
  std::vector<std::pair<std::int64_t, fs::path>> files;
  for (const fs::path& file : natural_glob(pattern_))
    if (const auto number = number_of(file); number && !done_.contains(file)) files.push_back({*number, file});
  if (files.empty()) return arrived;
  std::sort(files.begin(), files.end());
  for (const auto& [number, file] : files) {
    if (arrived.size() >= most_at_once) break;
    const std::int64_t index = number - first_number_.value_or(files.front().first);
    if (index < 0 || index >= scan_->scan.view_count()) {
      note(fmt::format("{}: the scan has no view {}", file.string(), index));
      done_.insert(file);
      continue;
    }
    auto view = read(file, index);
    if (!view) continue;
    if (!first_number_) first_number_ = files.front().first;
    done_.insert(file);
    candidates_.erase(file);
    arrived.push_back(std::move(*view));
  }
  return arrived;
}

std::string FolderFeed::waiting_for() const {
  if (scan_) return fmt::format("waiting for {}", pattern_);
  if (!problem_.empty()) return "waiting until this is fixed: " + problem_;
  return fmt::format("waiting for a .scan.toml in {}", folder_.string());
}

}  // namespace backlit::stream
