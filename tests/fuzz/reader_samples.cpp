// Samples for every format of the tables, phantoms, lists of numbers and the messages of streams.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <exception>
#include <fstream>
#include <stdexcept>

#include <backlit/core/assets.hpp>
#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/io/lists/scanner_format.hpp>
#include <backlit/io/scans/geometry_format.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include <backlit/phantom/phantom.hpp>
#include "fuzz/made_by_hand.hpp"
#include "fuzz/sample.hpp"
#include "serve/messages.hpp"
#include "stream/message.hpp"
#include "support/io/small_scanner.hpp"

namespace backlit::fuzz {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t most_values = 1 << 18;  // of what is read: damage that only makes things large tells nothing

Volume small_volume() {
  VolumeGrid grid;
  grid.size = {5, 4, 3};
  grid.spacing = {0.5, 0.75, 1.25};
  grid.center = {10.5, -20.25, 3.125};
  Volume volume(grid);
  for (std::int64_t i = 0; i < volume.values.size(); ++i) volume.values[i] = 0.25f * static_cast<float>(i) - 3.5f;
  return volume;
}

Scan small_scan() {
  Detector d;
  d.columns = 6;
  d.rows = 4;
  d.pixel_u = d.pixel_v = 2;
  return {d, circular_views(d, equal_angles(5), 100, 150)};
}

/// Not every sample has a default volume, and one that has none is read on.
void try_grid(const Scan& scan) {
  try {
    default_grid(scan);
  } catch (const Error&) {
  }
}

void read_images(StackReader& stack) {
  const StackInfo& info = stack.info();
  if (info.images < 1 || info.pixels() < 1 || info.pixels() > most_values) return;
  const std::int64_t count = std::min(info.images, most_values / info.pixels());
  std::vector<float> values(static_cast<std::size_t>(count * info.pixels()));
  stack.read(0, count, values);
  stack.read(info.images - 1, 1, values);
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(info.pixels()));
  stack.read_counts(0, 1, counts);
}

void read_views(ProjectionSource* source) {
  if (!source || source->scan().detector.pixels() > most_values) return;
  std::vector<float> view(static_cast<std::size_t>(source->scan().detector.pixels()));
  source->read(0, 1, view);
}

std::function<void(const fs::path&)> text_file(const std::string& name, std::string text) {
  return [=](const fs::path& folder) { std::ofstream(folder / name, std::ios::binary) << text; };
}

/// The samples by hand of a format: "KIND.FORMAT", and the variant where there is one.
void add_by_hand(std::vector<Sample>& all, const std::string& kind, const FileFormat& format,
                 const std::vector<HandMade>& samples, const std::function<void(const fs::path&)>& read,
                 const std::vector<std::string>& kept = {}) {
  const std::size_t before = all.size();
  for (const HandMade& s : samples)
    if (s.format == format.name)
      all.push_back({fmt::format("{}.{}{}{}", kind, format.name, s.variant.empty() ? "" : ".", s.variant), s.file,
                     s.make, read, kept});
  if (all.size() == before && format.saved_as.empty())
    throw std::logic_error(fmt::format("{} format {} has no sample: make one in tests/fuzz", kind, format.name));
}

void add_volumes(std::vector<Sample>& all) {
  std::vector<HandMade> by_hand = volumes_by_hand();
  for (HandMade& xrm : xrm_by_hand()) by_hand.push_back(std::move(xrm));
  for (const VolumeFormat& format : volume_formats()) {
    const auto read = [&format](const fs::path& file) {
      const auto once = [](auto&& work) {  // one refusal does not spare the others
        try {
          work();
        } catch (const Error&) {
        }
      };
      once([&] { format.recognizes&& format.recognizes(file_front(file)); });
      std::exception_ptr refused;
      try {
        read_images(*format.open(file, ""));
      } catch (const Error&) {
        refused = std::current_exception();
      }
      if (format.numbers) once([&] { format.numbers(file, format.has_data_sets ? "/exchange/theta" : ""); });
      FileInfo info;
      if (format.describe) once([&] { format.describe(file, info); });
      if (refused) std::rethrow_exception(refused);
    };
    for (const std::string& extension : format.saved_as) {
      const std::string file = "v" + extension;
      all.push_back({fmt::format("volume.{}{}", format.name, extension), file,
                     [file](const fs::path& folder) { save_volume(small_volume(), folder / file); }, read});
    }
    add_by_hand(all, "volume", format, by_hand, read, {".zgroup"});
  }
}

