// Ranks that are threads of the test: no MPI, no processes.
#pragma once

#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit::test {

/// What threads leave for each other.
class Post {
 public:
  explicit Post(int ranks) : last_(static_cast<std::size_t>(ranks)) {}

  void leave(std::size_t from, std::size_t to, std::vector<std::byte> bytes) {
    const std::scoped_lock lock(mutex_);
    letters_[{from, to}].push_back(std::move(bytes));
    arrived_.notify_all();
  }
  std::vector<std::byte> take(std::size_t from, std::size_t to) {
    std::unique_lock lock(mutex_);
    auto& letters = letters_[{from, to}];
    arrived_.wait(lock, [&] { return failed_ || !letters.empty(); });
    if (letters.empty()) throw Failure("ranks", "another rank failed");
    std::vector<std::byte> bytes = std::move(letters.front());
    letters.erase(letters.begin());
    return bytes;
  }
  void fail() {
    const std::scoped_lock lock(mutex_);
    failed_ = true;
    arrived_.notify_all();
  }
  void check() {
    const std::scoped_lock lock(mutex_);
    if (failed_) throw Failure("ranks", "another rank failed");
  }
  std::size_t ranks() const { return last_; }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::vector<std::byte>>> letters_;
  std::size_t last_;
  bool failed_ = false;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(Post& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(post_.ranks()); }
  int local_rank() const override { return rank_; }
  int local_size() const override { return size(); }
  std::string machine() const override { return "node"; }

  void exchange(const Out& out, const In& in) override {
    const auto me = static_cast<std::size_t>(rank_);
    for (std::size_t r = 0; r < out.size(); ++r)
      if (!out[r].empty()) post_.leave(me, r, {out[r].begin(), out[r].end()});
    for (std::size_t r = 0; r < in.size(); ++r) {
      if (in[r].empty()) continue;
      const std::vector<std::byte> bytes = post_.take(r, me);
      if (bytes.size() != in[r].size()) throw Failure("ranks", "a message of another size");
      std::memcpy(in[r].data(), bytes.data(), bytes.size());
    }
  }
  std::vector<double> gather(std::span<const double> values) override {
    std::vector<double> all(values.size() * post_.ranks());
    Out out(post_.ranks(), std::as_bytes(values));
    In in;
    for (std::size_t r = 0; r < post_.ranks(); ++r)
      in.push_back(std::as_writable_bytes(std::span(all).subspan(r * values.size(), values.size())));
    exchange(out, in);
    return all;
  }
  void check() override { post_.check(); }

 private:
  Post& post_;
  int rank_;
};

/// work(ranks) in so many threads; rethrows what the first one threw.
inline void in_ranks(int count, const std::function<void(const std::shared_ptr<Ranks>&)>& work) {
  Post post(count);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int r = 0; r < count; ++r)
    threads.emplace_back([&, r] {
      try {
        work(std::make_shared<ThreadRanks>(post, r));
      } catch (...) {
        failures[static_cast<std::size_t>(r)] = std::current_exception();
        post.fail();
      }
    });
  for (std::thread& t : threads) t.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace backlit::test
