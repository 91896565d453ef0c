// Views of a scan that is still being measured, wherever they come from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <backlit/io/scans/scan_file.hpp>

namespace backlit::stream {

struct ArrivedView {
  std::int64_t index = 0;     ///< of the scan
  std::vector<float> values;  ///< line integrals, rows x columns
};

class ViewFeed {
 public:
  virtual ~ViewFeed() = default;

  /// Views that have come since the last call, in the order in which they came, a few at a time; each index once. Never
  /// waits. What is wrong with single views is told by take_notes(); throws InputError when nothing can come any more.
  virtual std::vector<ArrivedView> poll() = 0;
  /// The scan's geometry, without data; null until it is known.
  virtual const ScanFile* scan() const = 0;
  /// Whether the sender said that no more will come.
  virtual bool ended() const = 0;
  /// One sentence: what is being waited for.
  virtual std::string waiting_for() const = 0;
  /// What went wrong without ending it, since the last call; each once.
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

 protected:
  void note(std::string text) { notes_.push_back(std::move(text)); }

 private:
  std::vector<std::string> notes_;
};

/// A folder, or an endpoint ("tcp://127.0.0.1:5555") where the program then listens. Throws InputError when it is
/// neither, or the program was built without ZeroMQ.
std::unique_ptr<ViewFeed> open_feed(const std::string& from);

}  // namespace backlit::stream
