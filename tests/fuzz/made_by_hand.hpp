// Samples made without our writers: of formats that are only read, and of what other programs write.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace backlit::fuzz {

/// A set of small files of one format.
struct HandMade {
  std::string format;                                             ///< its name in the table
  std::string file;                                               ///< the one that is opened
  std::function<void(const std::filesystem::path& folder)> make;  ///< writes it, and what belongs to it
  std::string variant{};                                          ///< tells several samples of a format apart
};

HandMade one_file(const std::string& format, const std::string& file, const std::string& bytes,
                  const std::string& variant = "");

/// RabbitCT's data set of two views, which is a volume's format and a scan's.
std::string rabbitct_bytes();

std::vector<HandMade> volumes_by_hand();
std::vector<HandMade> xrm_by_hand();  ///< volumes and scans; none without libgsf
std::vector<HandMade> scans_by_hand();
std::vector<HandMade> geometries_by_hand();
std::vector<HandMade> lists_by_hand();
std::vector<HandMade> scanners_by_hand();

}  // namespace backlit::fuzz
