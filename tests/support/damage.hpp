// Damaged copies of a good file, the same ones on every run, to show that a reader answers with an error or a result
// and never crashes, hangs or asks for absurd memory.
#pragma once

#include <array>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/error.hpp"

namespace backlit::test {

struct Damaged {
  std::string how;    ///< what was done, for INFO()
  std::string bytes;  ///< the whole file
};

namespace detail {

inline const std::vector<std::string>& hostile_numbers() {
  static const std::vector<std::string> numbers{
      "-1", "0", "4294967295", "9223372036854775807", "99999999999999999999", "nan", "1e308", "inf", "-0.0", "x"};
  return numbers;
}

/// Replaces one run of digits (a number in a text header) by a hostile one; false when the file holds no digits.
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

/// `variants` damaged copies of `good`, which must not be empty: truncations, flipped bits and bytes, huge and negative
/// sizes (as text and as binary integers), inserted and removed pieces. `header` bytes at the front get most of the
/// attacks, because sizes and offsets live there; 0 treats the whole file alike.
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
      case 0: {  // first nothing at all, then ever more of the file
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
      default: {  // a piece of the file said twice: keys, headers, records
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

/// Everything in a file, as bytes.
inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Writes each damaged copy of `good_file` over `victim` and calls read(victim). A backlit::Error or a plain return
/// are fine; any other exception leaves this function. Returns how many copies were refused, so that a test can ask
/// for some.
template <class Read>
int read_damaged(const std::filesystem::path& good_file, const std::filesystem::path& victim, Read&& read,
                 int variants = 40, std::size_t header = 0) {
  int refused = 0;
  for (const Damaged& damaged : damaged_copies(file_bytes(good_file), variants, header)) {
    std::filesystem::remove(victim);  // truncating an old file can wait for the disk
    std::ofstream(victim, std::ios::binary | std::ios::trunc) << damaged.bytes;
    try {
      read(victim);
    } catch (const Error&) {
      ++refused;
    } catch (const std::exception& e) {
      throw std::runtime_error(fmt::format("not an Error of ours after {}: {}", damaged.how, e.what()));
    }
  }
  return refused;
}

}  // namespace backlit::test
