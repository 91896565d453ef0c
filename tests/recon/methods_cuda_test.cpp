// The iterative methods on the device against the same methods on the CPU reference.
#include <algorithm>
#include <random>

#include "support/cuda.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/recon/follow_reference.hpp"
#include "support/recon/relaxation.hpp"

using namespace backlit;

TEST_CASE("iterative methods on the device follow the reference") {
  BACKLIT_REQUIRE_CUDA(backend);
  // How iterated FDK groups its views, and so its sums, depends on measured time.
  for (const std::string& method : method_names())
    if (method != "fdk" && method != "sart_in_place")  // which have tests of their own
      test::check_follows_reference(*backend, method, "exact", 1e-4, method != "ifdk");
}

TEST_CASE("the correction in one pass is the correction in steps on the device, for every geometry") {
  BACKLIT_REQUIRE_CUDA(backend);
  std::mt19937 random(4);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto values = [&](std::int64_t n) {
    std::vector<float> list(static_cast<std::size_t>(n));
    for (float& v : list) v = uniform(random);
    return list;
  };
  for (const test::CtCase& c : test::ct_cases())
    for (const Precision precision : {Precision::exact, Precision::fast}) {
      CtOptions options;
      options.precision = precision;
      const auto a = backend->make_ct(c.grid, c.scan, options);
      INFO(c.name << ", " << a->variant());
      const Subset subset{1, 2, 3};
      const auto y = a->make_range(2), x = a->make_domain(), expected = a->make_domain();
      backend->upload(values(y->count()), *y);
      const auto start = values(x->count());
      backend->upload(start, *x);
      backend->upload(start, *expected);
      test::relax_in_steps(*backend, *a, *y, *expected, 0.7f, -0.1f, subset);
      REQUIRE(a->relax(*y, *x, 0.7f, -0.1f, subset));
      std::vector<float> got(start.size()), wanted(start.size());
      backend->download(*x, got);
      backend->download(*expected, wanted);
      // In steps, hardware filters the border of a view of ones with weights of 8 bits.
      CHECK(test::relative_l2(wanted, got) < (precision == Precision::exact ? 1e-5 : 5e-3));
      CHECK(*std::min_element(got.begin(), got.end()) >= -0.1f);
    }
}
