// Corrections of line integrals: what a real scanner adds to them is taken away before a method uses them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <backlit/core/parameter.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/preprocess/correction_device.hpp>
#include <backlit/preprocess/volume_tools.hpp>

namespace backlit {

/// How stripes are told from the object. In all cases the window counts columns.
enum class StripeMethod {
  mean,       ///< what a column's mean over the views differs from the median of its neighbours
  sorting,    ///< median across columns of readings in the order of their size (Vo et al. 2018, algorithm 3)
  filtering,  ///< the same of what changes slowly along the views (algorithm 2)
  fitting     ///< a smooth curve along the views, made smooth across columns (algorithm 1)
};

/// How much scatter the line integrals hold.
struct ScatterOption {
  enum class Kind {
    none,
    share,  ///< as given
    fit     ///< so that the largest homogeneous part of the middle slice becomes flat
  };
  Kind kind = Kind::none;
  double share = 0;  ///< of the beam that a pixel scatters away

  bool operator==(const ScatterOption&) const = default;
};
/// "0", "fit" or a share.
std::string to_text(const ScatterOption&);
/// Throws InputError(where) for anything else.
void from_text(ScatterOption&, const std::string& text, const std::string& where);

/// The line integral p becomes p + a2 p^2 + a3 p^3 + ...
struct Polynomial {
  std::vector<double> coefficients{};  ///< a2, a3, ...; empty: p stays

  bool operator==(const Polynomial&) const = default;
};
/// "0.05,0.01"; empty for none.
std::string to_text(const Polynomial&);
/// Throws InputError(where) for anything else.
void from_text(Polynomial&, const std::string& text, const std::string& where);

/// All off by default, except where a scan file has a [corrections] table.
struct CorrectionOptions {
  std::int64_t flat_components = 0;  ///< in which flats differ from each other, fitted to every view; 0: off
  double defects = 0;                ///< pixels that differ from their neighbours by so many times the usual; 0: off
  double zingers = 0;  ///< single bright readings, so many times the noise beyond their neighbours; 0: off
  std::int64_t air_columns =
      0;                     ///< columns of air at either side of each view, which show the level of the beam; 0: off
  double dead_stripes = 0;   ///< signal-to-noise ratio of columns that do not respond, or fluctuate; 0: off
  double large_stripes = 0;  ///< signal-to-noise ratio of wide stripes; 0: off
  std::int64_t stripes = 0;  ///< window in columns, odd; 0: off
  StripeMethod stripe_method = StripeMethod::sorting;
  double phase_ratio = 0;     ///< delta / beta of the object; 0: off
  double phase_energy = 0;    ///< keV
  double phase_distance = 0;  ///< mm from object to detector; 0: as the cone beam's geometry says
  ScatterOption scatter{};
  double scatter_width = 0;      ///< mm on the detector, standard deviation; 0: an eighth of the detector's width
  std::string water_spectrum{};  ///< file of energies in keV and weights; empty: off
  Polynomial hardening{};
  bool flatten = false;   ///< beam hardening: find the polynomial that makes a homogeneous part flat
  double metal = 0;       ///< 1/mm from which a voxel is metal; 0: off
  double truncation = 0;  ///< share of a row's width by which filters continue it at both ends; 0: off

  bool operator==(const CorrectionOptions&) const = default;
};

/// Parameter `stripes`.
Parameter stripes_parameter(std::int64_t& stripes);
/// One parameter a member.
Parameters describe(CorrectionOptions&);
/// `given`, where it differs from the defaults, else `base`, member by member.
CorrectionOptions over(const CorrectionOptions& base, const CorrectionOptions& given);
/// Throws InputError for a parameter of a correction that is off, such as `stripe_method` without `stripes`: it would
/// do nothing.
void check_idle(const CorrectionOptions&);
/// "zingers 8, stripes 31": the members that differ from the defaults; empty where none does.
std::string to_text(const CorrectionOptions&);

/// What corrections need besides the line integrals. Without flats flat_components has no effect.
struct CorrectionInput {
  std::shared_ptr<ProjectionSource> flats{};  ///< counts
  std::shared_ptr<ProjectionSource> darks{};
  VolumeTools volume{};
};

/// One correction.
struct Correction {
  std::string_view name;   ///< of the parameter that turns it on
  std::string_view title;  ///< what it takes away
  std::string_view paper;
  std::vector<std::string_view> parameters;  ///< all of its own, the first turns it on
  bool needs_volume = false;                 ///< whether it takes the scan's true geometry, and CorrectionInput::volume
  bool (*wanted)(const CorrectionOptions&);
  /// Null for `truncation`, which filters do as they run, see continue_rows(). Changes the line integrals in place.
  /// Returns what was done, in words: "12 pixels". Throws InputError for options that do not fit, Cancelled.
  std::string (*apply)(Projections&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
};

/// In the order in which they are applied; those that need a volume are the last.
std::span<const Correction> corrections();

/// The options of the corrections that need a volume; the others off.
CorrectionOptions volume_corrections(const CorrectionOptions&);
/// The options of those that do not; the others off.
CorrectionOptions projection_corrections(const CorrectionOptions&);

struct CorrectedProjections {
  std::shared_ptr<ProjectionSource> source;
  std::vector<std::string> done;  ///< "zingers: 12 readings", one a correction
  std::vector<bool> on_device{};  ///< by correction: whether the device made it, or the host
};

/// The source with all corrections that are wanted; itself where none is. All views are read at once and kept: on the
/// device, if one is given (may be null) and has room for them, else in memory or, where there is too little, in a file
/// (see host_memory.hpp). The host makes those that the device does not offer. Stage "read" and one a correction, of
/// its name. Throws InputError naming the parameter, also for corrections that need a volume where there are no tools;
/// Cancelled.
CorrectedProjections apply_corrections(std::shared_ptr<ProjectionSource>, const CorrectionOptions&,
                                       const CorrectionInput& = {}, const Watch& = {}, CorrectionDevice* = nullptr);

}  // namespace backlit
