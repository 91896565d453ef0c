// Whether the object of a simulated scan comes back as it stood: neither mirrored nor upside down.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include "support/io/lab_scanner.hpp"
#include "support/io/real_data.hpp"

namespace backlit::test {

template <class File>
const std::string& fact(const File& file, const std::string& meaning) {
  const auto found = std::ranges::find(file.facts, meaning, &ScanFact::meaning);
  INFO("fact '" << meaning << "'");
  REQUIRE(found != file.facts.end());
  return found->value;
}

/// Correlation of the scan's reconstruction with an object, with its mirror image, and with the object upside down.
struct Likeness {
  double object, mirrored, upside_down;
};

/// The object is lopsided_phantom(size), its coordinates multiplied by `placed`.
inline Likeness likeness(const ScanFile& file, const Vec3& placed = Vec3(1), double size = 5) {
  auto source = file.projections;
  if (file.kind == ScanFile::Kind::counts) source = correct_counts(source, file.flats, file.darks, nullptr);
  const VolumeGrid grid{{37, 37, 31}, Vec3(0.064 * size), {0, 0, 0}};
  const Volume found = fdk(source, grid, "cpu");
  const auto like = [&](const Vec3& sign) {
    Phantom object = lopsided_phantom(size);
    for (Body& body : object.bodies) body.center *= sign * placed;
    return fit(voxelize(object, grid).values.span(), found.values.span()).correlation;
  };
  return {like({1, 1, 1}), like({1, -1, 1}), like({1, 1, -1})};
}

inline void check_place(const ScanFile& file, const Vec3& placed = Vec3(1), double size = 5) {
  const Likeness like = likeness(file, placed, size);
  CHECK(like.object > 0.97);
  CHECK(like.object > like.mirrored + 0.02);
  CHECK(like.object > like.upside_down + 0.02);
}

/// For fan and cone beams, whose data tell whether the turning sense is right.
inline void check_object(const ScanFile& file) {
  CHECK(fact(file, "turning sense") == "as the format says, and the data agree");
  check_place(file);
}

}  // namespace backlit::test
