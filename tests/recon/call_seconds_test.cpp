// How many views iterations take at once.
#include <catch2/catch.hpp>

#include "recon/batch_size.hpp"

using namespace backlit;

TEST_CASE("Calls take as many views as fill a work item, and enough to be worth what is paid once") {
  CHECK(CallSeconds{0, 0.001}.worth_calling() == Approx(20));
  CHECK(CallSeconds{0.005, 0.001}.worth_calling() == Approx(15));
  CHECK(CallSeconds{0.019, 0.001}.worth_calling() == Approx(19));  // not one view
  CHECK(CallSeconds{0.05, 0.001}.worth_calling() == Approx(50));
  CHECK(CallSeconds{0.02, 0.001}.worth_calling(0.1) == Approx(80));
  CHECK(CallSeconds{0.005, 0.001}.of(15) == Approx(BatchSize::target));
  CHECK(CallSeconds{0, 0}.worth_calling() == Approx(20000));  // not infinite
}
