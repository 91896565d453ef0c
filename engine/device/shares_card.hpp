// A card that several processes of a machine may use at once.
#pragma once

#include <cstdint>
#include <string>

namespace backlit {

/// Implemented by backends of cards.
class SharesCard {
 public:
  virtual ~SharesCard() = default;
  /// Which card this is, unlike any other of this machine; empty where the driver does not say.
  virtual std::string card_name() const = 0;
  /// So many processes use the card: capabilities().memory_bytes becomes this one's share of what is free now. Not for
  /// a backend with a budget (BackendOptions::memory_bytes).
  virtual void share_card(std::int64_t processes) = 0;
};

}  // namespace backlit
