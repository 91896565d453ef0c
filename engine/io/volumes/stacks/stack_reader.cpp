#include <backlit/io/volumes/stack_reader.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>

#include <algorithm>
#include <cctype>

#include <backlit/core/error.hpp>
#include <backlit/data/reads_rows.hpp>
#include "io/other_files.hpp"
#include "io/text_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"
#include "io/volumes/volume_format_list.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

/// The formats that hold several data sets, by their titles.
std::string with_data_sets() {
  std::vector<std::string> titles;
  for (const VolumeFormat& format : volume_formats())
    if (format.has_data_sets) titles.push_back(format.title);
  return fmt::format("{}", fmt::join(titles, " or "));
}

std::unique_ptr<StackReader> open_file(const fs::path& path, const std::string& data_set) {
  const VolumeFormat* format = volume_format_list().find(file_front(path));
  if (!data_set.empty() && !(format && format->has_data_sets))
    throw InputError(path.string(), fmt::format("is not {}, so there is no {} in it", with_data_sets(), data_set));
  if (!format) {
    refuse_other_file(file_front(path));
    throw InputError(path.string(), "is in no format known here",
                     fmt::format("known are {}", fmt::join(readable_titles(volume_formats()), ", ")));
  }
  return format->open(path, data_set);
}

/// Files one after the other, each opened when it is needed.
class FileSequence final : public StackReader, public ReadsRows {
 public:
  FileSequence(std::vector<fs::path> files, std::string dataset)
      : files_(std::move(files)), dataset_(std::move(dataset)), starts_{0} {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const StackInfo one = open_file(files_[i], dataset_)->info();
      if (i == 0) info_ = one;
      if (one.columns != info_.columns || one.rows != info_.rows)
        throw InputError(files_[i].string(),
                         fmt::format("is {} x {} where {} is {} x {}", one.columns, one.rows, files_[0].string(),
                                     info_.columns, info_.rows),
                         "all images of a stack must be alike: narrow the pattern");
      check_same(one.pixel_mm, info_.pixel_mm, "pixels of", i);
      check_same(one.middle_mm, info_.middle_mm, "an image whose middle is at", i);
      starts_.push_back(starts_.back() + one.images);
    }
    info_.images = starts_.back();
    if (files_.size() > 1) info_.spacing = info_.center = std::nullopt;
  }
  const StackInfo& info() const override { return info_; }

  void look_at_rows(const IndexRange& rows) override {
    rows_ = rows;
    if (reader_) backlit::look_at_rows(*reader_, rows);
  }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), files_[0].string());
    while (count > 0) {
      const auto file =
          static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), first) - starts_.begin() - 1);
      if (!reader_ || file != open_) {
        reader_ = open_file(files_[file], dataset_);
        if (rows_) backlit::look_at_rows(*reader_, *rows_);
      }
      open_ = file;
      const std::int64_t n = std::min(count, starts_[file + 1] - first);
      const auto values = static_cast<std::size_t>(n * info_.pixels());
      reader_->read(first - starts_[file], n, out.first(values));
      out = out.subspan(values);
      first += n;
      count -= n;
    }
  }

 private:
  /// Throws InputError when a header value of file `i` differs from the first file's.
  void check_same(const std::optional<glm::dvec2>& one, const std::optional<glm::dvec2>& first, const char* what,
                  std::size_t i) const {
    const auto text = [](const std::optional<glm::dvec2>& v) {
      return v ? fmt::format("{:.6g} x {:.6g} mm", v->x, v->y) : std::string("unknown size or place");
    };
    if (one.has_value() == first.has_value() && (!one || glm::length(*one - *first) <= 1e-4 * (1 + glm::length(*one))))
      return;
    throw InputError(
        files_[i].string(),
        fmt::format("its header says {} {} where that of {} says {}", what, text(one), files_[0].string(), text(first)),
        "all images of a stack must be alike: narrow the pattern");
  }

  std::vector<fs::path> files_;
  std::string dataset_;
  std::vector<std::int64_t> starts_;  ///< first image of each file, then the number of all images
  StackInfo info_;
  std::unique_ptr<StackReader> reader_;
  std::optional<IndexRange> rows_;  ///< that are looked at
  std::size_t open_ = 0;
};

