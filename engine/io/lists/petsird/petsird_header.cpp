#include "io/lists/petsird/petsird_header.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "io/lists/petsird/petsird_exam.hpp"
#include "io/lists/petsird/petsird_notes.hpp"

namespace backlit::formats {
namespace {

/// Element (i, j) of a matrix, which is an array or a list of rows; nothing outside.
std::optional<double> element(const YardlValue& matrix, std::size_t i, std::size_t j) {
  if (matrix.shape.size() == 2) {
    const auto rows = static_cast<std::size_t>(matrix.shape[0]), columns = static_cast<std::size_t>(matrix.shape[1]);
    if (i >= rows || j >= columns || i * columns + j >= matrix.numbers.size()) return {};
    return matrix.numbers[i * columns + j];
  }
  if (i >= matrix.items.size() || j >= matrix.items[i].numbers.size()) return {};
  return matrix.items[i].numbers[j];
}

/// Item (i, j) of a matrix of records or lists; null outside.
const YardlValue* item(const YardlValue& matrix, std::size_t i, std::size_t j) {
  return i < matrix.items.size() && j < matrix.items[i].items.size() ? &matrix.items[i].items[j] : nullptr;
}

}  // namespace

RigidTransform petsird_transform(const YardlValue& value, const std::string& where) {
  const YardlValue& matrix = petsird_field(value, "matrix", where);
  if (matrix.numbers.size() != 12) throw InputError(where, "a transformation is no 3 x 4 matrix");
  RigidTransform t;
  for (int r = 0; r < 3; ++r) {
    const auto at = [&](int c) { return matrix.numbers[static_cast<std::size_t>(4 * r + c)]; };
    for (int c = 0; c < 3; ++c) t.turn[c][r] = at(c);
    t.shift[r] = at(3);
  }
  return t;
}

template <class T>
RowTable<T>::RowTable(const YardlValue& matrix) {
  const auto add_row = [&](std::span<const double> numbers) {
    for (const double number : numbers)
      values_.push_back(std::isfinite(number)
                            ? static_cast<T>(std::clamp<double>(number, std::numeric_limits<T>::lowest(),
                                                                std::numeric_limits<T>::max()))
                            : T(-1));
    begin_.push_back(values_.size());
  };
  begin_.push_back(0);
  if (matrix.shape.size() == 2) {
    const auto rows = static_cast<std::size_t>(matrix.shape[0]), columns = static_cast<std::size_t>(matrix.shape[1]);
    for (std::size_t row = 0; row < rows && (row + 1) * columns <= matrix.numbers.size(); ++row)
      add_row(std::span(matrix.numbers).subspan(row * columns, columns));
  } else {
    for (const YardlValue& row : matrix.items) add_row(row.numbers);
  }
}

PetsirdHeader::PetsirdHeader(YardlValue header, std::string where)
    : fields_(where), header_(std::move(header)), where_(std::move(where)) {
  read_modules();
  read_pairs();
  look_for_geometry();
  read_petsird_exam(header_, exam_);
  note_petsird(*this, header_, fields_);
  header_ = {};
}

double PetsirdHeader::efficiency(std::size_t i, std::size_t j, std::uint32_t bin1, std::uint32_t bin2) const {
  double e = 1;
  if (!bin_efficiencies_[i].empty()) e *= static_cast<double>(bin_efficiencies_[i][bin1]);
  if (!bin_efficiencies_[j].empty()) e *= static_cast<double>(bin_efficiencies_[j][bin2]);
  const TypePair& p = pair(i, j);
  if (p.groups.empty()) return e;
  const std::uint32_t per1 = types_[i].elements * types_[i].energies, per2 = types_[j].elements * types_[j].energies;
  const std::int32_t group = p.groups.at(bin1 / per1, bin2 / per2, -1);
  if (group < 0 || static_cast<std::size_t>(group) >= p.pair_efficiencies.size()) return 0;
  const RowTable<float>& table = p.pair_efficiencies[static_cast<std::size_t>(group)];
  return e * static_cast<double>(table.at(bin1 % per1, bin2 % per2, 0));
}

std::size_t PetsirdHeader::type_of(std::int64_t crystal) const {
  std::size_t type = 0;
  while (crystal >= types_[type].first + types_[type].crystals()) ++type;
  return type;
}

double PetsirdHeader::crystal_efficiency(std::int64_t crystal1, std::int64_t crystal2) const {
  if (crystal1 < crystal2) std::swap(crystal1, crystal2);  // PETSIRD names the larger type and bin first
  const std::size_t i = type_of(crystal1), j = type_of(crystal2);
  const std::uint32_t energies1 = types_[i].energies, energies2 = types_[j].energies;
  const auto bin1 = (static_cast<std::uint32_t>(crystal1) - types_[i].first) * energies1;
  const auto bin2 = (static_cast<std::uint32_t>(crystal2) - types_[j].first) * energies2;
  double sum = 0;
  for (std::uint32_t e1 = 0; e1 < energies1; ++e1)
    for (std::uint32_t e2 = 0; e2 < energies2; ++e2) sum += efficiency(i, j, bin1 + e1, bin2 + e2);
  return sum;
}

void PetsirdHeader::read_modules() {
  const YardlValue& scanner = petsird_field(header_, "scanner", where_);
  if (const YardlValue* name = scanner.find("modelName")) scanner_.name = name->text;
  const YardlValue& geometry = petsird_field(scanner, "scannerGeometry", where_);
  if (const YardlValue* alignment = scanner.find("gantryAlignment")) alignment_ = petsird_transform(*alignment, where_);
  const YardlValue& energies = petsird_field(scanner, "eventEnergyBinEdges", where_);
  for (const YardlValue& replicated : petsird_field(geometry, "replicatedModules", where_).items)
    add_type(replicated, energies);
  if (types_.empty()) throw InputError(where_, "its scanner has no modules", "the file is damaged");
  if (!same_sizes_) scanner_.crystal_mm = Vec3(0);
}

void PetsirdHeader::add_type(const YardlValue& replicated, const YardlValue& energies) {
  const YardlValue& elements = petsird_field(petsird_field(replicated, "object", where_), "detectingElements", where_);
  const YardlValue& shape = petsird_field(petsird_field(elements, "object", where_), "shape", where_);
  const auto& modules = petsird_field(replicated, "transforms", where_).items;
  const auto& places = petsird_field(elements, "transforms", where_).items;
  ModuleType type;
  type.first = static_cast<std::uint32_t>(scanner_.position.size());
  type.modules = static_cast<std::uint32_t>(modules.size());
  type.elements = static_cast<std::uint32_t>(places.size());
  const std::size_t index = types_.size();
  if (index >= energies.items.size()) throw InputError(where_, "a type of module has no energy bins");
  const std::size_t edges = petsird_field(energies.items[index], "edges", where_).numbers.size();
  type.energies = static_cast<std::uint32_t>(std::max<std::size_t>(2, edges) - 1);
  constexpr std::uint64_t most = std::uint64_t{1} << 28;
  if (std::uint64_t{type.modules} * std::max(1u, type.elements) > most ||
      std::uint64_t{type.modules} * type.elements * type.energies > most)
    throw InputError(where_, "its scanner has more than 268 million detection bins", "the file is damaged");
  std::vector<Vec3> corners;
  for (const YardlValue& corner : petsird_field(shape, "corners", where_).items) {
    const YardlValue& c = petsird_field(corner, "c", where_);
    if (c.numbers.size() != 3) throw InputError(where_, "a corner of its crystals is no point");
    corners.emplace_back(c.numbers[0], c.numbers[1], c.numbers[2]);
  }
  if (corners.empty()) throw InputError(where_, "its crystals have no corners");
  for (const YardlValue& module : modules) {
    const RigidTransform outer = alignment_.after(petsird_transform(module, where_));
    for (const YardlValue& place : places) add_crystal(outer.after(petsird_transform(place, where_)), corners);
  }
  types_.push_back(type);
}

void PetsirdHeader::add_crystal(const RigidTransform& transform, const std::vector<Vec3>& corners) {
  Vec3 middle(0), low(1e30), high(-1e30);
  for (const Vec3& corner : corners) middle += transform(corner) / static_cast<double>(corners.size());
  Vec3 outward(middle.x, middle.y, 0);
  outward = glm::length(outward) > 1e-6 ? glm::normalize(outward) : Vec3(1, 0, 0);
  const Vec3 around(-outward.y, outward.x, 0);
  for (const Vec3& corner : corners) {
    const Vec3 p = transform(corner) - middle, local(glm::dot(p, around), p.z, glm::dot(p, outward));
    low = glm::min(low, local);
    high = glm::max(high, local);
  }
  if (!std::isfinite(glm::length(middle))) throw InputError(where_, "a crystal has no position", "the file is damaged");
  const Vec3 size = high - low;
  if (scanner_.position.empty()) scanner_.crystal_mm = size;
  // Uses the smallest size: a box that is tilted against the axis seems larger.
  same_sizes_ = same_sizes_ && glm::length(size - scanner_.crystal_mm) < 0.2 * glm::length(size);
  scanner_.crystal_mm = glm::min(scanner_.crystal_mm, size);
  scanner_.position.emplace_back(middle);
  scanner_.outward.emplace_back(outward);
}

void PetsirdHeader::read_pairs() {
  const YardlValue& scanner = petsird_field(header_, "scanner", where_);
  const YardlValue& edges = petsird_field(scanner, "tofBinEdges", where_);
  const YardlValue& resolution = petsird_field(scanner, "tofResolution", where_);
  const YardlValue* efficiencies = scanner.find("detectionEfficiencies");
  read_bin_efficiencies(efficiencies);
  for (std::size_t i = 0; i < types_.size(); ++i)
    for (std::size_t j = 0; j < types_.size(); ++j) {
      TypePair p;
      const YardlValue* bins = item(edges, i, j);
      const YardlValue* of_pair = bins ? &petsird_field(*bins, "edges", where_) : nullptr;
      p.given = j <= i || (of_pair && !of_pair->numbers.empty());
      if (of_pair) read_time_of_flight(of_pair->numbers, p);
      p.fwhm_ps = element(resolution, i, j).value_or(0) / half_c_mm_per_ps;
      if (efficiencies && p.given) read_pair_efficiencies(*efficiencies, i, j, p);
      pairs_.push_back(std::move(p));
    }
}

void PetsirdHeader::read_time_of_flight(const std::vector<double>& edges, TypePair& p) const {
  if (edges.size() < 3) return;  // one bin, of any width: no time of flight
  for (const double edge : edges)
    if (!std::isfinite(edge)) throw InputError(where_, "an edge of its bins of time of flight is no number");
  for (std::size_t k = 0; k + 1 < edges.size(); ++k)
    p.dt_ps.push_back(static_cast<float>(0.5 * (edges[k] + edges[k + 1]) / half_c_mm_per_ps));
  p.range_ps = std::abs(edges.back() - edges.front()) / half_c_mm_per_ps;
  p.bin_ps = p.range_ps / static_cast<double>(edges.size() - 1);
}

void PetsirdHeader::read_bin_efficiencies(const YardlValue* efficiencies) {
  bin_efficiencies_.resize(types_.size());
  const YardlValue* lists = efficiencies ? efficiencies->find("detectionBinEfficiencies") : nullptr;
  if (!lists || lists->items.empty()) return;
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const std::size_t have = i < lists->items.size() ? lists->items[i].numbers.size() : 0;
    if (have == 0) continue;
    if (have != types_[i].bins())
      throw InputError(where_, fmt::format("type {} of modules has {} efficiencies for {} detection bins", i, have,
                                           types_[i].bins()));
    bin_efficiencies_[i].assign(lists->items[i].numbers.begin(), lists->items[i].numbers.end());
    has_efficiencies_ = true;
  }
  if (!has_efficiencies_) return;
  for (std::size_t i = 0; i < types_.size(); ++i)
    for (std::uint32_t c = 0; c < types_[i].crystals(); ++c) {
      float sum = bin_efficiencies_[i].empty() ? 1 : 0;
      for (std::uint32_t e = 0; e < types_[i].energies && !bin_efficiencies_[i].empty(); ++e)
        sum += bin_efficiencies_[i][c * types_[i].energies + e];
      scanner_.efficiency.push_back(sum);
    }
}

