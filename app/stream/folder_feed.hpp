// A folder into which a scanner writes.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <set>

#include "stream/view_feed.hpp"

namespace backlit::stream {

/// The folder holds one `.scan.toml` (now or later) whose [data] projections is a pattern ("view_*.tif") of images in
/// any format of open_stack(), one view a file. The last number of a file's name says which view: the smallest number
/// there is when the first file is read is view 0. A file is read once its size and its date have stood still for
/// `rest` seconds and it can be read as a whole; until then it is waited for. Values are line integrals, times [data]
/// scale.
class FolderFeed final : public ViewFeed {
 public:
  /// Throws InputError when the folder does not exist.
  explicit FolderFeed(std::filesystem::path folder);

  std::vector<ArrivedView> poll() override;
  const ScanFile* scan() const override { return scan_ ? &*scan_ : nullptr; }
  bool ended() const override { return false; }
  std::string waiting_for() const override;

  /// Files read in one call.
  static constexpr std::size_t most_at_once = 16;
  /// Seconds after which a file that does not change and cannot be read is told of.
  double patience = 10;
  /// Seconds for which a file must not change; a file with parts that were never written, as when a writer sets the
  /// size first, rests longer.
  double rest = 0.25, rest_with_holes = 2;

 private:
  using Clock = std::chrono::steady_clock;
  struct Candidate {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written{};
    Clock::time_point since{};
    bool told = false;
  };
  /// What is wrong with the folder or its scan file is told once, and looked at again with the next poll().
  void look_for_scan();
  void read_scan();
  bool settled(Candidate&, const std::filesystem::path&) const;
  std::optional<ArrivedView> read(const std::filesystem::path& file, std::int64_t index);

  std::filesystem::path folder_;
  std::optional<ScanFile> scan_;
  std::string pattern_;
  double scale_ = 1;
  std::optional<std::int64_t> first_number_;
  std::map<std::filesystem::path, Candidate> candidates_;
  std::set<std::filesystem::path> done_;
  Candidate scan_candidate_;
  std::string problem_;  ///< why there is no scan, where that has been told
};

}  // namespace backlit::stream