void read_scan(const ScanFormat& format, const fs::path& file) {
  const ScanFile scan = format.load(file, true);
  try_grid(scan.scan);
  for (const auto& source : {scan.projections, scan.flats, scan.darks}) read_views(source.get());
}

void add_scans(std::vector<Sample>& all) {
  std::vector<HandMade> by_hand = scans_by_hand();
  for (HandMade& xrm : xrm_by_hand()) by_hand.push_back(std::move(xrm));
  for (const ScanFormat& format : scan_formats()) {
    const auto read = [&format](const fs::path& file) { read_scan(format, file); };
    for (const std::string& extension : format.saved_as) {
      const std::string file = "v" + extension;
      all.push_back({"scan." + format.name, file,
                     [file](const fs::path& folder) {
                       const Scan scan = small_scan();
                       ScanWriteOptions options;
                       options.projections = "p.mha";
                       options.volume = small_volume().grid;
                       save_projections(Projections(scan), folder / "p.mha");
                       save_scan(scan, options, folder / file);
                     },
                     read});
    }
    add_by_hand(all, "scan", format, by_hand, read, {".tif", ".raw", ".xim", ".his", ".npy"});
  }
  const ScanFormat& toml = scan_formats().front();
  for (const auto& entry : fs::directory_iterator(asset_folder("scans"))) {
    const std::string file = entry.path().filename().string();
    if (file == "pin.scan.toml" || file == "tooth.scan.toml") continue;  // of data that are not here
    all.push_back({"scan." + file.substr(0, file.find('.')), file,
                   [path = entry.path(), file](const fs::path& folder) { fs::copy_file(path, folder / file); },
                   [&toml](const fs::path& path) { try_grid(toml.load(path, false).scan); }});
  }
}

