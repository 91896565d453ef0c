// Damaged copies of a good file, the same ones on every run. They show that a reader answers with an error or a result,
// and never crashes, hangs or allocates absurd amounts of memory.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit::test {

struct Damaged {
  std::string how;    ///< the damage, for INFO()
  std::string bytes;  ///< the whole file
};

namespace detail {

inline const std::vector<std::string>& hostile_numbers() {
  static const std::vector<std::string> numbers{
      "-1", "0", "4294967295", "9223372036854775807", "99999999999999999999", "nan", "1e308", "inf", "-0.0", "x"};
  return numbers;
}

/// Replaces one run of digits (a number in a text header) by a hostile number; false if the file has no digits.
inline bool replace_number(std::string& bytes, std::size_t from, const std::string& with) {
  const auto digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(bytes[i])) != 0; };
  std::size_t begin = from;
  while (begin < bytes.size() && !digit(begin)) ++begin;
  std::size_t end = begin;
  while (end < bytes.size() && digit(end)) ++end;
  if (begin == end) return false;
  bytes.replace(begin, end - begin, with);
  return true;
}

}  // namespace detail

/// `variants` damaged copies of `good`, which must not be empty. Damages: truncations, flipped bits and bytes, huge and
/// negative sizes (as text and as binary integers), inserted and removed pieces. `header` bytes at the front get most
/// of the damage, because sizes and offsets are there; 0 treats all bytes alike.
inline std::vector<Damaged> damaged_copies(const std::string& good, int variants = 40, std::size_t header = 0,
                                           std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  const std::size_t size = good.size();
  const std::size_t front = header == 0 || header > size ? size : header;
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random()) % n; };
  const auto place = [&] { return below(random() % 4 == 0 ? size : front); };
  std::vector<Damaged> all;
  for (int i = 0; i < variants; ++i) {
    std::string bytes = good;
    std::string how;
    switch (i % 8) {
      case 0: {  // first an empty file, then random lengths
        const std::size_t keep = i == 0 ? 0 : i == 8 ? size - 1 : place();
        bytes.resize(keep);
        how = fmt::format("cut to {} of {} bytes", keep, size);
        break;
      }
      case 1: {
        const std::size_t at = place();
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        how = fmt::format("one bit flipped at {}", at);
        break;
      }
      case 2: {
        how = "bytes replaced at";
        for (std::size_t n = 1 + below(8); n > 0; --n) {
          const std::size_t at = place();
          bytes[at] = static_cast<char>(random());
          how += fmt::format(" {}", at);
        }
        break;
      }
      case 3: {
        const std::string& number = detail::hostile_numbers()[below(detail::hostile_numbers().size())];
        const std::size_t at = place();
        how = fmt::format("the number after {} made {}", at, number);
        if (!detail::replace_number(bytes, at, number) && !detail::replace_number(bytes, 0, number)) how = "unchanged";
        break;
      }
      case 4: {  // a binary size field made huge or negative
        static constexpr std::array<std::uint64_t, 5> values{0xffffffffffffffffu, 0x7fffffffffffffffu, 0x7fffffffu,
                                                             0x80000000u, 0u};
        const std::uint64_t value = values[below(values.size())];
        const std::size_t at = place(), width = random() % 2 ? 4 : 8;
        for (std::size_t b = 0; b < width && at + b < size; ++b) bytes[at + b] = static_cast<char>(value >> (8 * b));
        how = fmt::format("a binary {} of {} bytes at {}", value, width, at);
        break;
      }
      case 5: {
        const std::size_t at = place();
        std::string garbage(1 + below(64), '\0');
        for (char& c : garbage) c = static_cast<char>(random());
        bytes.insert(at, garbage);
        how = fmt::format("{} bytes of garbage inserted at {}", garbage.size(), at);
        break;
      }
      case 6: {
        const std::size_t at = place(), n = 1 + below(64);
        bytes.erase(at, n);
        how = fmt::format("{} bytes removed at {}", n, at);
        break;
      }
      default: {  // a repeated piece of the file: keys, headers, records
        const std::size_t at = place(), n = 1 + below(256);
        bytes.insert(place(), good.substr(at, n));
        how = fmt::format("{} bytes from {} repeated", n, at);
        break;
      }
    }
    all.push_back({how, bytes});
  }
  return all;
}

/// All bytes of a file.
inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Limits for reading one damaged copy. Sanitizers reserve terabytes and are slow: with them only the time is limited,
/// to ten times the value.
struct ReadLimits {
  double seconds = 3;                          ///< processor time
  std::int64_t bytes = std::int64_t{1} << 30;  ///< growth of the address space, used or not
};

#if defined(__has_feature)
#define BACKLIT_HAS_FEATURE(feature) __has_feature(feature)  // clang
#else
#define BACKLIT_HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || BACKLIT_HAS_FEATURE(address_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

namespace detail {

/// A line of /proc/self/status in bytes. VmSize is the present address space, VmPeak its maximum so far, that is, the
/// allocated memory. VmHWM is the maximum of the memory in use so far.
inline std::int64_t process_memory(const std::string& which) {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;)
    if (std::int64_t kib = 0; key == which + ":" && status >> kib) return kib * 1024;
  return 0;
}

/// Measures time and memory during its lifetime. Allocations beyond four times the limit fail, so that they do no harm.
class Meter {
 public:
  explicit Meter(const ReadLimits& limits)
      : limits_(limits), start_(std::clock()), size_(process_memory("VmSize")), peak_(process_memory("VmPeak")) {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit now = before_;
    now.rlim_cur = std::min<rlim_t>(before_.rlim_max, static_cast<rlim_t>(size_ + 4 * limits.bytes));
    if (!sanitized) ::setrlimit(RLIMIT_AS, &now);
  }
  ~Meter() { ::setrlimit(RLIMIT_AS, &before_); }
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  /// Throws std::runtime_error if a limit was exceeded.
  void check(const std::string& how) const {
    const double seconds = static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
    if (seconds > limits_.seconds * (sanitized ? 10 : 1))
      throw std::runtime_error(fmt::format("reading took {:.1f} s after {}", seconds, how));
    const std::int64_t peak = process_memory("VmPeak");
    if (!sanitized && peak > peak_ && peak - size_ > limits_.bytes)
      throw std::runtime_error(fmt::format("reading asked for {} bytes after {}", peak - size_, how));
  }

 private:
  ReadLimits limits_;
  std::clock_t start_;
  std::int64_t size_, peak_;
  rlimit before_{};
};

}  // namespace detail

/// Writes each damaged copy of `good_file` to `victim` and calls read(victim). A backlit::Error or a normal return are
/// correct. Throws std::runtime_error for any other exception, and if a copy exceeds `limits`. Returns the number of
/// refused copies, so that a test can require some.
template <class Read>
int read_damaged(const std::filesystem::path& good_file, const std::filesystem::path& victim, Read&& read,
                 int variants = 40, std::size_t header = 0, const ReadLimits& limits = {}) {
  int refused = 0;
  for (const Damaged& damaged : damaged_copies(file_bytes(good_file), variants, header)) {
    std::filesystem::remove(victim);  // truncating an old file can wait for the disk
    std::ofstream(victim, std::ios::binary | std::ios::trunc) << damaged.bytes;
    const detail::Meter meter(limits);
    try {
      read(victim);
    } catch (const Error&) {
      ++refused;
    } catch (const std::exception& e) {
      throw std::runtime_error(fmt::format("not an Error of ours after {}: {}", damaged.how, e.what()));
    }
    meter.check(damaged.how);
  }
  return refused;
}

}  // namespace backlit::test
