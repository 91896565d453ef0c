#include <backlit/data/list_mode.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

/// f(name, array, the same array of `other`) for every array of two lists.
template <class List, class Other, class F>
void each_array(List& list, Other& other, F&& f) {
  f("crystal1", list.crystal1, other.crystal1);
  f("crystal2", list.crystal2, other.crystal2);
  f("end1", list.end1, other.end1);
  f("end2", list.end2, other.end2);
  f("dt_ps", list.dt_ps, other.dt_ps);
  f("time_ms", list.time_ms, other.time_ms);
  f("acf", list.acf, other.acf);
  f("norm", list.norm, other.norm);
  f("random_rate", list.random_rate, other.random_rate);
  f("scatter_rate", list.scatter_rate, other.scatter_rate);
  f("kind", list.kind, other.kind);
}

}  // namespace

void EventList::clear() {
  each_array(*this, *this, [](const char*, auto& array, auto&) { array.clear(); });
}

void EventList::append(const EventList& other, std::int64_t first, std::int64_t count) {
  each_array(*this, other, [&](const char*, auto& array, const auto& more) {
    if (!more.empty()) array.insert(array.end(), more.begin() + first, more.begin() + first + count);
  });
}

void EventList::check(const Scanner& scanner, const std::string& where) const {
  const auto events = static_cast<std::size_t>(size());
  each_array(*this, *this, [&](const char* name, const auto& array, const auto&) {
    if (!array.empty() && array.size() != events)
      throw InputError(where, fmt::format("{} has {} entries for {} events", name, array.size(), events),
                       "give one entry an event, or none");
  });
  const auto crystals = static_cast<std::uint32_t>(scanner.crystals());
  for (std::size_t i = 0; i < crystal1.size(); ++i)
    if (const std::uint32_t most = std::max(crystal1[i], crystal2[i]); most >= crystals)
      throw InputError(where, fmt::format("event {} names crystal {}, but {} has {}", i, most, scanner.name, crystals),
                       "is it the right scanner?");
}

const RigidTransform& ScannerPlace::moved(std::int64_t crystal) const {
  std::size_t part = parts.size() - 1;
  while (part > 0 && parts[part].first > crystal) --part;
  return parts[part].moved;
}

std::vector<Vec3f> ScannerPlace::positions(const Scanner& scanner) const {
  std::vector<Vec3f> moved(scanner.position.size());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::int64_t end = part + 1 < parts.size() ? parts[part + 1].first : scanner.crystals();
    for (std::int64_t c = parts[part].first; c < end; ++c)
      moved[static_cast<std::size_t>(c)] =
          Vec3f(parts[part].moved(Vec3(scanner.position[static_cast<std::size_t>(c)])));
  }
  return moved;
}

MemoryListMode::MemoryListMode(ListModeInfo info, EventList events)
    : info_(std::move(info)), events_(std::move(events)) {
  info_.events = events_.size();
}

bool MemoryListMode::read(std::int64_t most, EventList& out) {
  out.clear();
  const std::int64_t count = std::min(most, events_.size() - next_);
  out.append(events_, next_, count);
  next_ += count;
  return count > 0;
}

EventList read_all(ListModeSource& source) {
  source.rewind();
  EventList all, chunk;
  while (source.read(std::int64_t{1} << 20, chunk)) all.append(chunk, 0, chunk.size());
  return all;
}

void end_points(const EventList& events, const Scanner& scanner, std::int64_t first, std::int64_t count,
                std::array<std::vector<float>, 6>& out) {
  for (auto& values : out) values.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::size_t event = static_cast<std::size_t>(first) + i;
    const bool given = !events.end1.empty();
    const Vec3f a = given ? events.end1[event] : scanner.position[events.crystal1[event]];
    const Vec3f b = given ? events.end2[event] : scanner.position[events.crystal2[event]];
    for (int axis = 0; axis < 3; ++axis) {
      out[static_cast<std::size_t>(axis)][i] = a[axis];
      out[static_cast<std::size_t>(axis + 3)][i] = b[axis];
    }
  }
}

}  // namespace backlit
