// Views of a scan that is still being measured, from any source.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <backlit/io/scans/scan_file.hpp>

namespace backlit::stream {

struct ArrivedView {
  std::int64_t index = 0;     ///< index in the scan
  std::vector<float> values;  ///< line integrals, rows x columns
};

class ViewFeed {
 public:
  virtual ~ViewFeed() = default;

  /// Views that arrived since the last call, in their order of arrival, a few at a time; each index once. Never blocks.
  /// take_notes() returns problems with single views. Throws InputError when no more views can arrive.
  virtual std::vector<ArrivedView> poll() = 0;
  /// The scan's geometry without data; null until it is known.
  virtual const ScanFile* scan() const = 0;
  /// Whether the sender announced the end.
  virtual bool ended() const = 0;
  /// One sentence that names what is missing.
  virtual std::string waiting_for() const = 0;
  /// Problems since the last call that did not end the feed; each once.
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

 protected:
  void note(std::string text) { notes_.push_back(std::move(text)); }

 private:
  std::vector<std::string> notes_;
};

/// Opens a folder, or listens at an endpoint ("tcp://127.0.0.1:5555"). Throws InputError when `from` is neither, or the
/// build has no ZeroMQ.
std::unique_ptr<ViewFeed> open_feed(const std::string& from);

}  // namespace backlit::stream
