// PET list mode in files: CASToR (.cdh with .cdf), SAFIR, Siemens 32-bit with its Interfile header.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <backlit/data/list_mode.hpp>

namespace backlit {

struct ListModeOptions {
  std::string scanner{};  ///< name or file for load_scanner(); empty: what lies beside the list
  bool flip_tof = false;  ///< the file means t2 - t1: change the sign of every dt (--tof-sign -1)
  bool delayeds = false;  ///< Siemens, SAFIR: give delayed coincidences too, of kind `delayed`
};

/// A list and its scanner, whose crystals events name.
struct ListModeFile {
  Scanner scanner;
  std::unique_ptr<ListModeSource> events;
};

/// Whether the first bytes of a file are those of a list that load_list_mode() takes.
bool is_list_mode(const std::filesystem::path&);

/// By content. CASToR: name the .cdh; its scanner is the .hscan beside it (named like the list or like the scanner),
/// one that ships under that name, or `scanner`. Siemens: name the Interfile header; the scanner is taken from it
/// unless given. SAFIR: name the list; its crystal map is `scanner`, or the one *crystal_map*.txt in the same folder.
/// Sizes are checked against the header here, events when they are read. Throws InputError.
ListModeFile load_list_mode(const std::filesystem::path&, const ListModeOptions& = {});

/// Writes NAME.cdh, NAME.cdf, NAME.hscan and NAME.lut for `NAME.cdh`, chunk by chunk, all or none.
class CastorWriter {
 public:
  /// `info` gives start, duration, calibration, time of flight and isotope. Throws InputError when the place cannot be
  /// written to, or the name does not end in .cdh.
  CastorWriter(const std::filesystem::path& cdh, const Scanner&, const ListModeInfo& info);
  ~CastorWriter();
  CastorWriter(const CastorWriter&) = delete;
  CastorWriter& operator=(const CastorWriter&) = delete;

  /// Appends all events; every list must hold the same arrays as the first. End points are written as depths of
  /// interaction, and must be such: behind the middles of their crystals' faces.
  void write(const EventList&);
  /// Puts the files in place; `duration_s` and `calibration` replace what was given before, where they are known only
  /// now.
  void commit();
  void set_duration(double seconds);
  void set_calibration(double factor);
  std::int64_t events() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace backlit
