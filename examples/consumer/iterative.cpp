// Reconstructs a scan file by SIRT and prints the residual of each iteration: iterative SCAN.scan.toml VOLUME.mha
#include <backlit/backlit.hpp>

#include <cstdio>

int main(int argc, char** argv) try {
  if (argc != 3) throw backlit::InputError("arguments", "need a scan file and a volume", "SCAN.scan.toml VOLUME.mha");
  auto session = backlit::Session::open(argv[1]);

  backlit::SirtOptions sirt;
  sirt.iterations = 5;
  const auto run = session.start(sirt);
  for (auto status = run->step(); status != backlit::Reconstruction::Status::finished; status = run->step())
    if (status == backlit::Reconstruction::Status::iteration_done)
      std::printf("residual %.4f\n", run->reconstruction().residuals().back());
  backlit::save_volume(run->download(), argv[2]);
} catch (const backlit::Error& error) {
  std::fprintf(stderr, "iterative: %s\n", error.what());
  return error.exit_code();
}
