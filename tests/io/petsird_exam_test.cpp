// What SUV takes, from the exam in a header of PETSIRD.
#include "io/lists/petsird/petsird_exam.hpp"

#include <catch2/catch.hpp>

using namespace backlit;
using namespace backlit::formats;

namespace petsird_exam_test {
namespace {

YardlValue number(double value) { return {.number = value}; }

YardlValue record(std::vector<std::pair<std::string, YardlValue>> fields) { return {.fields = std::move(fields)}; }

constexpr double noon = 1.75e18;  // ns

YardlValue header(const std::string& nuclide, double begun, double doses = 1) {
  const YardlValue dose = record({{"radiopharmaceuticalStartDateTime", number(noon)},
                                  {"radionuclideTotalDose", number(3e8)},
                                  {"radionuclideCodeSequence", record({{"codeMeaning", {.text = nuclide}}})}});
  YardlValue all{.items = std::vector<YardlValue>(static_cast<std::size_t>(doses), dose)};
  return record({{"exam", record({{"startOfAcquisition", number(begun)},
                                  {"patient", record({{"patientsWeight", number(72)}})},
                                  {"radiopharmaceuticals", all}})}});
}

}  // namespace

TEST_CASE("The exam tells weight and the dose that is left when the list begins", "[petsird]") {
  ListModeInfo info;
  read_petsird_exam(header("^18^Fluorine", noon + 6586.2e9), info);  // after a half-life
  CHECK(info.weight_kg == 72);
  CHECK(info.dose_bq == Approx(1.5e8));
  CHECK(info.isotope == "F-18");
}

TEST_CASE("A dose of unknown nuclide or time, or several doses, stay unknown", "[petsird]") {
  for (const auto& [name, begun, doses] : {std::tuple("Unobtainium", noon + 1e9, 1.0),
                                           {"F-18", 0.0, 1.0},
                                           {"F-18", noon - 1e9, 1.0},
                                           {"F-18", noon, 2.0}}) {
    ListModeInfo info;
    read_petsird_exam(header(name, begun, doses), info);
    CHECK(info.dose_bq == 0);
    CHECK(info.weight_kg == 72);
  }
  ListModeInfo info;
  read_petsird_exam(record({{"exam", {.present = false}}}), info);
  CHECK(info.weight_kg == 0);
}

}  // namespace petsird_exam_test
