// --backend and what there is to say about the one that was chosen.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/device/backend.hpp>
#include "command.hpp"

namespace backlit::cli {

struct BackendOption {
  std::string name = "auto";
  std::vector<std::int64_t> devices{};  ///< which of several; empty takes the first
  std::string memory{};                 ///< budget on the device, "256M"; empty takes what there is

  void add_flags(CLI::App&);
  /// Starts it and uses it (see make_backend: auto takes the first that can be used so). Says which device it found,
  /// and why auto passed others over, with --verbose.
  std::unique_ptr<Backend> make(const Console&, const BackendUse& use) const;
};

/// The device's name, and that it is no GPU where it is none.
std::string device_text(const Backend&);

}  // namespace backlit::cli
