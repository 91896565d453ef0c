// Corrections of the projections of a scan, before a method uses them.
#pragma once

#include <cstdint>
#include <string>

#include <backlit/core/parameter.hpp>
#include <backlit/preprocess/corrections.hpp>

namespace backlit {

/// The column on which the rotation axis projects.
struct CenterOption {
  enum class Kind {
    scan,   ///< from the scan file
    find,   ///< found in the projections, see find_center()
    column  ///< the given column
  };
  Kind kind = Kind::scan;
  double column = 0;  ///< from 0, fractions allowed; for Kind::column

  CenterOption() = default;
  CenterOption(Kind k) : kind(k) {}
  CenterOption(double c) : kind(Kind::column), column(c) {}
  bool operator==(const CenterOption&) const = default;
};
/// "", "find" or a column.
std::string to_text(const CenterOption&);
/// Throws InputError(where) for anything else.
void from_text(CenterOption&, const std::string& text, const std::string& where);

/// The views first, first + step, ... below `end`; an `end` of 0 means up to the last view.
struct ViewRange {
  std::int64_t first = 0, end = 0, step = 1;

  bool all() const { return *this == ViewRange{}; }
  bool operator==(const ViewRange&) const = default;
};
/// "" for all views, else "FIRST:END:STEP". STEP may be left out.
std::string to_text(const ViewRange&);
/// Throws InputError(where) for anything else.
void from_text(ViewRange&, const std::string& text, const std::string& where);

/// Which corrections are made besides those that are asked for one by one.
enum class CorrectionSource {
  file,      ///< those of the scan file
  none,      ///< none
  automatic  ///< those that the projections need, see choose_corrections()
};

struct PreparationOptions {
  CenterOption center{};
  ViewRange views{};
  CorrectionSource correct = CorrectionSource::file;
  CorrectionOptions corrections{};  ///< members that differ from the defaults replace those of `correct`

  bool operator==(const PreparationOptions&) const = default;
};

/// The same for what was asked for, with the corrections `of_file` of the scan file. Under `auto` nothing is idle: it
/// may switch any correction on.
void check_idle(const PreparationOptions&, const CorrectionOptions& of_file);

/// Parameter `correct`.
Parameter correct_parameter(CorrectionSource&);
/// Parameters `center` and `views`; those of corrections are correct_parameter() and describe(CorrectionOptions&).
Parameters describe(PreparationOptions&);

}  // namespace backlit
