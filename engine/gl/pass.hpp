// A pass: one name for the debug group in tools and for the row in the timing table.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <backlit/core/pass_time.hpp>
#include "gl/handles.hpp"

namespace backlit::gl {

/// Time spent on the device by each pass. Belongs to one context.
class TimingTable {
 public:
  /// Waits for pending queries. Returns the times since the start or the last clear().
  const PassTimes& collect();
  void clear();
  /// Off at the start: passes cost no queries.
  void enable(bool on) { enabled_ = on; }

 private:
  friend class Pass;
  struct Span {
    std::string name;
    Query begin, end;
  };
  Query take_query();
  void finish(Span span);
  void resolve_front();

  bool enabled_ = false;
  std::vector<Query> spare_;
  std::deque<Span> pending_;
  PassTimes times_;
};

/// Lives as long as the pass; passes nest. Uses two GL_TIMESTAMP queries, because GL_TIME_ELAPSED cannot nest and its
/// first result in a context is garbage on llvmpipe.
class Pass {
 public:
  Pass(TimingTable& table, const char* name);
  ~Pass();
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

 private:
  TimingTable& table_;
  TimingTable::Span span_;
};

}  // namespace backlit::gl
