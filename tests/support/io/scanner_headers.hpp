// What laboratory scanners write beside their images, made from the formats' descriptions.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "support/io/lab_scanner.hpp"

namespace backlit::test {

/// Counts without a header.
inline std::string bare_bytes(const std::vector<std::uint16_t>& counts) {
  std::string bytes(2 * counts.size(), '\0');
  std::memcpy(bytes.data(), counts.data(), bytes.size());
  return bytes;
}

inline std::string nikon_text(const LabScanner& s, int views, double step, const std::string& more) {
  return fmt::format(
      "[XTekCT]\nName=part\nVoxelsX=37\nSrcToObject={}\nSrcToDetector={}\nDetectorPixelsX={}\nDetectorPixelsY={}\n"
      "DetectorPixelSizeX={}\nDetectorPixelSizeY={}\nWhiteLevel=60000\nProjections={}\nInitialAngle=0\n"
      "AngularStep={}\nInputSeparator=_\nInputFolderName=part\n{}",
      s.to_axis, s.to_detector, s.columns, s.rows, s.pixel, s.pixel, views, step, more);
}

/// Row 16 from the bottom is level with the source.
inline std::string skyscan_text(const LabScanner& s, int views) {
  return fmt::format(
      "[System]\nScanner=SkyScan1272\nCamera Pixel Size (um)=250\nCamera X/Y Ratio=1.0\n[Acquisition]\n"
      "Filename Prefix=bone~00\nNumber Of Files= {}\nNumber Of Rows= {}\nNumber Of Columns= {}\nCamera binning=2x2\n"
      "Optical Axis (line)=  16\nCamera to Source (mm)={}\nObject to Source (mm)={}\nImage Pixel Size (um)=300\n"
      "Depth (bits)=16\nReference Intensity=57000\nRotation Step (deg)=6.000\nFlat Field Correction=ON\n"
      "Rotation Direction=CC\n",
      views, s.rows, s.columns, s.to_detector, s.to_axis);
}

inline std::string yxlon_text(const LabScanner& s, int views, const std::string& flips,
                              const std::string& type = "CircleTrajectory") {
  return fmt::format(
      R"(<?xml version="1.0"?><ScanParameter xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><ConeBeamScanParameter>
<DetectorOrientation>Original</DetectorOrientation><DetectorFlipDirections>{}</DetectorFlipDirections>
<PixelSize><Height>{}</Height><Width>{}</Width></PixelSize><ProjectionBitdepth>16</ProjectionBitdepth>
<ProjectionSize><Height>{}</Height><Width>{}</Width></ProjectionSize>
<ScanTrajectory xsi:type="{}"><PixelPitch>0.25</PixelPitch><Fdd>{}</Fdd><Fod>{}</Fod><YoCenter>0</YoCenter>
<NumberOfProjections>{}</NumberOfProjections><StartAngle>0</StartAngle><Rotation>360</Rotation></ScanTrajectory>
<Voltage unit="kV">120</Voltage></ConeBeamScanParameter></ScanParameter>)",
      flips, s.pixel, s.pixel, s.rows, s.columns, type, 4 * s.to_detector, 4 * s.to_axis, views);
}

inline std::string diondo_text(const LabScanner& s, int views, const std::string& helix = "false") {
  return fmt::format(
      "<Scan><ScanParameter><HelixMode>{}</HelixMode><Laminography>false</Laminography></ScanParameter><Recon>"
      "<ProjectionDimX>{}</ProjectionDimX><ProjectionDimY>{}</ProjectionDimY>"
      "<ProjectionPixelSizeX>{}</ProjectionPixelSizeX><ProjectionPixelSizeY>{}</ProjectionPixelSizeY>"
      "<ProjectionCount>{}</ProjectionCount><ProjectionCenterOffsetX>0.7</ProjectionCenterOffsetX></Recon><Geometrie>"
      "<SourceDetectorDist>{}</SourceDetectorDist><SourceObjectDist>{}</SourceObjectDist></Geometrie></Scan>",
      helix, s.columns, s.rows, s.pixel, s.pixel, views, s.to_detector, s.to_axis);
}

}  // namespace backlit::test