void add_geometries(std::vector<Sample>& all) {
  for (const GeometryFormat& format : geometry_formats()) {
    const auto read = [&format](const fs::path& path) {
      std::ifstream in(path, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      Detector d = small_scan().detector;
      const Scan scan{d, format.read({path.string(), text, 150, {0, 0}}, d)};
      scan.check("sample");
      try_grid(scan);
    };
    if (!format.write) {
      add_by_hand(all, "geometry", format, geometries_by_hand(), read);
      continue;
    }
    const std::string file = "v" + format.extensions.front();
    const auto make = [&format, file](const fs::path& folder) {
      std::ofstream(folder / file) << format.write(small_scan(), file);
    };
    all.push_back({"geometry." + format.name, file, make, read});
  }
}

/// `corrections`: events have factors of their own and all kinds.
void write_list(const fs::path& file, bool corrections) {
  EventList list;
  for (std::uint32_t i = 0; i < 20; ++i) {
    list.crystal1.push_back(i % 48);
    list.crystal2.push_back(i % 3 * 16 + (i + 8) % 16);  // opposite, in one ring after the other
    list.dt_ps.push_back(10.0f * static_cast<float>(i));
    list.time_ms.push_back(3 * i);
    if (corrections) list.acf.push_back(1.5f);
    if (corrections) list.kind.push_back(static_cast<EventKind>(i % 5));
  }
  ListModeInfo info;
  info.duration_s = 12.5;
  info.tof_fwhm_ps = 400;
  info.tof_range_ps = 4000;
  info.tof_bin_ps = 50;
  const auto writer = create_list_mode(file, test::small_scanner(), info);
  writer->write(list);
  writer->commit();
}

void add_lists(std::vector<Sample>& all) {
  for (const ListFormat& format : list_formats()) {
    const auto read = [&format](const fs::path& path) {
      ListModeOptions options;  // of a list without a scanner of its own, one lies beside it
      if (const fs::path scanner = path.parent_path() / "s.hscan"; fs::exists(scanner))
        options.scanner = scanner.string();
      const ListModeFile list = format.open(path, options);
      EventList events;
      for (int i = 0; i < 100 && list.events->read(1000, events); ++i) continue;
    };
    for (const std::string& extension : format.saved_as) {
      const std::string file = "v" + extension;
      all.push_back({"list." + format.name, file,
                     [file](const fs::path& folder) { write_list(folder / file, !file.ends_with(".petsird")); }, read});
    }
    add_by_hand(all, "list", format, lists_by_hand(), read, {"s.hscan", "s.lut"});
  }
  for (const ScannerFormat& format : scanner_formats()) {
    const auto read = [&format](const fs::path& path) { format.load(path); };
    if (!format.save) {
      add_by_hand(all, "scanner", format, scanners_by_hand(), read);
      continue;
    }
    const std::string file = "v" + format.extensions.front();
    all.push_back({"scanner." + format.name, file,
                   [&format, file](const fs::path& folder) { format.save(test::small_scanner(), folder / file); },
                   read});
  }
}

void add_others(std::vector<Sample>& all) {
  for (const char* name : {"bar", "forbild-head", "nema-iq"})
    all.push_back({fmt::format("phantom.{}", name), "p.phantom.toml",
                   [name](const fs::path& folder) {
                     fs::copy_file(asset_folder("phantoms") / fmt::format("{}.phantom.toml", name),
                                   folder / "p.phantom.toml");
                     if (name == std::string("forbild-head"))
                       fs::copy_file(asset_folder("phantoms") / "forbild-head-plain.phantom.toml",
                                     folder / "forbild-head-plain.phantom.toml");
                   },
                   [](const fs::path& file) {
                     const Phantom phantom = load_phantom(file.string());
                     value_at(phantom, Vec3(1));
                     line_integral(phantom, Vec3(-1000, 1, 2), Vec3(1, 0, 0), 0, 2000);
                   }});
  all.push_back({"numbers", "a.txt", text_file("a.txt", "# degrees\n0\n 1.5, -2e1\n\n+3 # last\n"),
                 [](const fs::path& file) { read_numbers(file.string()); }});
  // A header, a line end, and values.
  const auto message = [](const char* name, const std::string& bytes) {
    return Sample{fmt::format("message.{}", name), "m", text_file("m", bytes), [](const fs::path& file) {
                    std::ifstream in(file, std::ios::binary);
                    const std::string text{std::istreambuf_iterator<char>(in), {}};
                    const std::size_t end = std::min(text.find('\n'), text.size());
                    const auto values = std::as_bytes(std::span(text)).subspan(std::min(end + 1, text.size()));
                    const auto heard = stream::decode(std::string_view(text).substr(0, end), values);
                    if (const auto* scan = std::get_if<stream::ScanMessage>(&heard))
                      try_grid(parse_scan_geometry(scan->scan, "message").scan);
                  }};
  };
  all.push_back(message("scan", stream::scan_header(scan_text(small_scan(), {}, "sample"))));
  all.push_back(message("view", stream::view_header(1, 2, 1) + "\n12345678"));
  all.push_back(message("counts",
                        R"({"type": "view", "index": 7, "columns": 2, "rows": 1, "dtype": "u16", "open": 60000})"
                        "\n1234"));
  const auto browser = [](const char* name, const std::string& json) {
    return Sample{fmt::format("browser.{}", name), "m", text_file("m", json), [](const fs::path& file) {
                    std::ifstream in(file, std::ios::binary);
                    const std::string text{std::istreambuf_iterator<char>(in), {}};
                    viewer::serve::parse_message(text);
                  }};
  };
  all.push_back(
      browser("wheel", R"({"kind":"wheel","across":0,"along":-1.5,"x":3,"y":4.25,"ctrl":true,"shift":false})"));
  all.push_back(browser("drop", R"({"kind":"drop","files":[{"name":"a.mha","bytes":12},{"name":"b","bytes":0}]})"));
  all.push_back(browser("text", R"({"kind":"text","text":"\u00e4\ud83d\ude00"})"));
}

}  // namespace

std::vector<Sample> samples() {
  std::vector<Sample> all;
  add_volumes(all);
  add_scans(all);
  add_geometries(all);
  add_lists(all);
  add_others(all);
  for (Sample& sample : all)
    for (char& c : sample.name)
      if (c == ' ' || c == '/') c = '-';
  return all;
}

}  // namespace backlit::fuzz
