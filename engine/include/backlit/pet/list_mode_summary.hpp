// Summary of a list of events: numbers and histograms.
#pragma once

#include <cstdint>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/data/list_mode.hpp>

namespace backlit {

/// Counts in bins of equal width; bin i covers [first + i width, first + (i + 1) width).
struct Histogram {
  double first = 0, width = 1;
  std::vector<std::int64_t> counts;

  double center(std::size_t bin) const { return first + (static_cast<double>(bin) + 0.5) * width; }
};

struct ListModeSummary {
  ListModeCounts counts;
  double seconds = 0;                  ///< from the header, else between the first and the last event
  Histogram tof_ps;                    ///< t1 - t2; empty without TOF
  Histogram ring_difference;           ///< ring of crystal 2 - ring of crystal 1, one bin each
  Histogram time_s;                    ///< prompts in 50 parts of the time; empty when all times are equal
  double mean_acf = 0, mean_norm = 0;  ///< 0: events hold none
  /// Means over events, 1/s; below 0: events hold none.
  double mean_scatter_rate = -1, mean_random_rate = -1;

  double prompts_per_s() const { return seconds > 0 ? static_cast<double>(counts.prompts) / seconds : 0; }
};

/// Reads the whole list once. Stage "read".
ListModeSummary summarize(ListModeSource&, const Scanner&, const Watch& = {});

}  // namespace backlit
