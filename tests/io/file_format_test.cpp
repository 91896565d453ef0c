// The tables of formats: what follows from them, and formats that a program adds.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/io/scans/geometry_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "io/format_table.hpp"
#include "io/lists/list_format_list.hpp"
#include "io/lists/scanner_format_list.hpp"
#include "io/scans/geometry_format_list.hpp"
#include "io/scans/scan_format_list.hpp"
#include "io/volumes/volume_format_list.hpp"
#include "support/damage.hpp"
#include "support/io_samples.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace backlit;
namespace fs = std::filesystem;

namespace {

/// A format that lives as long as this, so that other tests see the engine's own.
template <class Format>
class Registered {
 public:
  Registered(FormatList<Format>& list, void (*add)(Format), Format format) : list_(list), name_(format.name) {
    add(std::move(format));
  }
  ~Registered() { list_.remove(name_); }

 private:
  FormatList<Format>& list_;
  std::string name_;
};

/// "tiny X Y Z" and numbers, as text.
class TinyReader final : public StackReader {
 public:
  explicit TinyReader(const fs::path& path) : in_(path) {
    std::string word;
    in_ >> word >> info_.columns >> info_.rows >> info_.images;
    if (!in_ || info_.columns < 1 || info_.rows < 1 || info_.images < 1)
      throw InputError(path.string(), "its first line is not 'tiny X Y Z'");
    info_.format = "tiny";
    info_.type = "text";
    values_.assign(std::istream_iterator<float>(in_), {});
  }
  const StackInfo& info() const override { return info_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    std::copy_n(values_.begin() + first * info_.pixels(), count * info_.pixels(), out.begin());
  }

 private:
  std::ifstream in_;
  StackInfo info_;
  std::vector<float> values_;
};

class TinyWriter final : public StackWriter {
 public:
  TinyWriter(const fs::path& path, const Size3& size) : StackWriter(path.string(), size), file_(path) {
    file_.write(fmt::format("tiny {} {} {}\n", size[0], size[1], size[2]));
  }

 private:
  void put(std::int64_t, std::int64_t, std::span<const float> images) override {
    for (const float value : images) file_.write(fmt::format("{} ", value));
  }
  void finish() override { file_.commit(); }

