// The header of PETSIRD: the scanner, time of flight and efficiencies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/data/list_mode.hpp>
#include "io/header_fields.hpp"
#include "io/lists/petsird/yardl.hpp"

namespace backlit::formats {

/// A required field. Throws InputError naming it when it is missing.
inline const YardlValue& petsird_field(const YardlValue& record, std::string_view name, const std::string& where) {
  if (const YardlValue* found = record.find(name)) return *found;
  throw InputError(where, fmt::format("its header has no {}", name), "it is of a version of PETSIRD not known here");
}

/// A transformation: three rows of four numbers. Throws InputError.
RigidTransform petsird_transform(const YardlValue& value, const std::string& where);

/// Values that all crystals of one type of module share.
struct ModuleType {
  std::uint32_t first = 0;  ///< number of its first crystal
  std::uint32_t modules = 0, elements = 0, energies = 1;
  std::uint32_t bins() const { return modules * elements * energies; }
  std::uint32_t crystals() const { return modules * elements; }
};

/// Rows of numbers, each of its own length: a matrix, or its lower triangle.
template <class T>
class RowTable {
 public:
  RowTable() = default;
  /// From an array of two dimensions, or a list of lists.
  explicit RowTable(const YardlValue& matrix);

  bool empty() const { return values_.empty(); }
  const std::vector<T>& values() const { return values_; }
  /// `otherwise` for elements that the table lacks.
  T at(std::size_t row, std::size_t column, T otherwise) const {
    if (row + 1 >= begin_.size() || column >= begin_[row + 1] - begin_[row]) return otherwise;
    return values_[begin_[row] + column];
  }

 private:
  std::vector<T> values_;
  std::vector<std::size_t> begin_;  ///< of each row, and the end
};

/// A pair of types of modules: time of flight and efficiencies of its events.
struct TypePair {
  bool given = false;        ///< events of it may come
  std::vector<float> dt_ps;  ///< the middle of each bin; empty: no time of flight
  double fwhm_ps = 0, range_ps = 0, bin_ps = 0;
  bool has_tof() const { return dt_ps.size() > 1 && fwhm_ps > 0; }
  RowTable<std::int32_t> groups;                   ///< symmetry group of a pair of modules; -1: not in coincidence
  std::vector<RowTable<float>> pair_efficiencies;  ///< by group
};

class PetsirdHeader {
 public:
  PetsirdHeader(YardlValue header, std::string where);
  PetsirdHeader(const PetsirdHeader&) = delete;
  PetsirdHeader& operator=(const PetsirdHeader&) = delete;

  const Scanner& scanner() const { return scanner_; }
  /// What the exam tells: weight, dose and isotope of the result are set.
  const ListModeInfo& exam() const { return exam_; }
  const std::vector<ModuleType>& types() const { return types_; }
  const TypePair& pair(std::size_t i, std::size_t j) const { return pairs_[i * types_.size() + j]; }
  bool has_efficiencies() const { return has_efficiencies_; }
  /// From the scanner's frame of PETSIRD to that of the crystals' positions.
  const RigidTransform& alignment() const { return alignment_; }
  /// What was taken from the header and what was not, for the user.
  const HeaderFields& fields() const { return fields_; }

  /// Efficiency of a pair of detection bins, without the calibration factor: PETSIRD's get_detection_efficiency().
  double efficiency(std::size_t i, std::size_t j, std::uint32_t bin1, std::uint32_t bin2) const;
  /// The same of two crystals: the sum over their energy bins.
  double crystal_efficiency(std::int64_t crystal1, std::int64_t crystal2) const;
  /// Whether efficiencies of pairs of modules differ: these are PETSIRD's place for the geometry of pairs.
  bool has_geometry() const { return has_geometry_; }

 private:
  void read_modules();
  void add_type(const YardlValue& replicated, const YardlValue& energies);
  /// Adds a crystal; its position is the middle of its box.
  void add_crystal(const RigidTransform& transform, const std::vector<Vec3>& corners);
  void read_pairs();
  /// Edges are (t1 - t2) c / 2, mm.
  void read_time_of_flight(const std::vector<double>& edges, TypePair& p) const;
  void read_bin_efficiencies(const YardlValue* efficiencies);
  void read_pair_efficiencies(const YardlValue& efficiencies, std::size_t i, std::size_t j, TypePair& p);
  void look_for_geometry();

  std::size_t type_of(std::int64_t crystal) const;

  ListModeInfo exam_;
  HeaderFields fields_;
  YardlValue header_;  ///< empty after construction
  std::string where_;
  Scanner scanner_;
  RigidTransform alignment_;
  std::vector<ModuleType> types_;
  std::vector<TypePair> pairs_;  ///< (0,0), (0,1), ...; those whose second type is larger are of versions before 0.9
  std::vector<std::vector<float>> bin_efficiencies_;
  bool has_efficiencies_ = false, has_geometry_ = false, same_sizes_ = true;
};

}  // namespace backlit::formats
