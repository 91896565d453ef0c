// Beam hardening: the line integral of a spectrum grows more slowly than the path.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "core/solve.hpp"
#include "geometry/rows_seen.hpp"
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/hardening.hpp"
#include "preprocess/corrections/main_material.hpp"
#include "preprocess/corrections/part_of_views.hpp"

namespace backlit {
namespace {

/// value <- f(value), everywhere.
template <class F>
void replace_values(Projections& p, std::string_view stage, const Watch& watch, F&& f) {
  in_batches(watch, stage, p.scan.view_count(), p.scan.detector.pixels(), "views",
             [&](std::int64_t first, std::int64_t count) {
               parallel_for(count, [&](std::int64_t i) {
                 for (float& v : p.view(first + i)) v = static_cast<float>(f(static_cast<double>(v)));
               });
             });
}

double largest_value(const Projections& p) {
  double most = 0;
  for (const float v : p.values) most = std::max(most, static_cast<double>(v));
  return most;
}

/// c1 p + c2 p^2 + ...
double polynomial(const std::vector<double>& c, double p) {
  double sum = 0;
  for (std::size_t i = c.size(); i-- > 0;) sum = (sum + c[i]) * p;
  return sum;
}

/// Whether longer paths give larger values, up to `most`.
bool rises(const std::vector<double>& c, double most) {
  constexpr int steps = 200;
  for (int i = 0; i < steps; ++i)
    if (!(polynomial(c, most * (i + 1) / steps) > polynomial(c, most * i / steps))) return false;
  return true;
}

std::string apply_polynomial(Projections& p, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  const std::vector<double> c = hardening_polynomial(o, largest_value(p));
  replace_values(p, "beam hardening", watch, [&](double v) { return polynomial(c, v); });
  return polynomial_text(c);
}

struct EnergyWeight {
  double kev, weight;
};

/// 1/mm, of liquid water at 1 g/cm3 (Hubbell and Seltzer 1995, NISTIR 5632); between energies as a power.
double water_attenuation(double kev) {
  static constexpr EnergyWeight table[] = {
      {5, 42.58},    {6, 24.64},    {8, 10.37},     {10, 5.329},    {15, 1.673},    {20, 0.8096},   {30, 0.3756},
      {40, 0.2683},  {50, 0.2269},  {60, 0.2059},   {80, 0.1837},   {100, 0.1707},  {150, 0.1505},  {200, 0.1370},
      {300, 0.1186}, {400, 0.1061}, {500, 0.09687}, {600, 0.08956}, {800, 0.07865}, {1000, 0.07072}};  // cm2/g
  const auto* above = std::ranges::lower_bound(table, kev, {}, &EnergyWeight::kev);
  above = std::clamp(above, std::begin(table) + 1, std::end(table) - 1);
  const auto* below = above - 1;
  const double share = std::log(kev / below->kev) / std::log(above->kev / below->kev);
  return 0.1 * std::exp((1 - share) * std::log(below->weight) + share * std::log(above->weight));
}

std::vector<EnergyWeight> read_spectrum(const std::string& name) {
  std::ifstream file(name);
  if (!file) throw InputError(name, "no such file, or it cannot be read");
  std::vector<EnergyWeight> spectrum;
  std::string line;
  for (int number = 1; std::getline(file, line) && number <= 100000; ++number) {
    std::ranges::replace(line, ',', ' ');
    std::ranges::replace(line, ';', ' ');
    if (const auto start = line.find_first_not_of(" \t\r"); start == std::string::npos || line[start] == '#') continue;
    std::istringstream words(line);
    EnergyWeight e{};
    std::string rest;
    if (!(words >> e.kev >> e.weight) || words >> rest) {
      if (spectrum.empty() && number == 1) continue;  // a heading
      throw InputError(fmt::format("{}:{}", name, number), "is not an energy and a weight", "write '60 0.8', in keV");
    }
    if (!(e.kev >= 5 && e.kev <= 1000) || !(e.weight >= 0) || !std::isfinite(e.weight))
      throw InputError(fmt::format("{}:{}", name, number), fmt::format("{} keV with weight {}", e.kev, e.weight),
                       "energies are 5 to 1000 keV, weights 0 or more");
    spectrum.push_back(e);
  }
  double all = 0;
  for (const EnergyWeight& e : spectrum) all += e.weight;
  if (!(all > 0))
    throw InputError(name, "holds no spectrum", "write a line of energy in keV and weight for each energy");
  for (EnergyWeight& e : spectrum) e.weight /= all;
  return spectrum;
}

std::string correct_water(Projections& p, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  const WaterCurve curve(o.water_spectrum, largest_value(p));
  replace_values(p, "beam hardening", watch, curve);
  return curve.text();
}

/// Fits c in sum c_n f_n to the material's median inside and to 0 outside.
std::vector<double> fit(const std::vector<Volume>& powers, const MainMaterial& material) {
  const std::size_t n = powers.size();
  std::vector<double> matrix(n * n, 0), right(n, 0), c;
  for (std::size_t v = 0; v < material.inside.size(); ++v) {
    if (!material.inside[v] && !material.outside[v]) continue;
    const double wanted = material.inside[v] ? material.median : 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto value = static_cast<double>(powers[i].values[static_cast<std::int64_t>(v)]);
      right[i] += value * wanted;
      for (std::size_t j = 0; j < n; ++j)
        matrix[i * n + j] += value * static_cast<double>(powers[j].values[static_cast<std::int64_t>(v)]);
    }
  }
  return solve(std::move(matrix), std::move(right), c) ? c : std::vector<double>{};
}

std::string flatten(Projections& p, const CorrectionOptions&, const CorrectionInput& input, const Watch& watch) {
  const double most = largest_value(p);
  if (!(most > 0)) return nothing_to_flatten;
  const VolumeGrid slice = input.volume.grid(p.scan, 1);
  const Projections seen = part_of(p, rows_seen(slice, p.scan, 0), 1);
  std::vector<Volume> powers;
  for (int power = 1; power <= flattening_powers; ++power) {
    Projections raised(seen.scan, seen.values.clone());
    replace_values(raised, "beam hardening", watch, [&](double v) { return flattening_power(v, most, power); });
    powers.push_back(input.volume.reconstruct(raised, slice));
  }
  const std::vector<double> c = flattening(std::move(powers), most);
  if (c.empty()) return cannot_be_flatter;
  replace_values(p, "beam hardening", watch, [&](double v) { return v > 0 ? polynomial(c, v) : c[0] * v; });
  return polynomial_text(c);
}

}  // namespace

