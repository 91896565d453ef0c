// From what users ask for to what a backend understands.
#pragma once

#include <backlit/recon/method_options.hpp>
#include <backlit/recon/methods/iterative_fdk.hpp>

namespace backlit {

/// Throws InputError for names that do not exist; `automatic` stands for model "auto".
CtOptions operator_options(const OperatorOptions&, Model automatic);

/// The operators of a method that projects and backprojects. They may be the same.
struct OperatorPair {
  CtOptions forward, back;
  bool matched = true;  ///< `back` is the transpose of `forward`
};

/// Throw InputError and Unsupported for options that name no such pair on any backend.
OperatorPair operator_pair(const Backend&, const IterationOptions&, const std::string& method);
OperatorPair operator_pair(const Backend&, const IterativeFdkOptions&);

/// Of IterationOptions with model "emission".
EmissionOptions emission_of(const IterationOptions&);

/// Whether the backend offers the operators that a method makes for this grid and scan. Makes none.
Support method_support(Backend&, const VolumeGrid&, const Scan&, const Method&);

}  // namespace backlit
