#include <catch2/catch.hpp>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>

using namespace backlit;

TEST_CASE("amounts of memory are read as people write them") {
  CHECK(byte_size_from("256M", "x") == std::int64_t{256} << 20);
  CHECK(byte_size_from("2G", "x") == std::int64_t{2} << 30);
  CHECK(byte_size_from("1.5gib", "x") == std::int64_t{3} << 29);
  CHECK(byte_size_from("64kB", "x") == 65536);
  CHECK(byte_size_from("7", "x") == 7);
  CHECK(byte_size_from("12b", "x") == 12);
  for (const char* wrong : {"", "M", "0", "-1G", "1GG", "1 G", "2X", "nan", "inf", "1e3", "9999999T", "0.1", "1Gi"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(byte_size_from(wrong, "--gpu-memory"),
                      std::string("--gpu-memory: '") + wrong +
                          "' is no amount of memory; write a positive number and K, M, G or T, as in 256M or 2G");
  }
}

TEST_CASE("amounts of memory are told with a unit") {
  CHECK(byte_size_text(12) == "12 B");
  CHECK(byte_size_text(std::int64_t{256} << 20) == "256 MiB");
  CHECK(byte_size_text(std::int64_t{3} << 29) == "1.5 GiB");
}