std::vector<double> hardening_polynomial(const CorrectionOptions& o, double most) {
  std::vector<double> c{1};
  c.insert(c.end(), o.hardening.coefficients.begin(), o.hardening.coefficients.end());
  if (!rises(c, most))
    throw InputError("hardening", fmt::format("longer paths would give smaller values before p = {:.3g}", most),
                     "coefficients of beam hardening are usually positive");
  return c;
}

std::vector<double> flattening(std::vector<Volume> powers, double most) {
  const MainMaterial material = main_material(powers.front());
  if (std::ranges::count(material.inside, 1) < least_homogeneous)
    throw InputError("flatten", "the middle slice has no homogeneous part that is large enough",
                     "use `hardening` or `water_spectrum`");
  for (; powers.size() > 1; powers.pop_back()) {
    std::vector<double> c = fit(powers, material);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] /= std::pow(most, static_cast<double>(i));
    if (!c.empty() && rises(c, most)) return c;
  }
  return {};
}

std::string polynomial_text(const std::vector<double>& c) {
  std::string text = "p becomes";
  for (std::size_t i = 0; i < c.size(); ++i)
    text += fmt::format("{}{:.4g} p{}", i == 0 ? " " : " + ", c[i], i == 0 ? "" : fmt::format("^{}", i + 1));
  return text;
}

WaterCurve::WaterCurve(const std::string& spectrum_file, double most) {
  const std::vector<EnergyWeight> spectrum = read_spectrum(spectrum_file);
  for (const EnergyWeight& e : spectrum) thin_ += e.weight * water_attenuation(e.kev);
  for (double path = 0; measured_.empty() || measured_.back() < most; path += step) {
    double passed = 0;
    for (const EnergyWeight& e : spectrum) passed += e.weight * std::exp(-path * water_attenuation(e.kev));
    measured_.push_back(-std::log(passed));
    if (!std::isfinite(measured_.back()) || measured_.size() > 100000) {
      measured_.pop_back();
      break;
    }
  }
}

double WaterCurve::operator()(double p) const {
  if (p <= 0 || measured_.size() < 2) return p;
  auto above = std::ranges::lower_bound(measured_, p);
  above = std::clamp(above, measured_.begin() + 1, measured_.end() - 1);
  const double a = *(above - 1), b = *above;
  return thin_ * step * (static_cast<double>(above - 1 - measured_.begin()) + (p - a) / (b - a));
}

std::string WaterCurve::text() const { return fmt::format("thin water has {:.4g}/mm", thin_); }

std::string to_text(const Polynomial& p) { return fmt::format("{}", fmt::join(p.coefficients, ",")); }

void from_text(Polynomial& p, const std::string& text, const std::string& where) {
  p.coefficients.clear();
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    double c = 0;
    const auto [stop, error] = std::from_chars(at, end, c);
    if (error != std::errc{} || !std::isfinite(c) || (stop != end && *stop != ',') || p.coefficients.size() == 8)
      throw InputError(where, fmt::format("'{}' is not A2,A3,...", text),
                       "give up to eight coefficients: 0.05,0.01 makes p + 0.05 p^2 + 0.01 p^3");
    p.coefficients.push_back(c);
    at = stop == end ? end : stop + 1;
  }
}

namespace correction {

Correction hardening() {
  return {"hardening",
          "beam hardening",
          "Herman, Correction for beam hardening in computed tomography, Phys. Med. Biol. 24 (1979) 81",
          {"hardening"},
          false,
          [](const CorrectionOptions& o) { return !o.hardening.coefficients.empty(); },
          apply_polynomial};
}

Correction water_spectrum() {
  return {"water_spectrum",
          "beam hardening of water",
          "Brooks and Di Chiro, Beam hardening in X-ray reconstructive tomography, Phys. Med. Biol. 21 (1976) 390",
          {"water_spectrum"},
          false,
          [](const CorrectionOptions& o) { return !o.water_spectrum.empty(); },
          correct_water};
}

Correction flatten() {
  return {"flatten",
          "cupping",
          "Kachelriess, Sourbelle, Kalender, Empirical cupping correction, Med. Phys. 33 (2006) 1269",
          {"flatten"},
          true,
          [](const CorrectionOptions& o) { return o.flatten; },
          backlit::flatten};
}

}  // namespace correction

}  // namespace backlit
