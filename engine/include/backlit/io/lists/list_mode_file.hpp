// PET list mode in files of any format; see list_format.hpp.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <backlit/data/list_mode.hpp>
#include <backlit/io/scans/scan_file.hpp>

namespace backlit {

struct ListModeOptions {
  std::string scanner{};  ///< name or file for load_scanner(); empty: the scanner beside the list
  bool flip_tof = false;  ///< the file holds t2 - t1: change the sign of every dt (--tof-sign -1)
  bool delayeds = false;  ///< Siemens, SAFIR: read delayed coincidences too, of kind `delayed`
};

/// A list and its scanner. Events name the scanner's crystals.
struct ListModeFile {
  Scanner scanner;
  std::unique_ptr<ListModeSource> events;
  std::vector<ScanFact> facts{};      ///< values of the file that are used, with their sources
  std::vector<std::string> unused{};  ///< its other fields: "Name = value"
};

/// Whether a file is one of list_formats(), by its content.
bool is_list_mode(const std::filesystem::path&);

/// Opens a list; the content decides the format. CASToR: name the .cdh. Its scanner is `scanner`, the .hscan beside it
/// (named like the list or like the scanner), the scanner's .scanner.toml beside it, or the shipped scanner of that
/// name. Siemens: name the Interfile header; it describes the scanner unless `scanner` is given. SAFIR: name the list;
/// its crystal map is `scanner`, or the only *crystal_map*.txt in the same folder. Sizes are checked against the header
/// here, events when they are read. Throws InputError.
ListModeFile load_list_mode(const std::filesystem::path&, const ListModeOptions& = {});

/// A list being written chunk by chunk. Its files appear complete or not at all.
class ListModeWriter {
 public:
  virtual ~ListModeWriter() = default;
  ListModeWriter(const ListModeWriter&) = delete;
  ListModeWriter& operator=(const ListModeWriter&) = delete;

  /// Appends all events; every list must hold the same arrays as the first.
  virtual void write(const EventList&) = 0;
  /// Gives the files their final names.
  virtual void commit() = 0;
  virtual std::int64_t events() const = 0;

 protected:
  ListModeWriter() = default;
};

/// Creates a list in the format of the extension, one of list_mode_extensions(). `info` gives start, duration,
/// calibration, time of flight and isotope. CASToR (NAME.cdh, NAME.cdf, NAME.hscan, NAME.lut): end points are written
/// as depths of interaction. They must lie behind the middles of their crystals' faces. Throws InputError for an
/// unknown extension (listing the known ones) and when the folder is not writable.
std::unique_ptr<ListModeWriter> create_list_mode(const std::filesystem::path&, const Scanner&,
                                                 const ListModeInfo& info);

/// Extensions that create_list_mode() takes, with the dot.
std::vector<std::string> list_mode_extensions();
/// All files that create_list_mode() writes for this name.
std::vector<std::filesystem::path> list_mode_files_saved(const std::filesystem::path&);

}  // namespace backlit
