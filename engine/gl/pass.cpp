#include "gl/pass.hpp"

namespace backlit::gl {
namespace {

constexpr std::size_t most_pending = 4096;

}  // namespace

Query TimingTable::take_query() {
  if (spare_.empty()) return Query("pass timer", GL_TIMESTAMP);
  Query q = std::move(spare_.back());
  spare_.pop_back();
  return q;
}

void TimingTable::finish(Span span) {
  glQueryCounter(span.end.id(), GL_TIMESTAMP);
  pending_.push_back(std::move(span));
  if (pending_.size() > most_pending) resolve_front();
}

void TimingTable::resolve_front() {
  Span& s = pending_.front();
  const std::uint64_t begin = s.begin.result(), end = s.end.result();
  PassTime& t = times_[s.name];
  ++t.calls;
  if (end > begin) t.seconds += 1e-9 * static_cast<double>(end - begin);
  spare_.push_back(std::move(s.begin));
  spare_.push_back(std::move(s.end));
  pending_.pop_front();
}

const PassTimes& TimingTable::collect() {
  while (!pending_.empty()) resolve_front();
  return times_;
}

void TimingTable::clear() {
  collect();
  times_.clear();
}

Pass::Pass(TimingTable& table, const char* name) : table_(table) {
  glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, name);
  if (!table_.enabled_) return;
  span_ = {name, table_.take_query(), table_.take_query()};
  glQueryCounter(span_.begin.id(), GL_TIMESTAMP);
}

Pass::~Pass() {
  if (span_.begin) table_.finish(std::move(span_));
  glPopDebugGroup();
}

}  // namespace backlit::gl
