#include "plain.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

#include <backlit/core/error.hpp>

using namespace backlit;

namespace {

namespace fs = std::filesystem;

constexpr const char* first_words = "plain volume";

struct Header {
  StackInfo info;
  std::streamoff values = 0;  ///< where they begin
};

Vec3 vector_of(std::istream& in, const std::string& key, const std::string& where) {
  std::string word;
  Vec3 v;
  if (!(in >> word >> v.x >> v.y >> v.z) || word != key)
    throw InputError(where, "its header has no line '" + key + " X Y Z'", "the file is damaged");
  return v;
}

/// Checked against the size of the file before anybody allocates: a value takes two characters at least.
Header read_header(const fs::path& path) {
  const std::string where = path.string();
  std::ifstream in(path, std::ios::binary);
  std::string plain, volume;
  Header header;
  StackInfo& info = header.info;
  in >> plain >> volume >> info.columns >> info.rows >> info.images;
  if (!in || plain + " " + volume != first_words)
    throw InputError(where, "is no plain volume", "it begins with 'plain volume COLUMNS ROWS SLICES'");
  const auto room = static_cast<std::int64_t>(fs::file_size(path));
  std::int64_t values = 1;
  for (const std::int64_t n : {info.columns, info.rows, info.images}) {
    if (n < 1 || n > room / values)
      throw InputError(where, "says that it holds more values than it has room for", "the file is damaged");
    values *= n;
  }
  info.spacing = vector_of(in, "spacing", where);
  info.center = vector_of(in, "center", where);
  info.type = "text";
  info.format = "plain";
  header.values = in.tellg();
  return header;
}

/// Slices are read in their order; to go back, reading begins anew.
class Reader final : public StackReader {
 public:
  explicit Reader(const fs::path& path) : path_(path), header_(read_header(path)), in_(path, std::ios::binary) {
    rewind();
  }

  const StackInfo& info() const override { return header_.info; }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    if (first < next_) rewind();
    float ignored = 0;
    for (; next_ < first; ++next_)
      for (std::int64_t i = 0; i < info().pixels(); ++i) take(ignored);
    for (std::int64_t i = 0; i < count * info().pixels(); ++i) take(out[static_cast<std::size_t>(i)]);
    next_ = first + count;
  }

 private:
  void rewind() {
    in_.clear();
    in_.seekg(header_.values);
    next_ = 0;
  }
  void take(float& value) {
    if (!(in_ >> value))
      throw InputError(path_.string(), "slice " + std::to_string(next_) + ": a value is missing, or is no number",
                       "the file is cut off or damaged");
  }

  fs::path path_;
  Header header_;
  std::ifstream in_;
  std::int64_t next_ = 0;  ///< slice
};

class Writer final : public StackWriter {
 public:
  Writer(const fs::path& path, const VolumeGrid& grid) : StackWriter(path.string(), grid.size), file_(path) {
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    const auto line = [&](const char* key, const auto& v) {
      text << key << ' ' << v[0] << ' ' << v[1] << ' ' << v[2] << '\n';
    };
    line(first_words, grid.size);
    line("spacing", grid.spacing);
    line("center", grid.center);
    file_.write(text.str());
  }

 private:
  void put(std::int64_t, std::int64_t, std::span<const float> images) override {
    std::string text;
    char digits[32];
    for (std::size_t i = 0; i < images.size(); ++i) {
      text.append(digits, std::to_chars(digits, digits + sizeof digits, images[i]).ptr);
      text += static_cast<std::int64_t>(i + 1) % size()[0] == 0 ? '\n' : ' ';
    }
    file_.write(text);
  }
  void finish() override { file_.commit(); }

  OutputFile file_;
};

}  // namespace

VolumeFormat plain_format() {
  VolumeFormat f;
  f.name = "plain";
  f.title = "plain text";
  f.extensions = {".plain"};
  f.saved_as = {".plain"};
  f.recognizes = [](const FileFront& front) { return front.bytes.starts_with(first_words); };
  f.open = [](const fs::path& path, const std::string&) { return std::make_unique<Reader>(path); };
  f.create = [](const fs::path& path, const VolumeGrid& grid) { return std::make_unique<Writer>(path, grid); };
  f.keeps_grid = true;
  f.notes = "an example";
  return f;
}
