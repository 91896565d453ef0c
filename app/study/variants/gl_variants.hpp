// The variants of gl's projectors by name: "key=value,key=value". What a text leaves out keeps its default. Each parse
// function throws InputError that names the keys and values there are, or the values that exclude each other.
#pragma once

#include <string>
#include <vector>

#include "projectors/gl_variants.hpp"

namespace backlit::gl {

/// "transform=vertex,accumulate=ping_pong,views=8".
BackprojectionVariant parse_backprojection(const std::string& text);
/// One of each kind: every value of every key, with each packing and precision that it goes with.
std::vector<CtOptions> backprojection_variants();

/// "draw=slices,accumulate=ping_pong", of options.variant. Throws Unsupported for what does not go with the model or
/// the precision.
ProjectionVariant parse_projection(const CtOptions&);
std::vector<CtOptions> joseph_variants();
std::vector<CtOptions> siddon_variants();
std::vector<CtOptions> raycast_variants();
std::vector<CtOptions> blob_variants();

/// "composite=front_to_back,draw=compute".
EmissionVariant parse_emission(const std::string& text);
/// Every composite with every draw that it supports, in every precision.
std::vector<EmissionOptions> emission_variants();

}  // namespace backlit::gl
