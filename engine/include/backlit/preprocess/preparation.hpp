// Corrections of the projections of a scan, before a method uses them.
#pragma once

#include <cstdint>
#include <string>

#include <backlit/core/parameter.hpp>

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

struct PreparationOptions {
  CenterOption center{};
  ViewRange views{};
  std::int64_t stripes = 0;  ///< window of remove_stripes() in columns, odd; 0: stripes stay

  bool operator==(const PreparationOptions&) const = default;
};

/// Parameter `stripes`.
Parameter stripes_parameter(std::int64_t& stripes);
/// Parameters `center`, `views` and `stripes`.
Parameters describe(PreparationOptions&);

}  // namespace backlit
