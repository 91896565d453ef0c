// Penalised weighted least squares: by conjugate gradients, Fessler and Booth, IEEE Trans. Image Process. 8 (1999) 688;
// with subsets by separable surrogates, Erdogan and Fessler, Phys. Med. Biol. 44 (1999) 2835.
#pragma once

#include <memory>
#include <vector>

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct PwlsOptions : IterationOptions, SubsetOptions, RelaxationOptions {
  /// transmission: exp(-b), times `photons` where there are any. automatic: a Session takes `transmission` for scans
  /// whose readings were counted, else `none`; without a session `transmission` where there are `photons`.
  enum class Weights { automatic, none, transmission };
  enum class Penalty { none, qggmrf, tv };

  double relaxation_decay = 0;  ///< with subsets: relaxation of iteration n (from 0) is relaxation / (1 + this * n)
  double momentum = 10;         ///< with subsets: largest value of Nesterov's t; 1: no momentum
  Weights weights = Weights::automatic;
  Penalty penalty = Penalty::qggmrf;
  double strength = 0;                    ///< penalty's weight, as a share of the data's curvature; 0: from the noise
  double penalty_p = 2, penalty_q = 1.2;  ///< qggmrf: powers of small and of large differences
  double penalty_edge = 2e-4;             ///< difference above which edges are kept, 1/mm

  /// ScanFile::photons for the views of the reconstruction; a Session sets them. Null: the same for all rays.
  std::shared_ptr<const std::vector<float>> photons;

  PwlsOptions() {
    iterations = 15;
    subsets = 0;
  }
  Parameters parameters() override;
};

}  // namespace backlit
