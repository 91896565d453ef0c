// Processes that share one reconstruction, on one machine or on many: each has a slab of the volume.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace backlit {

/// All ranks make the same calls in the same order. Every call throws Failure once another rank has failed, and
/// Cancelled when a stop was requested.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;             ///< of this process, from 0
  virtual int size() const = 0;             ///< how many there are
  virtual int local_rank() const = 0;       ///< among those on this machine, from 0
  virtual int local_size() const = 0;       ///< how many are on this machine
  virtual std::string machine() const = 0;  ///< its name

  using Out = std::vector<std::span<const std::byte>>;
  using In = std::vector<std::span<std::byte>>;
  /// Sends out[r] to rank r and overwrites in[r] with what rank r sends here; empty where nothing goes. Both have
  /// size() entries, and both ends agree on the number of bytes.
  virtual void exchange(const Out& out, const In& in) = 0;
  /// The values of rank 0, then those of rank 1, ...; each rank gives equally many.
  virtual std::vector<double> gather(std::span<const double> values) = 0;
  /// For waits of other kinds: throws as other calls do, and waits for nobody.
  virtual void check() = 0;

  // By means of these. Every rank gets the same bits.

  double sum(double);
  double maximum(double);  ///< NaN where one is
  double minimum(double);
  /// What rank 0 says.
  std::string from_first(const std::string&);
  /// What rank 0 says, then rank 1, ...
  std::vector<std::string> from_all(const std::string&);
};

/// From now on make_backend() gives this thread backends that share their work among `ranks`; null ends that. Without a
/// device asked for, a rank takes the card of its number on its machine. `slabs`: of the volume in filtered
/// backprojection; equally many ranks make each of them, from a share of the views. 0: one slab a rank, or the most
/// that divide the ranks where there are fewer slices.
void share_among(std::shared_ptr<Ranks> ranks, int slabs = 0);
/// Null where this thread works alone.
const std::shared_ptr<Ranks>& shared_among();
int slabs_among();  ///< as share_among() was given them

}  // namespace backlit
