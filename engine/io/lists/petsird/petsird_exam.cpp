#include "io/lists/petsird/petsird_exam.hpp"

#include <array>
#include <cmath>
#include <optional>

namespace backlit::formats {
namespace {

/// Half-lives in s, with DICOM's codes (CID 4020) and the number that meanings such as "^18^Fluorine" hold.
struct Nuclide {
  std::string_view name, code, mass;
  double half_life;
};
constexpr std::array nuclides{Nuclide{"F-18", "C-111A1", "18", 6586.2},  Nuclide{"C-11", "C-105A1", "11", 1221.8},
                              Nuclide{"N-13", "C-107A1", "13", 597.9},   Nuclide{"O-15", "C-B1038", "15", 122.2},
                              Nuclide{"Ga-68", "C-131A3", "68", 4057.7}, Nuclide{"Cu-64", "C-127A2", "64", 45723},
                              Nuclide{"Zr-89", "C-168A4", "89", 282276}, Nuclide{"Rb-82", "C-159A2", "82", 75.5}};

std::string text_of(const YardlValue& record, std::string_view name) {
  const YardlValue* const found = record.find(name);
  return found ? found->text : "";
}

std::optional<Nuclide> nuclide_of(const YardlValue& code) {
  const std::string value = text_of(code, "codeValue"), meaning = text_of(code, "codeMeaning");
  for (const Nuclide& n : nuclides)
    if (value == n.code || meaning == n.name) return n;
  for (const Nuclide& n : nuclides)
    if (meaning.find(n.mass) != std::string::npos && meaning.find(n.name[0]) != std::string::npos) return n;
  return std::nullopt;
}

/// Seconds; a datetime is in nanoseconds.
std::optional<double> time_of(const YardlValue& record, std::string_view name) {
  const YardlValue* const found = record.find(name);
  if (!found || !found->present || found->number == 0) return std::nullopt;
  return 1e-9 * found->number;
}

}  // namespace

void read_petsird_exam(const YardlValue& header, ListModeInfo& info) {
  const YardlValue* const exam = header.find("exam");
  if (!exam || !exam->present) return;
  if (const YardlValue* const patient = exam->find("patient"))
    if (const YardlValue* const weight = patient->find("patientsWeight"); weight && weight->number > 0)
      info.weight_kg = weight->number;
  const YardlValue* const doses = exam->find("radiopharmaceuticals");
  if (!doses || doses->items.size() != 1) return;
  const YardlValue& dose = doses->items.front();
  const YardlValue* const total = dose.find("radionuclideTotalDose");
  const YardlValue* const code = dose.find("radionuclideCodeSequence");
  const auto nuclide = code ? nuclide_of(*code) : std::nullopt;
  if (nuclide) info.isotope = nuclide->name;
  const auto given = time_of(dose, "radiopharmaceuticalStartDateTime"), begun = time_of(*exam, "startOfAcquisition");
  if (!nuclide || !total || !(total->number > 0) || !given || !begun || *begun < *given) return;
  info.dose_bq = total->number * std::exp2((*given - *begun) / nuclide->half_life);
}

}  // namespace backlit::formats
