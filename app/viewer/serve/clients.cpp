#include "serve/clients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <backlit/core/printable.hpp>

namespace backlit::viewer::serve {
namespace {

constexpr auto at_rest = std::chrono::milliseconds(300);  ///< after which a frame is sent without loss

void append(Bytes& bytes, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<unsigned char>(value >> (8 * i)));
}

}  // namespace

Clients::Clients(std::function<void()> waiting) : waiting_(std::move(waiting)), thread_([this] { work(); }) {}

Clients::~Clients() { stop(); }

void Clients::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_one();
  if (thread_.joinable()) thread_.join();
}

std::size_t Clients::count() const {
  const std::lock_guard lock(mutex_);
  return clients_.size();
}

Clients::Id Clients::join() {
  const std::lock_guard lock(mutex_);
  if (clients_.empty()) picture_.reset();  // forget the frame from before: nobody watched since
  const Id id = next_id_++;
  Client& client = clients_[id];
  if (picture_) client.dirty = picture_->whole();
  for (const auto& [kind, json] : kept_) client.texts.add(kind, json);
  if (steering_ == 0) steering_ = id;
  send_roles();
  work_.notify_one();
  return id;
}

bool Clients::leave(Id id) {
  const std::lock_guard lock(mutex_);
  clients_.erase(id);
  if (steering_ != id) return false;
  steering_ = clients_.empty() ? 0 : clients_.begin()->first;
  send_roles();
  return true;
}

bool Clients::steers(Id id) const {
  const std::lock_guard lock(mutex_);
  return steering_ == id;
}

void Clients::steer(Id id) {
  const std::lock_guard lock(mutex_);
  if (!clients_.contains(id)) return;
  steering_ = id;
  send_roles();
}

void Clients::send_roles() {
  for (auto& [id, client] : clients_)
    client.texts.add("role",
                     fmt::format(R"({{"kind":"role","steers":{},"others":{}}})", id == steering_, clients_.size() - 1));
  waiting_();
}

void Clients::shown(Id id, std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  if (const auto found = clients_.find(id); found != clients_.end()) found->second.line.shown(number, Clock::now());
  work_.notify_one();
}

void Clients::show(std::shared_ptr<const Picture> picture) {
  std::shared_ptr<const Picture> before;
  {
    const std::lock_guard lock(mutex_);
    before = picture_;
  }
  const Area changed = before ? changed_area(*before, *picture) : picture->whole();
  if (changed.empty()) return;
  const std::lock_guard lock(mutex_);
  const bool same_size = picture_ && picture_->width == picture->width && picture_->height == picture->height;
  // New browsers, and those with a frame of another size, get the whole frame.
  const bool follows = picture_ == before && same_size;
  for (auto& [id, client] : clients_) {
    client.dirty = follows ? united(client.dirty, changed) : picture->whole();
    if (!follows) client.lossy = {};
  }
  picture_ = std::move(picture);
  changed_ = Clock::now();
  work_.notify_one();
}

void Clients::send(const std::string& kind, const std::string& json, bool kept) {
  const std::lock_guard lock(mutex_);
  if (kept) kept_[kind] = json;
  for (auto& [id, client] : clients_) client.texts.add(kept ? kind : "", json);
  waiting_();
}

void Clients::send(Id id, const std::string& json) {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  found->second.texts.add("", json);
  waiting_();
}

std::optional<Clients::Outgoing> Clients::next(Id id) {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(id);
  if (found == clients_.end()) return std::nullopt;
  Client& client = found->second;
  if (const auto text = client.texts.next()) return Outgoing{false, {text->begin(), text->end()}};
  if (!client.frame) return std::nullopt;
  Outgoing frame{true, std::move(*client.frame)};
  client.frame.reset();
  work_.notify_one();
  return frame;
}

std::optional<Clients::Job> Clients::next_job(Clock::time_point now) {
  if (!picture_) return std::nullopt;
  for (auto& [id, client] : clients_) {
    if (client.encoding || client.frame || !client.line.free()) continue;
    Job job{id, picture_, {}, 0, next_number_};
    if (!client.dirty.empty()) {
      job.area = std::exchange(client.dirty, {});
      job.quality = client.line.quality();
      client.lossy = united(client.lossy, job.area);
    } else if (!client.lossy.empty() && now - changed_ >= at_rest && client.line.quiet()) {
      job.area = std::exchange(client.lossy, {});
    } else {
      continue;
    }
    client.encoding = true;
    client.line.sent(next_number_++, now);
    return job;
  }
  return std::nullopt;
}

Bytes Clients::encoded(JpegEncoder& jpeg, const Job& job) {
  Bytes file, frame;
  if (job.quality > 0)
    jpeg.encode(*job.picture, job.area, job.quality, file);
  else
    encode_lossless(*job.picture, job.area, file);
  frame.reserve(file.size() + 12);
  append(frame, job.number, 4);
  for (const std::int64_t n : {job.area.left, job.area.top, job.picture->width, job.picture->height})
    append(frame, static_cast<std::uint64_t>(n), 2);
  frame.insert(frame.end(), file.begin(), file.end());
  return frame;
}

void Clients::work() {
  JpegEncoder jpeg;
  std::unique_lock lock(mutex_);
  while (!stop_) {
    const auto job = next_job(Clock::now());
    if (!job) {
      const bool owed = std::ranges::any_of(clients_, [](const auto& c) { return !c.second.lossy.empty(); });
      const auto until = std::max(changed_ + at_rest, Clock::now() + std::chrono::milliseconds(50));
      owed ? static_cast<void>(work_.wait_until(lock, until)) : work_.wait(lock);
      continue;
    }
    lock.unlock();
    Bytes frame;
    try {
      frame = encoded(jpeg, *job);
    } catch (const std::exception& error) {  // out of memory: a later frame may succeed
      write_to_standard_error(fmt::format("backlit-view: a frame was not sent: {}\n", error.what()));
    }
    lock.lock();
    const auto found = clients_.find(job->id);
    if (found == clients_.end()) continue;
    found->second.encoding = false;
    if (frame.empty()) continue;
    found->second.frame = std::move(frame);
    waiting_();
  }
}

}  // namespace backlit::viewer::serve
