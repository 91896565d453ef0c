// What methods ask a backend whose arrays ranks share; for other backends the answers are those of one process.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include <backlit/core/index_range.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit {

using TakeBytes = std::function<void(std::span<const std::byte>)>;
using ReadBytes = std::function<void(std::int64_t offset, std::span<std::byte>)>;

/// A rank's part where several ranks make a slab by filtered backprojection, each from a share of the views.
class SharedSlab {
 public:
  virtual ~SharedSlab() = default;
  /// This rank's share of the views, with the rows that the slab sees.
  virtual const std::shared_ptr<ProjectionSource>& source() const = 0;
  virtual const VolumeGrid& grid() const = 0;  ///< of the slab
  virtual int ranks() const = 0;               ///< that make it
  virtual void check() = 0;                    ///< throws where another rank has failed
  /// Adds up what the ranks have made of the slab. Each rank gets the sum of some slices, or of none where there are
  /// more ranks than slices. All ranks of the slab call it.
  virtual Volume add_up(const Volume& slab) = 0;
  /// The same for slabs on linked cards, which stay there. Null on all ranks where one has no link, no slab on its
  /// card, or no slices. All ranks of all slabs call it.
  virtual ArrayPtr add_up(const DeviceArray* slab) = 0;
  virtual VolumeGrid summed() const = 0;  ///< the slices that this rank gets
};

/// Implemented by backends of which several processes hold the arrays together.
class SharedArrays {
 public:
  virtual ~SharedArrays() = default;
  virtual Ranks& ranks() = 0;
  /// This process's device, for work that needs no other rank.
  virtual Backend& own_device() = 0;
  /// Ranks tell each other which device each works with. Those that share a card take their share of its memory.
  /// `passed_over`: why this rank does not work with an earlier backend. All ranks call it.
  virtual void compare_devices(std::span<const std::string> passed_over) = 0;
  /// Which ranks work with which kind of device, in one line; empty while they are not known to differ.
  virtual const std::string& unlike_devices() const = 0;
  /// Throws InputError where ranks were given different grids or scans. All ranks call it.
  virtual void require_same(const VolumeGrid&, const Scan&) = 0;
  /// Null where each rank makes a slab of its own by filtered backprojection. All ranks call it.
  virtual std::unique_ptr<SharedSlab> shared_slab(std::shared_ptr<ProjectionSource>, const VolumeGrid&) = 0;
  /// The slabs, of all that were asked for, that this rank makes one after another by filtered backprojection; none
  /// where it makes one, or a part of one. Throws InputError("slabs") for numbers that cannot be.
  virtual IndexRange slabs_in_turn(const VolumeGrid&) const = 0;
  /// This rank's device, holding that slab alone. It needs no other rank.
  virtual std::unique_ptr<Backend> backend_of_slab(std::int64_t slab) = 0;
  /// Slices of a volume that this process holds.
  virtual VolumeGrid held(const VolumeGrid&) const = 0;
  /// Rows of each view that this process looks at. `filtered`: for filtered backprojection.
  virtual IndexRange rows_in_use(const VolumeGrid&, const Scan&, bool filtered) const = 0;
  /// The source's views with the rows alone that filtered backprojection uses here.
  virtual std::shared_ptr<ProjectionSource> source_of_rows(std::shared_ptr<ProjectionSource>,
                                                           const VolumeGrid&) const = 0;
  virtual void store_pieces(const DeviceArray&, const TakeBytes&) = 0;
  virtual void restore_pieces(const ReadBytes&, DeviceArray&) = 0;
};

/// Null where this process has the arrays alone.
Ranks* ranks_of(Backend&);
/// Throws Unsupported where ranks share the arrays, for methods that cannot.
void require_one_process(Backend&, const std::string& method);
/// The part of a volume that Backend::download() gives to who asks for as many values: all of it in one process.
VolumeGrid held_part(Backend&, const VolumeGrid&);
/// This process's own device, which makes its part of a volume alone. Throws InputError where ranks were given
/// different grids or scans.
Backend& own_device(Backend&, const VolumeGrid&, const Scan&);
/// See SharedArrays; null in one process, too.
std::unique_ptr<SharedSlab> shared_slab(Backend&, std::shared_ptr<ProjectionSource>, const VolumeGrid&);
IndexRange slabs_in_turn(Backend&, const VolumeGrid&);  ///< see SharedArrays; none in one process, too
std::unique_ptr<Backend> backend_of_slab(Backend&, std::int64_t slab);
/// Tells the source which rows are not needed.
void look_at_rows_in_use(Backend&, ProjectionSource&, const VolumeGrid&, bool filtered);
/// The source of FDK's pipeline in this process: of ranks one of some rows.
std::shared_ptr<ProjectionSource> source_of_rows(Backend&, std::shared_ptr<ProjectionSource>, const VolumeGrid&);
/// See SharedArrays; empty in one process, too.
std::string unlike_devices(Backend&);
/// The largest value of all ranks, so that they decide alike.
double largest(Backend&, double value);

/// Backend::store() and restore() piece by piece, in the order of the values. Where ranks share the array all of them
/// call: `take` is called on rank 0 alone, and `read` gets the place of a rank's bytes among all.
void store_pieces(Backend&, const DeviceArray&, const TakeBytes& take);
void restore_pieces(Backend&, const ReadBytes& read, DeviceArray&);

}  // namespace backlit
