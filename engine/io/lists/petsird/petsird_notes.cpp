#include "io/lists/petsird/petsird_notes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace backlit::formats {
namespace {

constexpr std::size_t most_types = 8;

std::string scanner_field(const char* name) { return fmt::format("scanner.{}", name); }

void note_modules(const PetsirdHeader& header, HeaderFields& fields) {
  const std::string modules = scanner_field("scannerGeometry.replicatedModules");
  if (!header.scanner().name.empty())
    fields.note_fact("scanner", header.scanner().name, fields.source(scanner_field("modelName")));
  for (std::size_t i = 0; i < std::min(most_types, header.types().size()); ++i) {
    const ModuleType& type = header.types()[i];
    fields.note_fact(fmt::format("modules of type {}", i),
                     fmt::format("{} of {} crystals, energy bins: {}", type.modules, type.elements, type.energies),
                     fields.source(fmt::format("{}[{}], scanner.eventEnergyBinEdges[{}]", modules, i, i)));
  }
  if (header.types().size() > most_types)
    fields.note_fact("modules of further types", fmt::format("{} types", header.types().size() - most_types),
                     fields.source(modules));
  const Vec3& size = header.scanner().crystal_mm;
  if (size.x > 0)
    fields.note_fact("crystal around, along the axis, outwards",
                     fmt::format("{} x {} x {}", with_unit(size.x, ""), with_unit(size.y, ""), with_unit(size.z, "mm")),
                     fields.source("detectingElements.object.shape.corners"));
  if (header.alignment() == RigidTransform()) return;
  const RigidTransform& a = header.alignment();
  const double cosine = std::clamp(0.5 * (a.turn[0][0] + a.turn[1][1] + a.turn[2][2] - 1), -1.0, 1.0);
  fields.note_fact("alignment of the gantry",
                   fmt::format("moved by {:.6g}, {:.6g}, {:.6g} mm, turned by {:.6g} degrees", a.shift.x, a.shift.y,
                               a.shift.z, std::acos(cosine) / radians_per_degree),
                   fields.source(scanner_field("gantryAlignment")));
}

void note_pairs(const PetsirdHeader& header, HeaderFields& fields) {
  const std::size_t types = std::min(most_types, header.types().size());
  for (std::size_t i = 0; i < types; ++i)
    for (std::size_t j = 0; j < types; ++j) {
      const TypePair& pair = header.pair(i, j);
      if (!pair.given) continue;
      const std::string at = fmt::format("[{}][{}]", i, j);
      fields.note_fact(fmt::format("time of flight of types {} and {}", i, j),
                       pair.has_tof() ? fmt::format("{} bins of {}, FWHM {}", pair.dt_ps.size(),
                                                    with_unit(pair.bin_ps, "ps"), with_unit(pair.fwhm_ps, "ps"))
                                      : "none",
                       fields.source(fmt::format("scanner.tofBinEdges{}, scanner.tofResolution{}", at, at)));
      if (!pair.groups.empty())
        fields.note_fact(fmt::format("efficiencies of types {} and {}", i, j),
                         fmt::format("{} pairs of modules in {} symmetry groups", pair.groups.values().size(),
                                     pair.pair_efficiencies.size()),
                         fields.source(fmt::format("modulePairSGIDLUT{}, modulePairEfficienciesVectors{}", at, at)));
    }
  if (!header.scanner().efficiency.empty())
    fields.note_fact("efficiencies of crystals", fmt::format("{} numbers", header.scanner().efficiency.size()),
                     fields.source(scanner_field("detectionEfficiencies.detectionBinEfficiencies")));
}

void note_exam(const PetsirdHeader& header, const YardlValue& all, HeaderFields& fields) {
  const ListModeInfo& exam = header.exam();
  if (exam.weight_kg > 0)
    fields.note_fact("weight of the patient", with_unit(exam.weight_kg, "kg"),
                     fields.source("exam.patient.patientsWeight"));
  if (!exam.isotope.empty())
    fields.note_fact("isotope", exam.isotope, fields.source("exam.radiopharmaceuticals.radionuclideCodeSequence"));
  if (exam.dose_bq > 0)
    fields.note_fact("dose when the list begins", with_unit(exam.dose_bq * 1e-6, "MBq"),
                     fields.source("exam.radiopharmaceuticals.radionuclideTotalDose, exam.startOfAcquisition"));
  const YardlValue* const inner = all.find("exam");
  const YardlValue* const doses = inner ? inner->find("radiopharmaceuticals") : nullptr;
  if (doses && !doses->items.empty() && !(exam.dose_bq > 0))
    fields.add("exam.radiopharmaceuticals",
               fmt::format("{}: the dose when the list begins does not follow from them", doses->items.size()));
}

/// Fields that nobody asked for, by their names; those of equal things are counted.
class Unasked {
 public:
  void add(const YardlValue& value, const std::string& name, bool asked) {
    if (!value.present) return;
    asked = asked || value.asked;
    for (const auto& [inner, v] : value.fields) add(v, name.empty() ? inner : fmt::format("{}.{}", name, inner), false);
    for (const YardlValue& item : value.items) add(item, name, asked);
    if (asked) return;
    const std::string text = text_of(value);
    if (text.empty()) return;
    const auto [at, is_new] = found_.try_emplace(name, text, 0);
    ++at->second.second;
  }
  void add_to(HeaderFields& fields) const {
    for (const auto& [name, found] : found_)
      fields.add(name, found.second == 1 ? found.first : fmt::format("{} values", found.second));
  }

 private:
  static std::string text_of(const YardlValue& value) {
    if (!value.text.empty()) return value.text;
    if (value.scalar) return fmt::format("{:.15g}", value.number);
    return value.numbers.empty() ? "" : fmt::format("{} numbers", value.numbers.size());
  }

  std::map<std::string, std::pair<std::string, std::int64_t>> found_;
};

}  // namespace

void note_petsird(const PetsirdHeader& header, const YardlValue& all, HeaderFields& fields) {
  note_modules(header, fields);
  note_pairs(header, fields);
  note_exam(header, all, fields);
  Unasked unasked;
  unasked.add(all, "", false);
  unasked.add_to(fields);
}

}  // namespace backlit::formats
