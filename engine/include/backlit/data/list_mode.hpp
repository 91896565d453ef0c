// PET events: their fields as arrays, and sources that deliver them in chunks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <backlit/data/scanner.hpp>
#include <backlit/geometry/rigid_transform.hpp>

namespace backlit {

/// The sign of time of flight in the whole engine: dt = t1 - t2, arrival at crystal 1 minus arrival at crystal 2. dt >
/// 0 puts the annihilation nearer crystal 2, half_c * dt mm from the middle of the line towards crystal 2. CASToR and
/// PETSIRD have the same sign.
inline constexpr double half_c_mm_per_ps = 0.149896229;
/// Standard deviation in mm along the line of a time resolution (FWHM, ps).
inline constexpr double tof_sigma_mm(double fwhm_ps) { return fwhm_ps / 2.354820045030949 * half_c_mm_per_ps; }

enum class EventKind : std::uint8_t { unknown, true_, scatter, multiple_scatter, random, delayed };

/// Events as a structure of arrays. An array is empty or has size() entries; empty means that events lack this field.
struct EventList {
  std::vector<std::uint32_t> crystal1, crystal2;  ///< numbers in the scanner; empty only where end points are given
  std::vector<Vec3f> end1, end2;                  ///< mm; when given they replace the crystals' positions
  std::vector<float> dt_ps;                       ///< time of flight, t1 - t2
  std::vector<std::uint32_t> time_ms;             ///< since the beginning of the acquisition
  std::vector<float> acf;                         ///< attenuation correction factor, exp(+ integral of mu)
  std::vector<float> norm;                        ///< normalisation factor: 1 / efficiency
  std::vector<float> random_rate;                 ///< 1/s, of the pair, over the whole range of time of flight
  std::vector<float> scatter_rate;                ///< 1/s, of the pair; with TOF: 1/s and mm of position along the line
  std::vector<EventKind> kind;

  std::int64_t size() const { return static_cast<std::int64_t>(crystal1.empty() ? end1.size() : crystal1.size()); }
  bool empty() const { return size() == 0; }
  /// Removes the events, keeps the memory.
  void clear();
  /// Adds events [first, first + count) of another list that holds the same arrays.
  void append(const EventList& other, std::int64_t first, std::int64_t count);
  /// Throws InputError(where) naming the array whose length differs, or the event whose crystal the scanner lacks.
  void check(const Scanner& scanner, const std::string& where) const;
};

/// Where the crystals were for a share of the time, in the patient's frame: beds and gantries move.
struct ScannerPlace {
  /// Crystals from number `first` to the next part's, from Scanner::position to where they were.
  struct Part {
    std::int64_t first = 0;
    RigidTransform moved{};
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts{Part{}};
  double share = 1;  ///< of the time

  /// How this crystal was moved.
  const RigidTransform& moved(std::int64_t crystal) const;
  /// Where all crystals were, mm.
  std::vector<Vec3f> positions(const Scanner&) const;
};

/// Properties of a list that are known before its events are read.
struct ListModeInfo {
  std::string format;                  ///< "castor", "siemens", "safir", "memory"
  std::string scanner_name;            ///< from the file; may be empty
  std::optional<std::int64_t> events;  ///< prompts; absent when only reading the file shows it
  double start_s = 0, duration_s = 0;  ///< 0: not in the file
  double calibration = 1;              ///< factor from the image to absolute activity
  double tof_fwhm_ps = 0;              ///< 0: no time of flight
  double tof_range_ps = 0;             ///< whole range measured, for rates of randoms
  double tof_bin_ps = 0;               ///< width of a bin when dt was quantised; 0: continuous
  std::string isotope;
  double weight_kg = 0;  ///< of the patient; 0: not in the file
  double dose_bq = 0;    ///< what is left of the injected dose when the list begins; 0: not in the file
  /// Where the scanner was while the list was measured; the shares add up to 1. Empty: nothing moved. Otherwise events
  /// have end points, and these are the patient's. Many small steps may be joined here, not in the end points.
  std::vector<ScannerPlace> places{};

  bool has_tof() const { return tof_fwhm_ps > 0; }
};

/// Counts of events read so far.
struct ListModeCounts {
  std::int64_t prompts = 0, delayeds = 0, time_tags = 0, others = 0;
};

/// Events in the order of their time, chunk by chunk: lists may be larger than memory. The expected rate of an event is
/// CASToR's: (A x) / (acf norm) + scatter + random. With TOF, A holds the time-of-flight density per mm, and the random
/// rate is divided by the range in mm (tof_range_ps * half_c_mm_per_ps).
class ListModeSource {
 public:
  virtual ~ListModeSource() = default;

  virtual const ListModeInfo& info() const = 0;
  /// Replaces `out` by the next prompts, at most `most` (1 or more). Returns false, with `out` empty, after the last.
  /// Throws InputError naming file and event.
  virtual bool read(std::int64_t most, EventList& out) = 0;
  /// Goes back to the first event and sets counts() to 0.
  virtual void rewind() = 0;
  /// Counts since the beginning.
  virtual ListModeCounts counts() const = 0;
};

/// Serves a list that is in memory.
class MemoryListMode final : public ListModeSource {
 public:
  MemoryListMode(ListModeInfo info, EventList events);
  const ListModeInfo& info() const override { return info_; }
  bool read(std::int64_t most, EventList& out) override;
  void rewind() override { next_ = 0; }
  ListModeCounts counts() const override { return {next_, 0, 0, 0}; }

 private:
  ListModeInfo info_;
  EventList events_;
  std::int64_t next_ = 0;
};

/// Reads all events of a source into memory, from the first.
EventList read_all(ListModeSource& source);

/// End points of events [first, first + count): end1 and end2 when the list has them, else the crystals' positions.
/// `out`: x1 y1 z1 x2 y2 z2, each overwritten with count values, mm.
void end_points(const EventList&, const Scanner&, std::int64_t first, std::int64_t count,
                std::array<std::vector<float>, 6>& out);

}  // namespace backlit
