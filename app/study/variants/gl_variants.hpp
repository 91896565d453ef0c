// Names of the variants of gl's projectors: "key=value,key=value". Missing keys keep their defaults. Each parse
// function throws InputError that names the valid keys and values, or the values that exclude each other.
#pragma once

#include <string>
#include <vector>

#include "projectors/gl_variants.hpp"

namespace backlit::gl {

/// Parses "transform=vertex,accumulate=ping_pong,views=8".
BackprojectionVariant parse_backprojection(const std::string& text);
/// One variant of each kind: every value of every key, with each supported packing and precision.
std::vector<CtOptions> backprojection_variants();

/// Parses options.variant: "draw=slices,accumulate=ping_pong". Throws Unsupported for values that the model or the
/// precision excludes.
ProjectionVariant parse_projection(const CtOptions&);
std::vector<CtOptions> joseph_variants();
std::vector<CtOptions> siddon_variants();
std::vector<CtOptions> raycast_variants();
std::vector<CtOptions> blob_variants();

/// Parses "composite=front_to_back,draw=compute".
EmissionVariant parse_emission(const std::string& text);
/// Every composite with every draw that it supports, in every precision.
std::vector<EmissionOptions> emission_variants();

}  // namespace backlit::gl
