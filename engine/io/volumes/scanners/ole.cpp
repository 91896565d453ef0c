#include "io/volumes/scanners/ole.hpp"

#include <fmt/format.h>
#include <gsf/gsf-infile-msole.h>
#include <gsf/gsf-input-stdio.h>
#include <gsf/gsf-utils.h>

#include <algorithm>
#include <mutex>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>

namespace backlit::formats {
namespace {

struct Unref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
template <class T>
using Owned = std::unique_ptr<T, Unref>;

guint silence(const char* domain) {
  return g_log_set_handler(
      domain, G_LOG_LEVEL_MASK, [](const gchar*, GLogLevelFlags, const gchar*, gpointer) {}, nullptr);
}

/// Silences libgsf: faults of a file are reported by our errors, not by lines on the terminal.
void start_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    gsf_init();
    for (const char* domain : {"libgsf", "libgsf:msole"}) silence(domain);
  });
}

/// Some of its lines name no domain. Those of the program around us are its own, so they are silenced only meanwhile.
class Quiet {
 public:
  Quiet() : handler_(silence(nullptr)) {}
  ~Quiet() { g_log_remove_handler(nullptr, handler_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  guint handler_;
};

}  // namespace

struct OleFile::Impl {
  std::string where;
  std::int64_t bytes = 0;
  Owned<GsfInfile> root;

  /// The stream or folder of this name; null where there is none.
  Owned<GsfInput> find(const std::string& name) const {
    GsfInfile* folder = root.get();
    Owned<GsfInput> found;
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find('/', begin), name.size());
      Owned<GsfInput> next(gsf_infile_child_by_name(folder, name.substr(begin, end - begin).c_str()));
      if (!next) return nullptr;
      found = std::move(next);
      if (end == name.size()) break;
      if (!GSF_IS_INFILE(found.get())) return nullptr;
      folder = GSF_INFILE(found.get());
      begin = end + 1;
    }
    return found;
  }
};

OleFile::OleFile(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
  start_library();
  const Quiet quiet;
  require_regular_file(path);
  impl_->where = path.string();
  impl_->bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  const Owned<GsfInput> input(gsf_input_stdio_new(path.c_str(), nullptr));
  if (!input) throw InputError(impl_->where, "cannot be opened");
  impl_->root.reset(gsf_infile_msole_new(input.get(), nullptr));
  if (!impl_->root) throw InputError(impl_->where, "its folder of streams cannot be read", "the file is damaged");
}

OleFile::~OleFile() = default;

std::optional<std::string> OleFile::stream(const std::string& name) const {
  const Quiet quiet;
  const Owned<GsfInput> input = impl_->find(name);
  if (!input) return {};
  const auto size = static_cast<std::int64_t>(gsf_input_size(input.get()));
  if (size < 0 || size > impl_->bytes)
    throw InputError(impl_->where, fmt::format("its stream {} claims {} bytes of {}", name, size, impl_->bytes),
                     "the file is cut off or damaged");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (size > 0 && !gsf_input_read(input.get(), bytes.size(), reinterpret_cast<guint8*>(bytes.data())))
    throw InputError(impl_->where, fmt::format("its stream {} cannot be read", name), "the file is damaged");
  return bytes;
}

namespace {

using Streams = std::vector<std::pair<std::string, std::int64_t>>;

/// `prefix`: the folder's own name and a slash; empty for the root.
void add_streams(GsfInfile* folder, const std::string& prefix, const std::string& except, int& left, Streams& all) {
  constexpr std::ptrdiff_t deepest = 8;
  for (int i = 0; i < gsf_infile_num_children(folder) && left > 0; ++i, --left) {
    const char* const given = gsf_infile_name_by_index(folder, i);
    if (!given) continue;
    const std::string name = given;
    if (prefix.empty() && !except.empty() && name.starts_with(except)) continue;
    const Owned<GsfInput> child(gsf_infile_child_by_index(folder, i));
    if (!child) continue;
    // A stream can be asked for its streams, too: it has -1.
    if (GSF_IS_INFILE(child.get()) && gsf_infile_num_children(GSF_INFILE(child.get())) >= 0) {
      if (std::ranges::count(prefix, '/') < deepest)
        add_streams(GSF_INFILE(child.get()), prefix + name + "/", "", left, all);
    } else {
      all.emplace_back(prefix + name, static_cast<std::int64_t>(gsf_input_size(child.get())));
    }
  }
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> OleFile::streams(const std::string& except) const {
  const Quiet quiet;
  Streams all;
  int left = 10'000;
  add_streams(impl_->root.get(), "", except, left, all);
  return all;
}

bool is_ole(const FileFront& front) { return front.bytes.starts_with("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"); }

}  // namespace backlit::formats
