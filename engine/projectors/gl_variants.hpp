// Functions that make the projectors of gl, each defined in its folder. Descriptors choose the variant by the options;
// studies choose other variants.
#pragma once

#include <memory>
#include <span>

#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "projectors/emission/gl_variant.hpp"
#include "projectors/shared/gl/projection_variant.hpp"
#include "projectors/voxel_driven/gl_variant.hpp"

namespace backlit::gl {

using OperatorPtr = std::unique_ptr<LinearOperator>;

OperatorPtr make_voxel_driven(Backend&, const VolumeGrid&, const Scan&, const CtOptions&, const BackprojectionVariant&);
OperatorPtr make_joseph(Backend&, const VolumeGrid&, const Scan&, const CtOptions&, const ProjectionVariant&);
OperatorPtr make_siddon(Backend&, const VolumeGrid&, const Scan&, const CtOptions&, const ProjectionVariant&);
OperatorPtr make_raycast(Backend&, const VolumeGrid&, const Scan&, const CtOptions&, const ProjectionVariant&);
OperatorPtr make_blob(Backend&, const VolumeGrid&, const Scan&, const CtOptions&, const ProjectionVariant&);
/// `corners_apart`: four lookups for each footprint; otherwise neighbours share theirs.
OperatorPtr make_branchless_dd(Backend&, const VolumeGrid&, const Scan&, const CtOptions&, bool corners_apart);
OperatorPtr make_emission(Backend&, const VolumeGrid&, const Scan&, std::span<const float> attenuation,
                          const EmissionOptions&, const EmissionVariant&);

}  // namespace backlit::gl
