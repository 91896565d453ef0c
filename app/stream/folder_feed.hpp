// Reads views from a folder into which a scanner writes.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <set>

#include "stream/view_feed.hpp"

namespace backlit::stream {

/// The folder holds one `.scan.toml` (now or later). Its [data] projections is a pattern ("view_*.tif") of images in
/// any format of open_stack(), one view a file. The last number in a file's name gives the view. View 0 is the smallest
/// number present when the first file is read. A file is read once its size and date have not changed for `rest`
/// seconds and it is complete. Values are line integrals, multiplied by [data] scale.
class FolderFeed final : public ViewFeed {
 public:
  /// Throws InputError when the folder does not exist.
  explicit FolderFeed(std::filesystem::path folder);

  std::vector<ArrivedView> poll() override;
  const ScanFile* scan() const override { return scan_ ? &*scan_ : nullptr; }
  bool ended() const override { return false; }
  std::string waiting_for() const override;

  /// Largest number of files read in one call.
  static constexpr std::size_t most_at_once = 16;
  /// Seconds after which an unchanged, unreadable file is reported.
  double patience = 10;
  /// Seconds for which a file must not change. `rest_with_holes` applies to files with parts that were never written:
  /// some writers set the size first.
  double rest = 0.25, rest_with_holes = 2;

 private:
  using Clock = std::chrono::steady_clock;
  struct Candidate {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written{};
    Clock::time_point since{};
    bool told = false;
  };
  /// Looks for the scan file. Reports a problem with the folder or the scan file once; each poll() looks again.
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
  std::string problem_;  ///< reported reason why there is no scan; empty if none
};

}  // namespace backlit::stream