  OutputFile file_;
};

VolumeFormat tiny() {
  VolumeFormat f;
  f.name = "tiny";
  f.title = "tiny text";
  f.extensions = f.saved_as = {".tiny"};
  f.recognizes = [](const FileFront& front) { return front.bytes.starts_with("tiny "); };
  f.open = [](const fs::path& path, const std::string&) { return std::make_unique<TinyReader>(path); };
  f.create = [](const fs::path& path, const VolumeGrid& grid) { return std::make_unique<TinyWriter>(path, grid.size); };
  f.holds_projections = true;
  return f;
}

std::string what_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool holds(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("the documented table of formats is that of the engine") {
  std::stringstream page;
  page << std::ifstream(fs::path(test::source_dir()) / "docs/reference/formats.md").rdbuf();
  INFO("write this into docs/reference/formats.md:\n" << format_table());
  CHECK(page.str().find(format_table()) != std::string::npos);
}

TEST_CASE("every format has a reader, and a writer for each name that it can be saved under") {
  for (const auto& f : volume_formats()) {
    INFO(f.name);
    CHECK(f.open);
    CHECK(static_cast<bool>(f.create) == !f.saved_as.empty());
    for (const std::string& e : f.saved_as) CHECK(has_known_extension("a" + e));
  }
  for (const auto& f : geometry_formats()) CHECK((f.read && static_cast<bool>(f.write) == !f.saved_as.empty()));
  for (const auto& f : scan_formats()) CHECK((f.load && static_cast<bool>(f.save) == !f.saved_as.empty()));
  for (const auto& f : list_formats()) CHECK((f.open && static_cast<bool>(f.create) == !f.saved_as.empty()));
  for (const auto& f : scanner_formats()) CHECK((f.load && static_cast<bool>(f.save) == !f.saved_as.empty()));
  for (const char* name : {"A.MHA", "v.nii.gz", "s.scan.toml", "l.cdh", "safir_crystal_map_front.txt"})
    CHECK(has_known_extension(name));
  for (const char* name : {"notes.txt", "picture.png", "mha", "a.gz"}) CHECK_FALSE(has_known_extension(name));
}

TEST_CASE("a program's own format of volumes is read, saved, described and named in errors") {
  const test::Scratch folder;
  const Volume volume = test::odd_volume();
  CHECK_THROWS_WITH(save_volume(volume, folder / "a.tiny"), Catch::Contains("no format for volumes is called '.tiny'"));
  const Registered registered(volume_format_list(), register_volume_format, tiny());
  save_volume(volume, folder / "a.tiny");
  fs::copy_file(folder / "a.tiny", folder / "b.mha");  // content decides
  for (const char* name : {"a.tiny", "b.mha"}) {
    const Volume back = load_volume(folder / name);
    CHECK(back.grid.size == volume.grid.size);
    CHECK(std::equal(back.values.begin(), back.values.end(), volume.values.begin(), volume.values.end()));
  }
  CHECK(describe_file((folder / "a.tiny").string()).format == "tiny");
  CHECK(holds(volume_extensions(), ".tiny"));
  CHECK(holds(projection_extensions(), ".tiny"));
  CHECK(has_known_extension("x.tiny"));
  CHECK_THROWS_WITH(save_volume(volume, folder / "a.xyz"), Catch::Contains(", .tiny"));
  CHECK_THROWS_WITH(load_scan(folder / "a.tiny"), Catch::Contains("images without a geometry"));
  CHECK(format_table().find("| tiny text | `.tiny` | `.tiny` |") != std::string::npos);
  test::write_bytes(folder / "broken.tiny", "tiny 0 0 0");
  CHECK_THROWS_WITH(load_volume(folder / "broken.tiny"), Catch::Contains("its first line is not 'tiny X Y Z'"));
}

TEST_CASE("a format is refused whose name or extension is taken, or that has none") {
  const Registered registered(volume_format_list(), register_volume_format, tiny());
  CHECK_THAT(what_of([] { register_volume_format(tiny()); }), Catch::Contains("another format has this name"));
  VolumeFormat other = tiny();
  other.name = "other";
  CHECK_THAT(what_of([&] { register_volume_format(other); }), Catch::Contains("tiny saves under .tiny already"));
  other.extensions.clear();
  CHECK_THAT(what_of([&] { register_volume_format(other); }), Catch::Contains("no name or no extension"));
}

TEST_CASE("a program's own formats of scans, geometries, lists and scanners are known everywhere") {
  const test::Scratch folder;
  const auto begins = [](const char* word) {
    return [word](const FileFront& front) { return front.bytes.starts_with(word); };
  };
  test::write_bytes(folder / "a.dat", "my-scan");
  test::write_bytes(folder / "b.dat", "my-geometry");
  test::write_bytes(folder / "c.dat", "my-list");
  test::write_bytes(folder / "d.dat", "my-scanner");
  CHECK_FALSE(is_scan(folder / "a.dat"));
  const auto turn = [](Detector& d) {
    return std::vector<View>(2, View{.u = {0, d.pixel_u, 0}, .v = {0, 0, d.pixel_v}});
  };

  ScanFormat scan;
  scan.name = scan.title = "my scan";
  scan.extensions = {".dat"};
  scan.recognizes = begins("my-scan");
  scan.load = [](const fs::path& path, bool) {
    ScanFile file;
    file.path = path;
    file.scan.detector.columns = 42;
    return file;
  };
  const Registered scans(scan_format_list(), register_scan_format, scan);
  CHECK(is_scan(folder / "a.dat"));
  CHECK(load_scan(folder / "a.dat").scan.detector.columns == 42);

  GeometryFormat geometry;
  geometry.name = geometry.title = "my geometry";
  geometry.extensions = geometry.saved_as = {".dat"};
  geometry.recognizes = begins("my-geometry");
  geometry.read = [&](const GeometryText&, Detector& d) {
    auto views = turn(d);
    for (View& view : views) view.source = {-500, 0, 0}, view.center = {300, 0, 0};
    return views;
  };
  geometry.write = [](const Scan&, const std::string&) { return std::string("my-geometry"); };
  const Registered geometries(geometry_format_list(), register_geometry_format, geometry);
  Detector detector;
  detector.columns = detector.rows = 3;
  const auto views = read_geometry(folder / "b.dat", detector);
  CHECK(views.size() == 2);
  write_geometry({detector, views}, folder / "e.dat");
  CHECK(test::file_bytes(folder / "e.dat") == "my-geometry");

  ListFormat list;
  list.name = list.title = "my list";
  list.extensions = {".dat"};
  list.recognizes = begins("my-list");
  list.open = [](const fs::path&, const ListModeOptions&) {
    ListModeFile file;
    file.scanner.name = "mine";
    return file;
  };
  const Registered lists(list_format_list(), register_list_format, list);
  CHECK(is_list_mode(folder / "c.dat"));
  CHECK(load_list_mode(folder / "c.dat").scanner.name == "mine");

  ScannerFormat scanner;
  scanner.name = scanner.title = "my scanner";
  scanner.extensions = {".dat"};
  scanner.recognizes = begins("my-scanner");
  scanner.load = [](const fs::path&) {
    Scanner s;
    s.name = "dat";
    return s;
  };
  const Registered scanners(scanner_format_list(), register_scanner_format, scanner);
  CHECK(is_scanner(folder / "d.dat"));
  CHECK(load_scanner((folder / "d.dat").string()).name == "dat");
}
