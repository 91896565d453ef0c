// DICOM-CT-PD as a clinical scanner writes it, made without the engine's writer and geometry.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <backlit/geometry/types.hpp>
#include <backlit/phantom/phantom.hpp>
#include "support/io/dicom_bytes.hpp"
#include "support/io/io_samples.hpp"

namespace backlit::test {

/// A scanner as the manual has it: cylindrical coordinates (rho, phi, z), x = -rho sin phi, y = rho cos phi.
struct ClinicalScanner {
  int columns = 73, rows = 12, views_per_turn = 48, turns = 4;
  double du = 2.6, dv = 2.2, radius = 300, distance = 520, pitch = 18;
  double central_column = 37.8, central_row = 6.5;  ///< counted from 1
  bool few_photons = false;                         ///< in columns 30 to 33, whose values are wrong
  bool flying = true, transposed = true, mirrored_rows = false, turned_back = false, with_types = false;

  struct Place {
    double phi, z, spot_phi, spot_z, spot_rho;
  };
  Place place(int view) const {
    const double step = 2 * pi / views_per_turn;
    Place p{step * view, pitch * (view / double(views_per_turn) - 0.5 * turns), 0, 0, 0};
    if (flying)
      p.spot_phi = (view % 2 ? 0.5 : -0.5) * 0.01, p.spot_z = view / 2 % 2 ? 0.9 : -0.9, p.spot_rho = view % 2;
    return p;
  }
  /// From the manual's frame to the patient's, LPS: half a turn about z.
  static Vec3 patient(const Vec3& p) { return {-p.x, -p.y, p.z}; }

  std::vector<float> image(const Phantom& object, int view) const {
    const Place p = place(view);
    const double phi = turned_back ? -p.phi : p.phi, spot = turned_back ? -p.spot_phi : p.spot_phi;
    const auto at = [](double rho, double angle, double z) {
      return Vec3(-rho * std::sin(angle), rho * std::cos(angle), z);
    };
    const Vec3 source = patient(at(radius + p.spot_rho, phi + spot, p.z + p.spot_z));
    std::vector<float> values;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        // Around the focal centre; columns run to larger phi on the far side: clockwise seen from +z at the detector.
        const double alpha = (c - (central_column - 1)) * du / distance, up = (r - (central_row - 1)) * dv;
        const Vec3 away = -at(1, phi, 0), along(std::cos(phi), std::sin(phi), 0);
        const Vec3 pixel =
            patient(at(radius, phi, p.z) + distance * (std::cos(alpha) * away + std::sin(alpha) * along) +
                    Vec3(0, 0, mirrored_rows ? -up : up));
        values.push_back(static_cast<float>(
            line_integral(object, source, glm::normalize(pixel - source), 0, std::numeric_limits<double>::infinity())));
        if (few_photons && bad(c)) values.back() = 0;
      }
    return values;
  }

  static bool bad(int column) { return column >= 30 && column < 34; }
  float photons(int view, int column) const { return (bad(column) ? 1e-4f : 1) * static_cast<float>(1000 + view); }

  std::string file(const Phantom& object, int view) const {
    constexpr double slope = 1e-4, intercept = -0.05;
    const std::vector<float> values = image(object, view);
    std::vector<std::uint16_t> stored;
    for (int i = 0; i < columns * rows; ++i) {
      const int at = transposed ? i % rows * columns + i / rows : i;
      stored.push_back(
          static_cast<std::uint16_t>(std::lround((values[static_cast<std::size_t>(at)] - intercept) / slope)));
    }
    const Place p = place(view);
    const auto f = [](double v) { return static_cast<float>(v); };
    DicomBytes d(with_types);
    d.text(0x00080070, "LO", "SIEMENS");
    d.text(0x0020000e, "UI", "1.2.3");
    d.text(0x00200013, "IS", std::to_string(view + 1));
    d.binary<std::uint16_t>("US", 0x00280002, {1});
    d.binary("US", 0x00280010, {static_cast<std::uint16_t>(transposed ? columns : rows)});
    d.binary("US", 0x00280011, {static_cast<std::uint16_t>(transposed ? rows : columns)});
    d.binary<std::uint16_t>("US", 0x00280100, {16});
    d.binary<std::uint16_t>("US", 0x00280101, {16});
    d.binary<std::uint16_t>("US", 0x00280103, {0});
    d.text(0x00281052, "DS", fmt::format("{}", intercept));
    d.text(0x00281053, "DS", fmt::format("{}", slope));
    d.text(0x70290010, "LO", "DetectorSystemArrangementModule");
    const char* const fl = with_types ? "UN" : "FL";
    d.binary(fl, 0x70291002, {f(du)});
    d.binary(fl, 0x70291006, {f(dv)});
    d.text(0x7029100b, "CS", "CYLINDRICAL");
    d.binary("US", 0x70291010, {static_cast<std::uint16_t>(rows)});
    d.binary("US", 0x70291011, {static_cast<std::uint16_t>(columns)});
    d.binary(fl, 0x70311001, {f(std::fmod(p.phi, 2 * pi))});
    d.binary(fl, 0x70311002, {f(p.z)});
    d.binary(fl, 0x70311003, {f(radius)});
    d.binary(fl, 0x70311031, {f(distance)});
    d.binary(fl, 0x70311033, {f(central_column), f(central_row)});
    d.binary(fl, 0x7033100b, {f(p.spot_phi)});
    d.binary(fl, 0x7033100c, {f(p.spot_z)});
    d.binary(fl, 0x7033100d, {f(p.spot_rho)});
    d.text(0x7033100e, "CS", flying ? "FFSXYZ" : "FFSNONE");
    if (few_photons) {
      std::string bytes;
      for (int c = 0; c < columns; ++c) {
        const float n = photons(view, c);
        bytes.append(reinterpret_cast<const char*>(&n), sizeof n);
      }
      d.element(0x70331065, "OW", bytes);
    }
    d.text(0x70371009, "CS", "HELICAL");
    d.text(0x70411001, "DS", "0.192");
    std::string pixels(2 * stored.size(), '\0');
    std::memcpy(pixels.data(), stored.data(), pixels.size());
    d.element(0x7fe00010, "OW", pixels);
    return d.file();
  }

  void write(const std::filesystem::path& folder, const Phantom& object) const {
    for (int i = 0; i < views_per_turn * turns; ++i)
      write_bytes(folder / fmt::format("1-{}.dcm", i + 1), file(object, i));
  }
};

}  // namespace backlit::test
