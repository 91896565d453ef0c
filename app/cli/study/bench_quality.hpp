// `backlit bench --quality`: error against seconds, for every method.
#pragma once

#include <string>
#include <vector>

#include <backlit/device/backend.hpp>
#include "command.hpp"
#include "study/bench/cases.hpp"

namespace backlit::cli {

struct QualityOption {
  bool on = false;
  std::string methods = "fdk,sirt,ossart,cgls,fista,pwls,tv,pdhg,asdpocs", views = "60,120,360", pairs = "matched";
  double photons = 1e5, target_hu = 0, seconds = 10;
  std::string plot;  ///< PNG
};

Parameters describe(QualityOption&);

/// `precision`: one name, or "all".
void run_quality(const QualityOption&, Backend&, const BenchCase&, const std::string& precision, const Console&);

}  // namespace backlit::cli