/// "file.h5:/path" -> file and path; the path is empty when there is none.
std::pair<std::string, std::string> split_spec(const std::string& spec) {
  const std::size_t colon = spec.find(":/");
  if (colon == std::string::npos || fs::exists(spec)) return {spec, ""};
  return {spec.substr(0, colon), spec.substr(colon + 1)};
}

bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const std::size_t i0 = std::min(a.find_first_not_of('0', i), a.size());
      const std::size_t j0 = std::min(b.find_first_not_of('0', j), b.size());
      std::size_t i1 = i0, j1 = j0;
      while (i1 < a.size() && digit(a[i1])) ++i1;
      while (j1 < b.size() && digit(b[j1])) ++j1;
      if (i1 - i0 != j1 - j0) return i1 - i0 < j1 - j0;
      if (const int order = a.compare(i0, i1 - i0, b, j0, j1 - j0); order != 0) return order < 0;
      i = i1;
      j = j1;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  return a.size() - i == b.size() - j ? a < b : a.size() - i < b.size() - j;
}

std::vector<double> text_numbers(const fs::path& path) {
  constexpr std::size_t largest = std::size_t{1} << 28;
  const std::string text = read_front(path, largest);
  std::vector<double> numbers;
  for (TextLines lines(text); lines.next();) {
    const std::string_view content = lines.line().substr(0, lines.line().find('#'));
    for (const double number : parse_numbers(content, 0, path.string(), fmt::format("line {}", lines.number())))
      numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

std::unique_ptr<StackReader> open_stack(const std::string& spec) {
  const auto [name, dataset] = split_spec(spec);
  std::error_code error;
  if (fs::is_regular_file(name, error)) return open_file(name, dataset);
  if (fs::is_directory(name, error) && volume_format_list().recognized({name, ""})) return open_file(name, dataset);
  if (fs::exists(name, error))
    throw InputError(name, "is not a file", "name a file, or files by a pattern such as view_*.tif");
  if (name.find_first_of("*?[") == std::string::npos)
    throw InputError(name, "does not exist", "check the path and its spelling");
  std::vector<fs::path> files = natural_glob(name);
  if (files.empty()) throw InputError(name, "no file matches this pattern", "check the folder and the pattern");
  return std::make_unique<FileSequence>(std::move(files), dataset);
}

std::unique_ptr<StackReader> open_files(std::vector<fs::path> files) {
  if (files.empty()) throw InputError("images", "there is none");
  if (files.size() == 1) return open_file(files.front(), "");
  return std::make_unique<FileSequence>(std::move(files), "");
}

void sort_naturally(std::vector<fs::path>& files) {
  std::ranges::sort(files, [](const fs::path& a, const fs::path& b) { return natural_less(a.string(), b.string()); });
}

std::vector<fs::path> natural_glob(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> names;
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    names.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::sort(names.begin(), names.end(), natural_less);
  return {names.begin(), names.end()};
}

std::vector<fs::path> files_of(const std::string& spec) {
  const std::string name = split_spec(spec).first;
  std::vector<fs::path> files = fs::exists(name) ? std::vector<fs::path>{name} : natural_glob(name);
  for (std::size_t i = files.size(); i-- > 0;) {
    const VolumeFormat* format = volume_format_list().recognized(file_front(files[i]));
    if (!format || !format->values_apart) continue;
    if (const auto values = open_file(files[i], "")->info().values_file) files.push_back(*values);
  }
  return files;
}

std::vector<double> read_numbers(const std::string& spec) {
  const auto [name, dataset] = split_spec(spec);
  if (!fs::exists(name)) throw InputError(name, "does not exist", "check the path and its spelling");
  const VolumeFormat* format = volume_format_list().recognized(file_front(name));
  const std::vector<double> numbers = format && format->numbers ? format->numbers(name, dataset) : text_numbers(name);
  if (numbers.empty()) throw InputError(spec, "holds no numbers");
  return numbers;
}

}  // namespace backlit