void PetsirdHeader::read_pair_efficiencies(const YardlValue& efficiencies, std::size_t i, std::size_t j, TypePair& p) {
  const YardlValue* groups = efficiencies.find("modulePairSGIDLUT");
  const YardlValue* tables = efficiencies.find("modulePairEfficienciesVectors");
  if (!groups || !tables || groups->items.empty()) return;
  // A matrix of matrices: the inner one is an array, or a list of rows.
  const YardlValue *of_modules = item(*groups, i, j), *all = item(*tables, i, j);
  if (!of_modules || !all) return;
  p.groups = RowTable<std::int32_t>(*of_modules);
  if (p.groups.empty()) return;
  has_efficiencies_ = true;
  p.pair_efficiencies.resize(all->items.size());
  for (const YardlValue& table : all->items) {
    const double group = petsird_field(table, "sgid", where_).number;
    if (!(group >= 0 && group < static_cast<double>(all->items.size())))
      throw InputError(where_, fmt::format("symmetry group {} of {}", group, all->items.size()));
    p.pair_efficiencies[static_cast<std::size_t>(group)] = RowTable<float>(petsird_field(table, "values", where_));
  }
}

void PetsirdHeader::look_for_geometry() {
  const float* first = nullptr;
  for (const TypePair& pair : pairs_)
    for (const RowTable<float>& table : pair.pair_efficiencies)
      for (const float& value : table.values()) {
        if (!first) first = &value;
        has_geometry_ = has_geometry_ || value != *first;
      }
}

}  // namespace backlit::formats
